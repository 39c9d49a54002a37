// The dialog for one option of a group: its item, its name, and its quantity.
import { Button, Checkbox, Group, Modal, NativeSelect, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import type { ModelGroup, ModelOption } from '../configurable-models.contract.ts';
import { ItemNumberField } from './ItemNumberField.tsx';

const KINDS = [
  { value: 'fixed', label: 'Fixed' },
  { value: 'asked', label: 'Entered when chosen' },
  { value: 'from', label: 'From another choice' },
];

type Props = {
  option: ModelOption;
  groups: ModelGroup[];
  /** Messages by field name. */
  errors: Record<string, string>;
  onDone: (option: ModelOption) => void;
  onClose: () => void;
};

export function OptionDialog({ option, groups, errors, onDone, onClose }: Props) {
  const [draft, setDraft] = useState(option);
  const [tried, setTried] = useState(false);
  /** An error from the server or from other fields, until the user changes the field. */
  const errorOf = (field: keyof ModelOption) => (draft[field] === option[field] ? errors[field] : undefined);
  const set = (patch: Partial<ModelOption>) => setDraft({ ...draft, ...patch });
  const needsLabel = tried && draft.label.trim() === '' ? 'This field is required' : undefined;
  const figures = draft.quantity === 'from' ? [draft.factor] : [draft.qty, draft.minQty, draft.maxQty ?? 1];
  const done = () => {
    setTried(true);
    const hasSource = draft.quantity !== 'from' || draft.fromId !== null;
    if (draft.label.trim() === '' || figures.some(Number.isNaN) || !hasSource) return;
    onDone({
      ...draft,
      label: draft.label.trim(),
      problem: draft.itemNumber === option.itemNumber ? draft.problem : '',
    });
  };
  const unit = draft.units.includes(draft.unit) || draft.unit === '' ? draft.units : [draft.unit, ...draft.units];
  return (
    <Modal opened onClose={onClose} title={option.label ? `Option ${option.label}` : 'New option'}>
      <Form label="Option" onSubmit={done}>
        <Stack gap="sm">
          <ItemNumberField
            label="Item"
            description="Leave empty for a choice without an item, such as a color."
            value={draft}
            error={errorOf('itemNumber')}
            onChange={(choice) =>
              set({
                ...choice,
                unit: choice.units.includes(draft.unit) ? draft.unit : (choice.units[0] ?? ''),
                label: draft.label || choice.itemDescription.slice(0, 100),
              })
            }
          />
          <TextInput
            label="Name"
            required
            maxLength={100}
            value={draft.label}
            error={needsLabel ?? errorOf('label')}
            onChange={(event) => set({ label: event.currentTarget.value })}
          />
          <Group align="start" grow>
            <Select
              label="Quantity type"
              allowDeselect={false}
              data={KINDS}
              value={draft.quantity}
              onChange={(quantity) => quantity && set({ quantity: quantity as ModelOption['quantity'] })}
            />
            {draft.units.length > 0 || draft.unit ? (
              <NativeSelect
                label="Unit"
                data={unit}
                value={draft.unit}
                error={errorOf('unit')}
                onChange={(event) => set({ unit: event.currentTarget.value })}
              />
            ) : null}
          </Group>
          {draft.quantity === 'from' ? (
            <Source draft={draft} groups={groups} tried={tried} error={errorOf('fromId')} onChange={set} />
          ) : (
            <NumberField
              label={draft.quantity === 'asked' ? 'Default quantity' : 'Quantity'}
              min={0.0001}
              max={9_999_999}
              value={draft.qty}
              error={errorOf('qty')}
              onChange={(qty) => set({ qty })}
            />
          )}
          {draft.quantity === 'asked' ? (
            <Group align="start" grow>
              <NumberField
                label="At least"
                min={0.0001}
                max={9_999_999}
                value={draft.minQty}
                error={errorOf('minQty')}
                onChange={(minQty) => set({ minQty })}
              />
              <NumberField
                label="At most"
                placeholder="No limit"
                min={0.0001}
                max={9_999_999}
                value={draft.maxQty ?? Number.NaN}
                error={errorOf('maxQty')}
                onClear={() => set({ maxQty: null })}
                onChange={(maxQty) => set({ maxQty })}
              />
            </Group>
          ) : null}
          <DialogButtons onCancel={onClose}>
            <Button type="submit">Done</Button>
          </DialogButtons>
        </Stack>
      </Form>
    </Modal>
  );
}

type SourceProps = {
  draft: ModelOption;
  groups: ModelGroup[];
  tried: boolean;
  error: string | undefined;
  onChange: (patch: Partial<ModelOption>) => void;
};

/** Picks the source of the quantity: one option, or a group whose chosen options are added up. */
function Source({ draft, groups, tried, error, onChange }: SourceProps) {
  const data = groups.map((group) => ({
    group: group.name || 'Unnamed group',
    items: [
      { value: String(group.id), label: `All options chosen in ${group.name || 'the group'}` },
      ...group.options
        .filter(({ id }) => id !== draft.id)
        .map(({ id, label }) => ({ value: String(id), label: label || 'Unnamed option' })),
    ],
  }));
  return (
    <>
      <Select
        label="Same quantity as"
        required
        searchable
        data={data}
        value={draft.fromId === null ? null : String(draft.fromId)}
        error={tried && draft.fromId === null ? 'This field is required' : error}
        onChange={(id) => onChange({ fromId: id === null ? null : Number(id) })}
      />
      <Group align="end" grow>
        <NumberField
          label="Multiplied by"
          min={0.0001}
          max={9_999_999}
          value={draft.factor}
          onChange={(factor) => onChange({ factor })}
        />
        <Checkbox
          mb={8}
          label="Round up to whole numbers"
          checked={draft.roundUp}
          onChange={(event) => onChange({ roundUp: event.currentTarget.checked })}
        />
      </Group>
    </>
  );
}
