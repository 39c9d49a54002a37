// Copies a quote with its current prices or with today's.
import { Anchor, Button, Group, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { newKey } from '#platform/shared/new-key.ts';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { OpenQuotesOf } from './OpenQuotesOf.tsx';

export function ClonePanel({ sourceId, onCreated }: { sourceId: number; onCreated: (quoteId: number) => void }) {
  const user = useSession();
  const [prices, setPrices] = useState<'keep' | 'reprice'>('reprice');
  // Pressing again after a lost answer returns the same copy, unless the user has changed the choices.
  const [clientKey] = useState(newKey);
  const source = useQuery(api(QuoteEdit).PopulateQuoteEditDataForSalesRep.query({ id: sourceId }));
  const clone = useMutation({
    ...api(QuoteEdit).CloneQuote.mutation(),
    meta: { blocking: true },
    onSuccess: (data) => onCreated(data.quote.id),
  });
  useKeys([{ key: 'Escape', label: 'Cancel', run: () => window.history.back() }]);
  if (source.error)
    return <ErrorAlert error={source.error} title="This quote could not be loaded" onRetry={source.refetch} />;
  if (!source.data || !user) return <Skeleton height={220} radius="sm" aria-label="Loading" />;
  const { quote, items } = source.data;
  const lines = items.filter((item) => item.type !== 'free').length;
  return (
    <Form
      label="Clone Quote"
      onSubmit={() => clone.mutate({ id: sourceId, prices, clientKey: `${clientKey}-${prices}` })}
    >
      <Stack className="card" p="md" gap="md">
        <div>
          <Group gap="sm">
            <Anchor component={Link} to={boardPath(user, quote.id)} fw={600} className="tabular">
              {quoteNumber(quote.num, quote.revision)}
            </Anchor>
            <StatusChip statusId={quote.statusId} expired={quote.expired} />
            <Text fw={600}>{quote.facilityName || 'No facility yet'}</Text>
          </Group>
          <Text size="sm" className="muted tabular" mt={4}>
            {formatDate(quote.quoteDate)} · {countOf(lines, 'line')} · {formatAmount(quote.totalAmount, quote.currnIdx)}
          </Text>
        </div>
        {quote.facilityId === null ? null : <OpenQuotesOf facilityId={quote.facilityId} except={quote.id} />}
        <Radio.Group
          label="Prices"
          value={prices}
          onChange={(value) => setPrices(value === 'keep' ? 'keep' : 'reprice')}
        >
          <Stack gap="xs" mt={6}>
            <Radio
              value="reprice"
              label="Reprice today"
              description="Every line is repriced from today’s contracts and lists."
            />
            <Radio value="keep" label="Keep prices" description="Every line keeps the price it has on this quote." />
          </Stack>
        </Radio.Group>
        <Text size="sm" className="muted">
          The copy is a new quote with today’s date, in Editing. Approvals, files and history are not copied.
        </Text>
        <ErrorAlert error={clone.error} title="The quote was not cloned" onClose={clone.reset} />
        <DialogButtons onCancel={() => window.history.back()}>
          <Button type="submit" loading={clone.isPending}>
            Clone Quote
          </Button>
        </DialogButtons>
      </Stack>
    </Form>
  );
}
