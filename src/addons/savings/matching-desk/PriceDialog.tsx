// Types a price to match for a row, with its reason, or goes back to the system's price.
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatPrice } from '#platform/shared/money.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import type { SavingsRow } from '../savings.contract.ts';
import { rowText, unitText } from './BenchRow.tsx';

type Props = {
  row: SavingsRow;
  currnIdx: number;
  busy: boolean;
  error: Error | null;
  onPrice: (price: number | null, reason: string) => void;
  onClose: () => void;
};

export function PriceDialog({ row, currnIdx, busy, error, onPrice, onClose }: Props) {
  const [price, setPrice] = useState(row.typedPrice ?? row.ourPrice ?? Number.NaN);
  const [reason, setReason] = useState(row.priceReason);
  const unit = unitText(row.match.unit, row.match.eachesPerUnit);
  return (
    <AskDialog
      title={`Price to match for ${rowText(row).toLowerCase()}`}
      action="Use this price"
      disabled={Number.isNaN(price) || reason.trim() === ''}
      busy={busy}
      error={error}
      onSubmit={() => onPrice(price, reason.trim())}
      onClose={onClose}
    >
      <Text size="sm">
        {row.match.itemNumber} {row.match.description}.{' '}
        {row.price === null
          ? ''
          : `They pay ${formatPrice(row.price, currnIdx)} per ${unitText(row.unit, row.eachesPerUnit)}.`}{' '}
        {row.ourPrice === null ? '' : `Our price is ${formatPrice(row.ourPrice, currnIdx)} per ${unit}.`}
      </Text>
      <NumberField label={`Price per ${unit}`} required data-autofocus min={0} value={price} onChange={setPrice} />
      <TextInput
        label="Reason"
        description="It goes with the line into the quote, where approval rules judge the price."
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {row.typedPrice === null ? null : (
        <Group>
          <Button variant="default" disabled={busy} onClick={() => onPrice(null, '')}>
            Use the system's price
          </Button>
        </Group>
      )}
    </AskDialog>
  );
}
