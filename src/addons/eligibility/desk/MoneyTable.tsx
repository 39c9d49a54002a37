// The table of what each decision means in money: one row per quote, one column per tier, and the total if the request is refused.
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { STATUS_LABELS } from '#core/quoting/quotes/status.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import type { QuoteMeaning, RequestDetail } from '../eligibility.contract.ts';

export function MoneyTable({ detail }: { detail: RequestDetail }) {
  const { quotes, moreQuotes, request } = detail;
  if (quotes.length === 0)
    return (
      <Text size="sm" className="muted">
        This request does not affect any quotes that you can see.
      </Text>
    );
  const seen = new Set(quotes.flatMap((quote) => quote.tiers.map(({ tierId }) => tierId)));
  // The requested tier comes first, so that a phone shows it without scrolling.
  const tiers = detail.tiers
    .filter(({ id }) => seen.has(id))
    .toSorted((a, b) => Number(b.id === request.tier.id) - Number(a.id === request.tier.id));
  const [first, ...others] = tiers;
  return (
    <>
      <Table.ScrollContainer minWidth={560} type="native">
        <Table aria-label="Price impact" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Quote</Table.Th>
              <Table.Th ta="right">Current</Table.Th>
              {first ? (
                <Table.Th ta="right">
                  {first.name}
                  {first.id === request.tier.id ? ' (requested)' : ''}
                </Table.Th>
              ) : null}
              <Table.Th ta="right">If rejected</Table.Th>
              {others.map((tier) => (
                <Table.Th key={tier.id} ta="right">
                  {tier.name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {quotes.map((quote) => (
              <QuoteRow key={quote.id} quote={quote} tierIds={tiers.map(({ id }) => id)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" className="muted" mt={6}>
        {moreQuotes > 0 ? `${countOf(moreQuotes, 'more quote is', 'more quotes are')} not shown. ` : ''}
        Totals assume that the facility has the tier on the quote date. Typed prices and quotes already sent do not
        change.{' '}
        {quotes.some(({ quoteDate }) => quoteDate < request.wantedFrom)
          ? `Quotes dated before ${formatDate(request.wantedFrom)} get lower prices right away, but higher prices only if their date changes.`
          : ''}
      </Text>
    </>
  );
}

function QuoteRow({ quote, tierIds }: { quote: QuoteMeaning; tierIds: number[] }) {
  const user = useSession();
  const amount = (value: number) => formatAmount(value, quote.currnIdx);
  const [first, ...others] = tierIds.map((id) => quote.tiers.find(({ tierId }) => tierId === id));
  return (
    <Table.Tr>
      <Table.Td miw={120}>
        <Anchor component={Link} to={user ? boardPath(user, quote.id) : ''} size="sm" fw={600} className="tabular">
          {quote.number}
        </Anchor>
        <Text size="xs" className="muted">
          {STATUS_LABELS[quote.statusId]} · {quote.joined ? 'waiting for this request' : 'contains these items'}
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="tabular">
        {amount(quote.total)}
      </Table.Td>
      {tierIds.length > 0 ? <InTier tier={first} amount={amount} /> : null}
      <Table.Td ta="right" className="tabular">
        {quote.refused === null ? '–' : amount(quote.refused)}
        {quote.refused === null ? (
          <Text size="xs" className="muted">
            A line has no price
          </Text>
        ) : null}
      </Table.Td>
      {others.map((tier, index) => (
        <InTier key={tierIds[index + 1]} tier={tier} amount={amount} />
      ))}
    </Table.Tr>
  );
}

function lessInWords(less: number | null, amount: (value: number) => string): string {
  if (less === null) return '';
  return less > 0 ? `${amount(less)} less` : less < 0 ? `${amount(-less)} more` : 'no change';
}

function InTier({
  tier,
  amount,
}: {
  tier: QuoteMeaning['tiers'][number] | undefined;
  amount: (value: number) => string;
}) {
  return (
    <Table.Td ta="right" className="tabular">
      {tier ? amount(tier.total) : '–'}
      {tier ? (
        <Text size="xs" className="muted tabular">
          {lessInWords(tier.less, amount)}
        </Text>
      ) : null}
    </Table.Td>
  );
}
