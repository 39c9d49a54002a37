// What a seller wants to know about the facility before quoting: its contracts and tiers, its decided quotes, what it buys.
import { Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import classes from './new-quote.module.css';
import { type FacilityGlance, NewQuote } from './new-quote.contract.ts';

export function FacilityGlanceCard({ facilityId }: { facilityId: number }) {
  const user = useSession();
  const { data, error } = useQuery({
    ...api(NewQuote).GetFacilityGlance.query({ facilityId }),
    // A user who compares facilities comes back to the same one.
    staleTime: 60_000,
  });
  if (error) return <ErrorAlert error={error} title="The facility’s details could not be loaded" />;
  if (!data || !user) return <Skeleton height={240} radius="sm" aria-label="Loading the facility" />;
  const { contracts, decided, bought } = data;
  return (
    <section className="card" aria-label="About this facility">
      <Stack p="md" gap="md">
        {contracts ? (
          <Part title="Contracts" empty="No contracts for this facility.">
            {contracts.map((contract) => (
              <GlanceRow key={contract.id} right={`to ${formatDate(contract.to)}`}>
                <Anchor component={Link} to={paths.contract(contract.id)} size="sm" fw={600}>
                  {contract.number}
                </Anchor>{' '}
                {tierWords(contract)}
              </GlanceRow>
            ))}
          </Part>
        ) : null}
        <Part title="Won and lost" empty="No won or lost quotes.">
          {decided.map((row) => (
            <GlanceRow key={row.id} right={formatAmount(row.totalAmount, row.totalAmountCurrnIdx)}>
              <Anchor component={Link} to={boardPath(user, row.id)} size="sm" fw={600} className="tabular">
                {quoteNumber(row.num, row.revision)}
              </Anchor>{' '}
              <StatusChip statusId={row.statusId} /> <span className="muted tabular">{formatDate(row.quoteDate)}</span>
            </GlanceRow>
          ))}
        </Part>
        <Part title="Purchases" empty="Nothing on won quotes yet.">
          {bought.map((item) => (
            <GlanceRow
              key={item.itemId}
              right={`${item.qty.toLocaleString('en-US')} ${item.unit} · ${formatDate(item.quoteDate)}`}
              title={`${item.description}, on ${countOf(item.quotes, 'won quote')}; last quantity and date`}
            >
              <span className="tabular">{item.itemNumber}</span> <span className="muted">{item.description}</span>
            </GlanceRow>
          ))}
        </Part>
      </Stack>
    </section>
  );
}

function Part({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  return (
    <Stack gap={2}>
      <Title order={2}>{title}</Title>
      {children.length > 0 ? (
        children
      ) : (
        <Text size="sm" className="muted">
          {empty}
        </Text>
      )}
    </Stack>
  );
}

function GlanceRow({ right, title, children }: { right: string; title?: string; children: ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm" className={classes['row']} {...(title ? { title } : {})}>
      <Text size="sm" className="ellipsis" miw={0}>
        {children}
      </Text>
      <Text size="sm" className="figure" flex="none">
        {right}
      </Text>
    </Group>
  );
}

function tierWords({ gpoName, tierNo, tierName }: NonNullable<FacilityGlance['contracts']>[number]): string {
  const tier = tierNo === null ? '' : `Tier ${tierNo}${tierName ? `, ${tierName}` : ''}`;
  return [gpoName ?? 'Local agreement', tier].filter(Boolean).join(' · ');
}
