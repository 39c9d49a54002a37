// The quotes that were made from an analysis: status and amount, and how much of each promised saving was realized.
import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { STATUSES } from '#core/quoting/quotes/status.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { add, formatAmount } from '#platform/shared/money.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { type Analysis, type QuoteMade, Savings } from '../savings.contract.ts';
import { QUANTITY_LABELS } from '../savings-labels.ts';
import classes from '../savings.module.css';

export function QuotesPanel({ analysis }: { analysis: Analysis }) {
  const query = useQuery(api(Savings).GetQuotesMade.query({ id: analysis.id }));
  const { currnIdx } = analysis.totals;
  return (
    <section className="card" aria-label="Quotes from this analysis">
      <Stack p="md" gap="xs">
        <Title order={2}>Quotes from this analysis</Title>
        {query.error ? (
          <ErrorAlert error={query.error} title="The quotes could not be loaded" onRetry={query.refetch} />
        ) : !query.data ? (
          <Skeleton height={24} radius="sm" aria-label="Loading" />
        ) : query.data.length === 0 ? (
          <Text size="sm" className="muted">
            No quotes yet.
          </Text>
        ) : (
          <>
            <Won quotes={query.data} currnIdx={currnIdx} />
            <ul className={classes['quotes']}>
              {query.data.map((quote) => (
                <OneQuote key={quote.number} quote={quote} currnIdx={currnIdx} />
              ))}
            </ul>
          </>
        )}
      </Stack>
    </section>
  );
}

/** The won part of the quoted amount, and of the promised saving. */
function Won({ quotes, currnIdx }: { quotes: readonly QuoteMade[]; currnIdx: number }) {
  const won = quotes.filter(({ statusId }) => statusId === 'Won');
  const sum = (field: readonly QuoteMade[], part: (quote: QuoteMade) => number | null) =>
    formatAmount(add(...field.map((quote) => part(quote) ?? 0)), currnIdx);
  const isKept = quotes.some(({ promised }) => promised !== null);
  return (
    <Text size="sm">
      {won.length === 0 ? 'No quotes won yet' : `${countOf(won.length, 'quote is', 'quotes are')} won`}
      {won.length === 0
        ? ''
        : `: ${sum(won, ({ totalAmount }) => totalAmount)} of ${sum(quotes, ({ totalAmount }) => totalAmount)} quoted`}
      . {isKept ? `Promised savings per year: ${sum(quotes, ({ promised }) => promised)}` : ''}
      {isKept && won.length > 0 ? `; in won quotes: ${sum(won, ({ saving }) => saving)}` : ''}
      {isKept ? '.' : ''}
    </Text>
  );
}

function OneQuote({ quote, currnIdx }: { quote: QuoteMade; currnIdx: number }) {
  const user = useSession();
  const { id, number, statusId, totalAmount, quantities, rows, promised, saving } = quote;
  return (
    <li>
      {id !== null && user ? (
        <Anchor component={Link} to={boardPath(user, id)} fw={600} size="sm" className="tabular">
          {number}
        </Anchor>
      ) : (
        <Text span size="sm" className="tabular" title="You do not have access to this quote">
          {number}
        </Text>
      )}
      {STATUSES.filter((status) => status === statusId).map((status) => (
        <StatusChip key={status} statusId={status} />
      ))}
      <Text span size="sm" className="tabular">
        {formatAmount(totalAmount, currnIdx)}
        {promised === null || saving === null ? null : (
          <span className="muted">
            {' '}
            {quantities ? `${QUANTITY_LABELS[quantities]} · ` : ''}
            {countOf(rows ?? 0, 'row')} · promised savings {formatAmount(promised, currnIdx)} per year, at quote prices{' '}
            {formatAmount(saving, currnIdx)}
          </span>
        )}
      </Text>
    </li>
  );
}
