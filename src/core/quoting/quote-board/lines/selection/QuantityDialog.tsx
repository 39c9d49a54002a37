// Multiplies the quantities of the selected lines, except those that are locked to their configuration.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { readQuantity } from '#platform/shared/quantity.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { isLinked } from '../line-words.ts';

type Props = {
  /** The selected lines that have a quantity. */
  lines: QuoteItem[];
  /** Multiplies the lines that are not locked. */
  onSave: (factor: number) => Promise<void>;
  onClose: () => void;
};

export function QuantityDialog({ lines, onSave, onClose }: Props) {
  const [factor, setFactor] = useState('2');
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const { qty: times, problem } = readQuantity(factor);
  const free = lines.filter((line) => !isLinked(line));
  const locked = lines.length - free.length;
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
    <Modal
      opened
      onClose={onClose}
      title={`Multiply ${free.length === 1 ? 'quantity' : 'quantities'} of ${countOf(free.length, 'line')}`}
      size="xs"
    >
      <Form
        onSubmit={() => {
          void save();
        }}
      >
        <Stack>
          {locked > 0 ? (
            <Text size="sm">
              {locked === 1
                ? '1 line is locked to its configuration and will not change. To change its quantity, unlink it first.'
                : `${locked} lines are locked to their configuration and will not change. To change their quantities, unlink them first.`}
            </Text>
          ) : null}
          {free.length > 0 ? (
            <TextInput
              data-autofocus
              label="Multiply each quantity by"
              inputMode="decimal"
              autoComplete="off"
              value={factor}
              error={problem}
              onChange={(event) => setFactor(event.currentTarget.value)}
            />
          ) : null}
          <ErrorAlert error={error} title="The quantities were not changed" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {free.length > 0 ? 'Cancel' : 'Close'}
            </Button>
            {free.length > 0 ? (
              <Button type="submit" loading={saving} disabled={times === null}>
                Multiply
              </Button>
            ) : null}
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
