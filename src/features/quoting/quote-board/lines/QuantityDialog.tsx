// Multiplies the quantities of the selected lines.
import { Button, Group, Modal, NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import type { QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';

type Props = { lines: QuoteItem[]; onSave: (factor: number) => Promise<void>; onClose: () => void };

export function QuantityDialog({ lines, onSave, onClose }: Props) {
  const [factor, setFactor] = useState<number | ''>(2);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const save = async () => {
    setSaving(true);
    setError(null);
    try {
      await onSave(Number(factor));
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
          if (Number(factor) > 0) void save();
        }}
      >
        <Stack>
          <NumberInput
            data-autofocus
            label="Multiply each quantity by"
            min={0.0001}
            decimalScale={4}
            value={factor}
            onChange={(value) => setFactor(value === '' ? '' : Number(value))}
          />
          <ErrorAlert error={error} title="The quantities were not changed" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving} disabled={!(Number(factor) > 0)}>
              Multiply
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
