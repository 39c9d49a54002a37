// What the next tier, or a letter of commitment, of each contract that prices rows would save the customer in a year.
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { tierLabel } from '#core/quoting/next-tier/next-tier.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { type Analysis, type ContractTiers, Savings } from '../savings.contract.ts';
import classes from '../savings.module.css';

export function TierPanel({ analysis }: { analysis: Analysis }) {
  const query = api(Savings).GetTierSavings.query({ id: analysis.id });
  const seesTiers = useSession()?.gpoTabHidden === false;
  const result = useQuery({ ...query, enabled: seesTiers });
  if (!seesTiers) return null;
  return (
    <section className="card" aria-label="Next tier">
      <Stack p="md" gap="xs">
        <Title order={2}>Next tier</Title>
        {result.error ? (
          <ErrorAlert error={result.error} title="The tiers could not be calculated" onRetry={result.refetch} />
        ) : !result.data ? (
          <Skeleton height={40} radius="sm" aria-label="Loading" />
        ) : result.data.length === 0 ? (
          <Text size="sm" className="muted">
            No included row has a contract price.
          </Text>
        ) : (
          <>
            <ul className={classes['tiers']}>
              {result.data.map((contract) => (
                <OneContract key={contract.contractId} contract={contract} currnIdx={analysis.totals.currnIdx} />
              ))}
            </ul>
            <Text size="xs" className="muted">
              Per year, for these rows. Typed prices do not change.
            </Text>
          </>
        )}
      </Stack>
    </section>
  );
}

function OneContract({ contract, currnIdx }: { contract: ContractTiers; currnIdx: number }) {
  const { number, rows, ours, now, tiers } = contract;
  const today = now.map(({ tierNo, tierName }) => tierLabel(tierNo, tierName)).join(', ');
  return (
    <li>
      <Text size="sm">
        <b>{number}</b>, {today ? `${today} today` : 'current tier no longer exists'}: {countOf(rows, 'row')},{' '}
        {formatAmount(ours, currnIdx)} per year
      </Text>
      {tiers.length === 0 ? (
        <Text size="sm" className="muted">
          No other tier would save money on these rows.
        </Text>
      ) : (
        <ul>
          {tiers.map((tier) => (
            <li key={tier.tierId}>
              <Text size="sm">
                At {tierLabel(tier.tierNo, tier.tierName)} they pay{' '}
                <b className="tabular">{formatAmount(tier.saving, currnIdx)}</b> less
              </Text>
              <Text size="xs" className="muted">
                {[
                  tier.requirement
                    ? `Requires: ${tier.requirement}.`
                    : tier.needsLoc
                      ? 'Requires a letter of commitment.'
                      : '',
                  `${countOf(tier.rows, 'row changes', 'rows change')}.`,
                ]
                  .filter(Boolean)
                  .join(' ')}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
