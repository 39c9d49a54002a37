// The dialog for one rule between options: its option, its kind, and the other options.
import { Button, Modal, MultiSelect, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { Form } from '#platform/ui/Form.tsx';
import type { ModelGroup } from '../configurable-models.contract.ts';
import { labelsOf, type Rule, ruleInWords } from '../rules/model.ts';

const KINDS = [
  { value: 'needs', label: 'needs at least one of' },
  { value: 'excludes', label: 'cannot be combined with' },
];

/** A rule in progress. It may have no option yet. */
export type RuleDraft = Omit<Rule, 'optionId'> & { optionId: number | null };

type Props = { rule: RuleDraft; groups: ModelGroup[]; onDone: (rule: Rule) => void; onClose: () => void };

export function RuleDialog({ rule, groups, onDone, onClose }: Props) {
  const [draft, setDraft] = useState(rule);
  const [tried, setTried] = useState(false);
  const { kind, optionId, otherIds } = draft;
  const choices = (without: number | null) =>
    groups.map((group) => ({
      group: group.name || 'Unnamed group',
      items: group.options
        .filter(({ id }) => id !== without)
        .map(({ id, label }) => ({ value: String(id), label: label || 'Unnamed option' })),
    }));
  const done = () => {
    setTried(true);
    if (optionId !== null && otherIds.length > 0) onDone({ kind, optionId, otherIds });
  };
  return (
    <Modal opened onClose={onClose} title={rule.optionId === null ? 'New rule' : 'Edit rule'}>
      <Form label="Rule" onSubmit={done}>
        <Stack gap="sm">
          <Select
            label="Option"
            required
            searchable
            data-autofocus
            data={choices(null)}
            value={optionId === null ? null : String(optionId)}
            error={tried && optionId === null ? 'This field is required' : undefined}
            onChange={(id) => {
              const next = id === null ? null : Number(id);
              setDraft({ ...draft, optionId: next, otherIds: otherIds.filter((other) => other !== next) });
            }}
          />
          <Select
            label="Rule type"
            allowDeselect={false}
            data={KINDS}
            value={kind}
            onChange={(next) => next && setDraft({ ...draft, kind: next as Rule['kind'] })}
          />
          <MultiSelect
            label="Other options"
            required
            searchable
            data={choices(optionId)}
            value={otherIds.map(String)}
            error={tried && otherIds.length === 0 ? 'Choose at least one other option.' : undefined}
            onChange={(ids) => setDraft({ ...draft, otherIds: ids.map(Number) })}
          />
          {optionId !== null && otherIds.length > 0 ? (
            <Text size="sm" className="muted">
              {ruleInWords({ kind, optionId, otherIds }, labelsOf({ groups }))}.
            </Text>
          ) : null}
          <DialogButtons onCancel={onClose}>
            <Button type="submit">Done</Button>
          </DialogButtons>
        </Stack>
      </Form>
    </Modal>
  );
}
