// The dialogs for a row of the bench: why there is no bid, a price to match, how to split the row.
import { Button, Checkbox, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { compare, formatPrice, subtract } from '#platform/shared/money.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import type { SavingsRow } from '../savings.contract.ts';
import type { useActs } from './acts.web.ts';
import { rowText, unitText } from './BenchRow.tsx';
import classes from '../savings.module.css';

/** The action of the user on the current row. */
export type Doing = 'choose' | 'no-bid' | 'price' | 'split';

type Props = {
  doing: Doing;
  row: SavingsRow;
  currnIdx: number;
  acts: ReturnType<typeof useActs>;
  onClose: () => void;
};

export function RowDialog({ doing, row, currnIdx, acts, onClose }: Props) {
  const shared = { busy: acts.isPending, error: acts.error, onClose };
  switch (doing) {
    case 'no-bid':
      return (
        <NoBidDialog
          {...shared}
          row={row}
          onNoBid={(reason, sameNumber) => acts.run({ row, decided: { decision: 'no-bid', reason, sameNumber } })}
        />
      );
    case 'split':
      if (row.qtyPerYear === null) return null;
      return (
        <SplitDialog
          {...shared}
          row={{ ...row, qtyPerYear: row.qtyPerYear }}
          onSplit={(split) => acts.run({ row, split })}
        />
      );
    case 'price':
      return (
        <PriceDialog
          {...shared}
          row={row}
          currnIdx={currnIdx}
          onPrice={(typedPrice, priceReason) => acts.run({ row, set: { typedPrice, priceReason } })}
        />
      );
    // Shown beside the rows instead of in a dialog.
    case 'choose':
      return null;
  }
}

/** The usual reasons. The user can type any other. */
const REASONS = ['We do not sell this', 'No equivalent item', 'Discontinued', 'Not for this customer'];

type NoBidProps = {
  row: SavingsRow;
  busy: boolean;
  error: Error | null;
  onNoBid: (reason: string, sameNumber: boolean) => void;
  onClose: () => void;
};

/** Prompts for the reason why there is no bid on a row, and whether it applies to all rows with the same number. */
function NoBidDialog({ row, busy, error, onNoBid, onClose }: NoBidProps) {
  const [reason, setReason] = useState(row.noBidReason || (REASONS[0] ?? ''));
  const [sameNumber, setSameNumber] = useState(false);
  return (
    <AskDialog
      title={`No bid on ${rowText(row).toLowerCase()}`}
      action="No bid"
      disabled={reason.trim() === ''}
      busy={busy}
      error={error}
      onSubmit={() => onNoBid(reason.trim(), sameNumber)}
      onClose={onClose}
    >
      <Text size="sm">{[row.maker, row.makerNo, row.description].filter(Boolean).join(' · ')}</Text>
      <TextInput
        label="Reason"
        required
        data-autofocus
        maxLength={500}
        value={reason}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group gap={6}>
        {REASONS.map((entry) => (
          <UnstyledButton key={entry} className={classes['reason'] ?? ''} onClick={() => setReason(entry)}>
            {entry}
          </UnstyledButton>
        ))}
      </Group>
      <Checkbox
        label="Apply to all rows with this number"
        checked={sameNumber}
        onChange={(event) => setSameNumber(event.currentTarget.checked)}
      />
    </AskDialog>
  );
}

type PriceProps = {
  row: SavingsRow;
  currnIdx: number;
  busy: boolean;
  error: Error | null;
  onPrice: (price: number | null, reason: string) => void;
  onClose: () => void;
};

/** Lets the user type a price to match for a row, with its reason, or restore the system's price. */
function PriceDialog({ row, currnIdx, busy, error, onPrice, onClose }: PriceProps) {
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
        description="The quote line keeps this reason. Approval rules check the price."
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {row.typedPrice === null ? null : (
        <Group>
          <Button variant="default" disabled={busy} onClick={() => onPrice(null, '')}>
            Use system price
          </Button>
        </Group>
      )}
    </AskDialog>
  );
}

type SplitProps = {
  row: SavingsRow & { qtyPerYear: number };
  busy: boolean;
  error: Error | null;
  onSplit: (qtyPerYear: number) => void;
  onClose: () => void;
};

/** Splits a row that contains two items. Prompts for the number of units that belong to the second one. */
function SplitDialog({ row, busy, error, onSplit, onClose }: SplitProps) {
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
        {row.description || 'This row'}: {all.toLocaleString('en-US')} {unit} per year. The new part is added to 'To
        review', where you choose its item. Numbers of a split row are not remembered.
      </Text>
      <NumberField
        label={`${unit} per year in the new part`}
        description={
          isPart
            ? `${subtract(all, qty).toLocaleString('en-US')} ${unit} stay in this row.`
            : `Enter more than 0 and less than ${all.toLocaleString('en-US')}.`
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
