// Asks why there is no bid on a row, and whether the same goes for all rows with its number.
import { Checkbox, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import type { SavingsRow } from '../savings.contract.ts';
import { rowText } from './BenchRow.tsx';
import classes from '../savings.module.css';

/** The usual reasons; any other is typed. */
const REASONS = ['We do not sell this', 'No equivalent item', 'Discontinued', 'Not for this customer'];

type Props = {
  row: SavingsRow;
  busy: boolean;
  error: Error | null;
  onNoBid: (reason: string, sameNumber: boolean) => void;
  onClose: () => void;
};

export function NoBidDialog({ row, busy, error, onNoBid, onClose }: Props) {
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
        {REASONS.map((one) => (
          <UnstyledButton key={one} className={classes['reason'] ?? ''} onClick={() => setReason(one)}>
            {one}
          </UnstyledButton>
        ))}
      </Group>
      <Checkbox
        label="Same for all rows with this number"
        checked={sameNumber}
        onChange={(event) => setSameNumber(event.currentTarget.checked)}
      />
    </AskDialog>
  );
}
