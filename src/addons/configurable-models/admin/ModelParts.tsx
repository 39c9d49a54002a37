// Edits the groups, options and rules of a model (add, change, move, remove, undo), and shows errors while the user types.
import { Button, Group, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useKeys } from '#platform/ui/keys.tsx';
import type { ModelGroup, ModelOption, ModelRecord } from '../configurable-models.contract.ts';
import { errorsOf } from '../rules/check-model.ts';
import { labelsOf, type Rule, ruleInWords } from '../rules/model.ts';
import classes from './admin.module.css';
import { GroupCard, Moves, Problem } from './GroupCard.tsx';
import { OptionDialog } from './OptionDialog.tsx';
import { type RuleDraft, RuleDialog } from './RuleDialog.tsx';

type Parts = Pick<ModelRecord, 'groups' | 'rules'>;
type Props = Parts & { errors: Record<string, string>; onChange: (parts: Partial<Parts>) => void };

/** The form checks rules and circular quantities while the user types. The server checks names and limits on save. */
const CHECKED_WHILE_TYPING = /^rules\.|\.fromId$/;

export function ModelParts({ groups, rules, errors: refused, onChange }: Props) {
  const [past, setPast] = useState<Parts[]>([]);
  // The option in the dialog, with its group. A null option is a new one. The rule dialog works the same way, by position.
  const [option, setOption] = useState<{ groupId: number; option: ModelOption | null } | null>(null);
  const [rule, setRule] = useState<{ at: number | null } | null>(null);
  const errors = { ...refused, ...useErrors({ groups, rules }) };

  const put = (parts: Partial<Parts>) => {
    setPast([...past.slice(-49), { groups, rules }]);
    onChange(parts);
  };
  const undo = () => {
    const before = past.at(-1);
    if (!before) return;
    setPast(past.slice(0, -1));
    onChange(before);
  };
  useKeys([{ key: 'mod+z', label: 'Undo', run: undo, disabled: past.length === 0 }]);
  const patched = (id: number, patch: Partial<ModelGroup>) => ({
    groups: groups.map((group) => (group.id === id ? { ...group, ...patch } : group)),
  });
  const newId = () =>
    Math.min(0, ...groups.flatMap(({ id, options }) => [id, ...options.map((entry) => entry.id)])) - 1;
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);

  const keepOption = (stored: ModelOption) => {
    const group = groups.find(({ id }) => id === option?.groupId);
    setOption(null);
    if (!group) return;
    const isNew = option?.option === null;
    const options = isNew
      ? [...group.options, stored]
      : group.options.map((entry) => (entry.id === stored.id ? stored : entry));
    put(patched(group.id, { options }));
  };
  const keepRule = (stored: Rule) => {
    const at = rule?.at ?? null;
    setRule(null);
    put({ rules: at === null ? [...rules, stored] : rules.with(at, stored) });
  };

  return (
    <>
      <section aria-labelledby="model-groups">
        <Group justify="space-between" mb="xs">
          <Group gap="xs">
            <Title order={2} size="h5" id="model-groups">
              Groups and options
            </Title>
            <Text className="muted tabular">{count}</Text>
          </Group>
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() =>
                put({ groups: [...groups, { id: newId(), name: '', hint: '', min: 0, max: null, options: [] }] })
              }
            >
              Add group
            </Button>
            <Button size="compact-sm" variant="subtle" color="gray" disabled={past.length === 0} onClick={undo}>
              Undo
            </Button>
          </Group>
        </Group>
        <Problem>{errors['groups']}</Problem>
        {groups.length === 0 ? (
          <Text ta="center" py="lg" className="muted">
            No groups yet. A group contains options to choose from.
          </Text>
        ) : null}
        {groups.map((group, index) => (
          <GroupCard
            key={group.id}
            group={group}
            groups={groups}
            path={`groups.${index}`}
            errors={errors}
            onChange={(patch) => onChange(patched(group.id, patch))}
            onPut={(patch) => put(patched(group.id, patch))}
            onMove={(by) => put({ groups: moved(groups, index, by) })}
            onRemove={() => put({ groups: groups.toSpliced(index, 1) })}
            onOption={(optionToEdit) => setOption({ groupId: group.id, option: optionToEdit })}
          />
        ))}
      </section>
      <Rules
        groups={groups}
        rules={rules}
        errors={errors}
        onAdd={() => setRule({ at: null })}
        onOpen={(at) => setRule({ at })}
        onPut={(next) => put({ rules: next })}
      />
      {option ? (
        <OptionDialog
          option={option.option ?? { ...BLANK, id: newId() }}
          groups={groups}
          errors={errorsAt(errors, groups, option.option)}
          onDone={keepOption}
          onClose={() => setOption(null)}
        />
      ) : null}
      {rule ? (
        <RuleDialog
          rule={rule.at === null ? NEW_RULE : (rules[rule.at] ?? NEW_RULE)}
          groups={groups}
          onDone={keepRule}
          onClose={() => setRule(null)}
        />
      ) : null}
    </>
  );
}

const NEW_RULE: RuleDraft = { kind: 'needs', optionId: null, otherIds: [] };

const BLANK: Omit<ModelOption, 'id'> = {
  itemNumber: '',
  itemDescription: '',
  label: '',
  unit: '',
  units: [],
  quantity: 'fixed',
  qty: 1,
  minQty: 1,
  maxQty: null,
  fromId: null,
  factor: 1,
  roundUp: false,
  problem: '',
};

function useErrors({ groups, rules }: Parts): Record<string, string> {
  return useMemo(() => {
    const errors = errorsOf({ groups, rules }).filter(({ path }) => CHECKED_WHILE_TYPING.test(path));
    return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
  }, [groups, rules]);
}

/** The errors of one option, by field name. */
function errorsAt(errors: Record<string, string>, groups: ModelGroup[], option: ModelOption | null) {
  const g = groups.findIndex(({ options }) => options.some(({ id }) => id === option?.id));
  const o = groups[g]?.options.findIndex(({ id }) => id === option?.id) ?? -1;
  const at = `groups.${g}.options.${o}.`;
  const own = Object.entries(errors).filter(([path]) => path.startsWith(at));
  return Object.fromEntries(own.map(([path, message]) => [path.slice(at.length), message]));
}

function moved<T>(list: readonly T[], at: number, by: 1 | -1): T[] {
  const to = at + by;
  return to < 0 || to >= list.length ? [...list] : list.toSpliced(at, 1).toSpliced(to, 0, ...list.slice(at, at + 1));
}

type RulesProps = Parts & {
  errors: Record<string, string>;
  onAdd: () => void;
  onOpen: (at: number) => void;
  onPut: (rules: Rule[]) => void;
};

function Rules({ groups, rules, errors, onAdd, onOpen, onPut }: RulesProps) {
  const labelOf = labelsOf({ groups });
  return (
    <section aria-labelledby="model-rules">
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Title order={2} size="h5" id="model-rules">
            Rules
          </Title>
          <Text className="muted tabular">{rules.length}</Text>
        </Group>
        <Button size="compact-sm" variant="default" onClick={onAdd}>
          Add rule
        </Button>
      </Group>
      <Problem>{errors['rules']}</Problem>
      {rules.length === 0 ? (
        <Text size="sm" className="muted">
          No rules yet. All options can be combined.
        </Text>
      ) : (
        <ol className={classes['options']} aria-label="Rules">
          {rules.map((rule, index) => {
            const words = ruleInWords(rule, labelOf);
            const wrong = Object.keys(errors).find((path) => path.startsWith(`rules.${index}.`));
            return (
              // A rule has no id that stays the same after a change or a move.
              <li key={`${index} ${words}`} className={classes['option']}>
                <div className={classes['what']}>
                  {words}
                  <Problem>{wrong ? errors[wrong] : null}</Problem>
                </div>
                <Group gap={4} wrap="nowrap">
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    aria-label={`Edit: ${words}`}
                    onClick={() => onOpen(index)}
                  >
                    Edit
                  </Button>
                  <Moves
                    name={`rule ${index + 1}`}
                    onMove={(by) => onPut(moved(rules, index, by))}
                    onRemove={() => onPut(rules.toSpliced(index, 1))}
                  />
                </Group>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
