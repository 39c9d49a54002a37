// Prompts for the quantities of a quote of the compared rows, makes the quote, and opens it.
import { Radio, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { ApprovalRule } from '#core/quoting/quote-board/side-panels/ApprovalRule.tsx';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { newKey } from '#platform/shared/new-key.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { type Analysis, Savings } from '../savings.contract.ts';
import { QUANTITY_LABELS } from '../savings-labels.ts';
import { QUOTE_QUANTITIES, type QuoteQuantities } from '../savings-words.ts';

const MEANS: Record<QuoteQuantities, string> = {
  year: 'Annual usage',
  month: 'One twelfth of annual usage, in whole units',
  order: 'One unit of each item',
};

type Props = { analysis: Analysis; onClose: () => void };

export function MakeQuotesDialog({ analysis, onClose }: Props) {
  const user = useSession();
  const navigate = useNavigate();
  const [quantities, setQuantities] = useState<QuoteQuantities>('year');
  // Pressing again after a lost answer returns the same quote.
  const [clientKey] = useState(newKey);
  const make = useMutation({
    mutationFn: () => api(Savings).MakeQuotes({ id: analysis.id, quantities, clientKey: `${clientKey}-${quantities}` }),
    meta: { blocking: true },
    onSuccess: async ({ quotes: [first] }) => {
      if (user && first) await navigate({ to: boardPath(user, first.id) });
    },
  });
  const once = useOnce(make.mutateAsync);
  const { totals, counts } = analysis;
  const open = counts.toLookAt + counts.noMatch;
  return (
    <AskDialog
      title="Create quote"
      action="Create quote"
      busy={make.isPending}
      error={make.error}
      onSubmit={once}
      onClose={onClose}
    >
      <Text size="sm">
        {countOf(totals.rows, 'row')} for {analysis.facility.name}, {formatAmount(totals.ours, totals.currnIdx)} per
        year, in sections by class. The lines keep the customer's item numbers.
      </Text>
      {open > 0 ? (
        <Text size="sm" className="warning">
          {countOf(open, 'undecided row is', 'undecided rows are')} not included.
        </Text>
      ) : null}
      <Radio.Group
        label="Quantities"
        value={quantities}
        onChange={(value) => setQuantities(QUOTE_QUANTITIES.find((quoteQuantity) => quoteQuantity === value) ?? 'year')}
      >
        <Stack gap="xs" mt={4}>
          {QUOTE_QUANTITIES.map((quoteQuantity, index) => (
            <Radio
              key={quoteQuantity}
              value={quoteQuantity}
              label={QUANTITY_LABELS[quoteQuantity]}
              description={MEANS[quoteQuantity]}
              data-autofocus={index === 0 ? true : undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Preview analysis={analysis} quantities={quantities} />
    </AskDialog>
  );
}

/** The totals of the quotes at today's prices, and who would have to approve them. */
function Preview({ analysis, quantities }: { analysis: Analysis; quantities: QuoteQuantities }) {
  const query = useQuery({
    ...api(Savings).PreviewQuotes.query({ id: analysis.id, quantities }),
    placeholderData: keepPreviousData,
  });
  if (query.error)
    return <ErrorAlert error={query.error} title="The approvals could not be calculated" onRetry={query.refetch} />;
  if (!query.data) return <Skeleton height={60} radius="sm" aria-label="Loading approvals" />;
  const { quotes } = query.data;
  const { currnIdx } = analysis.totals;
  return (
    <section aria-label="Approvals" aria-busy={query.isPlaceholderData}>
      {quotes.map((quote, at) => (
        <div key={at}>
          <Title order={3}>
            {quotes.length === 1 ? 'Approvals' : `Quote ${at + 1} of ${quotes.length}, ${countOf(quote.lines, 'line')}`}
          </Title>
          <Text size="sm">
            {formatAmount(quote.totalAmount, currnIdx)} at today's prices, valid until {formatDate(quote.validUntil)}.
          </Text>
          <Stack gap={6}>
            {quote.rules.length === 0 ? (
              <Text size="sm" className="muted">
                No approval needed.
              </Text>
            ) : (
              quote.rules.map((rule) => (
                <div key={rule.ruleId}>
                  <ApprovalRule rule={rule} />
                  <Text size="xs">Decided by {rule.decides}</Text>
                </div>
              ))
            )}
          </Stack>
        </div>
      ))}
    </section>
  );
}
