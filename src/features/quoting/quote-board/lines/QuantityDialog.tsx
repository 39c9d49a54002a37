// Multiplies the quantities of the selected lines.
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { readQuantity } from '#shared/quantity.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';

type Props = { lines: QuoteItem[]; onSave: (factor: number) => Promise<void>; onClose: () => void };

export function QuantityDialog({ lines, onSave, onClose }: Props) {
  const [factor, setFactor] = useState('2');
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const { qty: times, problem } = readQuantity(factor);
  const save = async () => {
    if (times === null) return;
    setSaving(true);
    setError(null);
    try {
      await onSave(times);
      onClose();
    } catch (problem) {
      setError(problem as Error);
      setSaving(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Quantity of ${lines.length} lines`} size="xs">
      <Form
        onSubmit={() => {
          void save();
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            label="Multiply each quantity by"
            inputMode="decimal"
            autoComplete="off"
            value={factor}
            error={problem}
            onChange={(event) => setFactor(event.currentTarget.value)}
          />
          <ErrorAlert error={error} title="The quantities were not changed" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving} disabled={times === null}>
              Multiply
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
