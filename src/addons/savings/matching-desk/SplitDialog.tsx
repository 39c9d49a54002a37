// Splits a row that is really two items: asks how many of their units are the second one.
import { Text } from '@mantine/core';
import { useState } from 'react';
import { compare, subtract } from '#platform/shared/money.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import type { SavingsRow } from '../savings.contract.ts';
import { rowText } from './BenchRow.tsx';

type Props = {
  row: SavingsRow & { qtyPerYear: number };
  busy: boolean;
  error: Error | null;
  onSplit: (qtyPerYear: number) => void;
  onClose: () => void;
};

export function SplitDialog({ row, busy, error, onSplit, onClose }: Props) {
  const [qty, setQty] = useState(Number.NaN);
  const { qtyPerYear: all } = row;
  const isPart = !Number.isNaN(qty) && compare(qty, 0) > 0 && compare(qty, all) < 0;
  const unit = row.unit || 'unit';
  return (
    <AskDialog
      title={`Split ${rowText(row).toLowerCase()}`}
      action="Split"
      disabled={!isPart}
      busy={busy}
      error={error}
      onSubmit={() => onSplit(qty)}
      onClose={onClose}
    >
      <Text size="sm">
        {row.description || 'This row'}: {all.toLocaleString('en-US')} {unit} a year. The new part waits in 'To review'
        for its item. Numbers of a split row are not remembered.
      </Text>
      <NumberField
        label={`${unit} a year of the new part`}
        description={
          isPart
            ? `${subtract(all, qty).toLocaleString('en-US')} ${unit} stay with the row.`
            : `More than 0 and less than ${all.toLocaleString('en-US')}.`
        }
        required
        data-autofocus
        min={0}
        value={qty}
        onChange={setQty}
        onClear={() => setQty(Number.NaN)}
      />
    </AskDialog>
  );
}
