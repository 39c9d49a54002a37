// Prompts for the reason for a manual price: one line's typed price, or a discount on many lines.
import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ReasonField, useReasons } from '#core/quoting/quote-edit/lines/ReasonField.tsx';
import type { LinePatch, QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { countOf } from '#platform/shared/count-of.ts';
import {
  add,
  extend,
  formatAmount,
  formatPrice,
  lessPercent,
  priceJump,
  roundDiscounted,
  subtract,
} from '#platform/shared/money.ts';
import { readMoney, readPercent } from '#platform/shared/typed-money.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { useBoard } from '../../state/board.web.ts';

type PriceProps = {
  item: QuoteItem;
  patch: Pick<LinePatch, 'unitPrice' | 'discountPct'>;
  currnIdx: number;
  onSave: (patch: LinePatch) => void;
  onClose: () => void;
};

/** For one line. The user has typed the price and only the reason is missing. An empty patch prompts for the price too. */
export function PriceReasonDialog({ item, patch: input, currnIdx, onSave, onClose }: PriceProps) {
  const [reason, setReason] = useState(item.priceReason);
  const { reasons, remember } = useReasons();
  const [typed, setTyped] = useState(item.unitPrice === null ? '' : String(item.unitPrice));
  const { value: unitPrice, problem } = readMoney(typed, currnIdx);
  useUnsaved(true, () => `Enter the reason for the price of line ${item.lineNo} first.`);
  const asksPrice = Object.keys(input).length === 0;
  const patch = !asksPrice ? input : unitPrice === null ? {} : { unitPrice };
  // A custom item has no system price, so its price needs no reason.
  const needsReason = item.type !== 'custom';
  const ready = (!asksPrice || unitPrice !== null) && (!needsReason || reason.trim() !== '');
  const price =
    patch.unitPrice ??
    (item.systemPrice === null
      ? null
      : rounded(lessPercent(item.systemPrice, patch.discountPct ?? 0), item.systemPrice));
  const jump = price === null || item.systemPrice === null ? '' : priceJump(price, item.systemPrice);
  return (
    <Modal opened onClose={onClose} title={`Price of line ${item.lineNo}`} size="sm">
      <Form
        onSubmit={() => {
          if (!ready) return;
          if (needsReason) remember(reason.trim());
          onSave(needsReason ? { ...patch, priceReason: reason.trim() } : patch);
        }}
      >
        <Stack>
          <Text size="sm">
            {item.itemNumber}
            {asksPrice || price === null ? '' : ` at ${formatPrice(price, currnIdx)}`}
            {item.systemPrice === null ? '' : `; the system price is ${formatPrice(item.systemPrice, currnIdx)}`}
          </Text>
          {asksPrice ? (
            <TextInput
              data-autofocus
              label={`Price per ${item.unit}`}
              required
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              error={typed.trim() === '' ? '' : problem}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onFocus={(event) => event.currentTarget.select()}
            />
          ) : null}
          {jump ? (
            <Text size="sm" className="warning">
              This is {jump} the system price. Is this the price per {item.unit}?
            </Text>
          ) : null}
          {needsReason ? (
            <ReasonField
              {...(asksPrice ? {} : { 'data-autofocus': true })}
              value={reason}
              onChange={setReason}
              reasons={reasons}
              onFocus={(event) => event.currentTarget.select()}
            />
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!ready}>
              Set price
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}

/** Rounds the price as the server does. */
function rounded(price: number, systemPrice: number): number {
  return roundDiscounted(price, systemPrice, appConfig.pricePlaces);
}

type BulkProps = {
  /** The selected lines. */
  lines: QuoteItem[];
  onSave: (patchOf: (item: QuoteItem) => LinePatch) => Promise<void>;
  onClose: () => void;
};

/** For many lines: a percentage or amount off the system price, with a preview of the new sum. */
export function DiscountDialog({ lines, onSave, onClose }: BulkProps) {
  const { currnIdx, discountPct } = useBoard().quote;
  const [kind, setKind] = useState<'percent' | 'amount'>('percent');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const { reasons, remember } = useReasons();
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const priced = lines.filter((item) => item.type === 'item' && item.systemPrice !== null);
  const read = kind === 'percent' ? readPercent(typed) : readMoney(typed, currnIdx);
  const off = read.value ?? 0;
  // Excludes the discount on the whole quote, whose share of these lines depends on all other lines.
  const before = add(...priced.map(({ unitPrice, qty }) => extend(unitPrice ?? 0, qty)));
  const after = add(
    ...priced.map(({ systemPrice, qty }) => {
      const system = systemPrice ?? 0;
      const price = kind === 'percent' ? lessPercent(system, off) : Math.max(0, subtract(system, off));
      return extend(rounded(price, system), qty);
    }),
  );
  const save = async () => {
    setSaving(true);
    setError(null);
    remember(reason.trim());
    try {
      await onSave((item) =>
        item.type !== 'item' || item.systemPrice === null
          ? {}
          : { ...(kind === 'percent' ? { discountPct: off } : { discountAmount: off }), priceReason: reason.trim() },
      );
      onClose();
    } catch (problem) {
      setError(problem as Error);
      setSaving(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Discount on ${countOf(priced.length, 'line')}`} size="sm">
      <Form
        onSubmit={() => {
          if (off > 0 && reason.trim()) void save();
        }}
      >
        <Stack>
          <Group align="flex-start" wrap="nowrap">
            <SegmentedControl
              value={kind}
              onChange={(next) => setKind(next)}
              data={[
                { value: 'percent', label: '%' },
                { value: 'amount', label: 'Amount per unit' },
              ]}
            />
            <TextInput
              data-autofocus
              label="Discount off system price"
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              error={typed.trim() === '' ? '' : read.problem}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </Group>
          <ReasonField value={reason} onChange={setReason} reasons={reasons} />
          <Text size="sm" className="tabular" role="status">
            {off > 0 ? `${formatAmount(before, currnIdx)} → ${formatAmount(after, currnIdx)}` : ''}
            {off > 0 && discountPct > 0 ? ', before the discount on the whole quote' : ''}
          </Text>
          <ErrorAlert error={error} title="The discount was not set" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving} disabled={!(off > 0) || !reason.trim()}>
              Set discount
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
