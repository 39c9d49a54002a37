// Previews a promotion: the message to the sales representative, a sample price, and overlapping promotions.
import { Alert, Group, List, Select, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { kindOf, promotionOffer } from '#core/prices/promotions/promotion.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount, formatPrice } from '#platform/shared/money.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { ItemPromotion, type PromotionEdit, WholePromotion } from './promotion-admin.contract.ts';

type Props = { promotion: PromotionEdit; units: string[] };

export function PromotionPreview({ promotion, units }: Props) {
  const [typed, setTyped] = useState<number | null>(null);
  const [chosen, setChosen] = useState('');
  const least = kindOf(promotion) === 'BuyXGetYFree' ? promotion.buyXGetYFreeBuyQty : 1;
  const qty = typed ?? Math.max(1, promotion.minQty || 0, least || 0);
  const unit = units.includes(chosen) ? chosen : '';
  const [request] = useDebouncedValue(JSON.stringify({ promotion, qty, unit }), 300);
  const input = JSON.parse(request) as { promotion: PromotionEdit; qty: number; unit: string };
  const whole = WholePromotion.safeParse(promotion).success;
  const preview = useQuery({
    ...api(ItemPromotion).PreviewItemPromotion.query(input),
    enabled: WholePromotion.safeParse(input.promotion).success && input.qty > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section aria-label="Preview">
      <Title order={2} size="h6" mb="xs">
        Preview
      </Title>
      {!whole ? (
        <Text size="sm" className="muted">
          Complete the fields above to see what reps will see and what a line will cost.
        </Text>
      ) : (
        <Stack gap="xs">
          {preview.error ? <ErrorAlert error={preview.error} title="No preview" /> : null}
          {preview.data ? (
            <Alert color="blue" variant="light" p="xs" icon={<IconInfoCircle size={18} />}>
              {preview.data.message}
            </Alert>
          ) : null}
          <Group align="end" gap="sm">
            <NumberField label="Sample quantity" w={130} min={0} value={qty} onChange={setTyped} />
            <Select
              label="Sample unit"
              w={110}
              allowDeselect={false}
              data={units}
              value={unit || preview.data?.sample.unit || null}
              onChange={(next) => setChosen(next ?? '')}
            />
          </Group>
          {preview.data && !preview.error ? (
            <Sample preview={preview.data} qty={input.qty} currnIdx={promotion.currnIdx} />
          ) : null}
        </Stack>
      )}
    </section>
  );
}

type Preview = OutputOf<typeof ItemPromotion.PreviewItemPromotion>;

function Sample({ preview, qty, currnIdx }: { preview: Preview; qty: number; currnIdx: number }) {
  const { sample, overlaps } = preview;
  const step = sample.proof.find((candidate) => candidate.step === 'Promotion');
  return (
    <>
      <Text size="sm" className="tabular" role="status">
        {sample.price === null || sample.total === null ? (
          sample.problem
        ) : (
          <>
            {qty} {sample.unit} on {formatDate(sample.date)}:{' '}
            {sample.before !== null && sample.before !== sample.price
              ? `${formatPrice(sample.price, currnIdx)} instead of ${formatPrice(sample.before, currnIdx)}`
              : formatPrice(sample.price, currnIdx)}{' '}
            each, {formatAmount(sample.total, currnIdx)} in all
            {sample.freeQty > 0 ? `, and ${sample.freeQty} ${sample.unit} free` : ''}.
          </>
        )}
        {step?.note.startsWith('Not applied') ? ` ${step.note}.` : ''}
      </Text>
      {overlaps.length > 0 ? (
        <Alert color="orange" variant="light" p="xs" icon={<IconAlertTriangle size={18} />} title="Overlaps">
          <Text size="sm">Other promotions for the same item, days and unit:</Text>
          <List size="sm">
            {overlaps.map((other) => (
              <List.Item key={other.id}>
                {other.name || `Promotion ${other.id}`}: {promotionOffer(other, other.currnIdx)}, quantity{' '}
                {other.minQty} to {other.maxQty > 0 ? other.maxQty : 'unlimited'}, {formatDate(other.validFrom)} –{' '}
                {formatDate(other.validTo) || 'no end'}
              </List.Item>
            ))}
          </List>
          <Text size="sm">A line gets only one of them: the one an IS Rep applies.</Text>
        </Alert>
      ) : null}
    </>
  );
}
