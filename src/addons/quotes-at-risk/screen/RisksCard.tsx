// The home screen's card about the user's own quotes at risk: how many, how much money, and a link to the list.
import { Anchor, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { signedAmount } from '#platform/shared/signed-figures.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { QuoteRisks, type RiskTotal } from '../risks.contract.ts';

/** Renders nothing for accounts without contracts, and while none of the user's quotes is at risk. */
export function RisksCard() {
  const user = useSession();
  const { data, error } = useQuery({
    ...api(QuoteRisks).SearchRisks.query({ mine: true, page: 1, pageSize: 1 }),
    enabled: user !== null && !user.gpoTabHidden,
    refetchInterval: 60_000,
  });
  if (error && !data) return <ErrorAlert error={error} title="Quotes at risk could not be loaded" />;
  if (!data || data.total === 0) return null;
  return (
    <section className="card" aria-labelledby="risk-title">
      <Group gap="md" px="md" py="xs" justify="space-between">
        <Group gap="md">
          <Title order={2} id="risk-title">
            Quotes at risk
          </Title>
          <Text size="sm" className="tabular">
            {countOf(data.total, 'of your quotes has new prices', 'of your quotes have new prices')}:{' '}
            {amountsOf(data.totals).map((amount, at) => (
              <Fragment key={amount}>
                {at > 0 ? ' and ' : ''}
                {/* Keeps an amount on the same line as its sign. */}
                <span style={{ whiteSpace: 'nowrap' }}>{amount}</span>
              </Fragment>
            ))}
          </Text>
        </Group>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to={paths.contractRisks} search={{ mine: 'yes' }} />}>
          Review quotes
        </Anchor>
      </Group>
    </section>
  );
}

/** '+$1,200.00' and '−$300.00', for each currency. */
function amountsOf(totals: readonly RiskTotal[]): string[] {
  const byCurrency = Map.groupBy(totals, ({ currnIdx }) => currencyOf(currnIdx));
  const amounts = [...byCurrency.values()].flatMap((list) => {
    const index = list[0]?.currnIdx ?? 0;
    const dearer = list.reduce((sum, entry) => sum + entry.dearer, 0);
    const cheaper = list.reduce((sum, entry) => sum + entry.cheaper, 0);
    return [dearer, cheaper].filter((value) => value !== 0).map((value) => signedAmount(value, index));
  });
  return amounts.length > 0 ? amounts : ['no change in total'];
}
