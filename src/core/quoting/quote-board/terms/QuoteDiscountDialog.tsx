// Prompts for the reason for a discount on the whole quote, which its approvers read.
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { formatAmount, percentOf, subtract } from '#platform/shared/money.ts';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { ReasonField, useReasons } from '#core/quoting/quote-edit/lines/ReasonField.tsx';

type Props = {
  discountPct: number;
  /** The sum of the lines before the discount. */
  gross: number;
  currnIdx: number;
  onSave: (reason: string) => void;
  onClose: () => void;
};

export function QuoteDiscountDialog({ discountPct, gross, currnIdx, onSave, onClose }: Props) {
  const [reason, setReason] = useState('');
  const { reasons, remember } = useReasons();
  useUnsaved(true, () => 'Enter the reason for the discount on the whole quote first.');
  return (
    <Modal opened onClose={onClose} title="Discount on the whole quote" size="sm">
      <Form
        onSubmit={() => {
          if (!reason.trim()) return;
          remember(reason.trim());
          onSave(reason.trim());
        }}
      >
        <Stack>
          <Text size="sm" className="tabular">
            {discountPct}% off: {formatAmount(gross, currnIdx)} →{' '}
            {formatAmount(subtract(gross, percentOf(gross, discountPct)), currnIdx)}
          </Text>
          <ReasonField data-autofocus value={reason} onChange={setReason} reasons={reasons} />
          <DialogButtons onCancel={onClose}>
            <Button type="submit" disabled={!reason.trim()}>
              Set discount
            </Button>
          </DialogButtons>
        </Stack>
      </Form>
    </Modal>
  );
}
