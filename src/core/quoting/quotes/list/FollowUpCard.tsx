// The home screen's card of quotes with an unanswered customer question or a mail that failed.
import { Anchor, Badge, Group, Text, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { isInternal } from '#platform/shared/roles.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { counted } from '#platform/ui/counted.ts';
import { useHeldRows } from '#platform/ui/steady-rows.web.ts';
import { Offer } from '#platform/ui/NewRowsOffer.tsx';
import { boardPath } from '../board-path.ts';
import { QuoteSearch } from '../quotes.contract.ts';
import { quoteNumber } from '../status.ts';
import { addressOf, NO_CRITERIA } from './criteria-address.ts';
import { followUpWords } from './FollowUpIcons.tsx';
import classes from './quotes.module.css';

const SHOWN = 5;
const CRITERIA = { ...NO_CRITERIA, needsFollowUp: true };

/** The quotes that need follow-up, in a stable order. */
export function useHeldFollowUps(user: ReturnType<typeof useSession>) {
  const { data, error, dataUpdatedAt, isFetching } = useQuery({
    ...api(QuoteSearch).SearchQuotesForSalesRep.query({ ...CRITERIA, pageSize: SHOWN, remember: 'none' }),
    enabled: user !== null,
    // A mail becomes late with time, so this needs polling. Other changes arrive as live changes (src/app/reads-after-write.ts).
    refetchInterval: 5 * 60_000,
  });
  const reading = { of: 'follow-up', at: dataUpdatedAt, again: isFetching, hidesNone: true };
  const held = useHeldRows(data?.records, ({ id }) => id, reading);
  return { ...held, rows: held.rows ?? [], data, error };
}
export type HeldFollowUps = ReturnType<typeof useHeldFollowUps>;

/** Appears only when quotes need follow-up, or when they could not be loaded. */
export function FollowUpCard({ followUps }: { followUps: HeldFollowUps }) {
  const user = useSession();
  const { rows, gone, data, error } = followUps;
  if (error && !data) return <ErrorAlert error={error} title="Quotes that need follow-up could not be loaded" />;
  if (!user || !data || rows.length === 0) return null;
  const findQuote = isInternal(user) ? paths.findQuoteInternal : paths.findQuotePublic;
  return (
    <section className="card" aria-labelledby="follow-up-title">
      <Group gap="xs" px="md" py="xs" justify="space-between">
        <Group gap="xs">
          <Title order={2} id="follow-up-title">
            Needs follow-up
          </Title>
          <Badge variant="light" size="lg" circle={data.total < 10} aria-label={`${counted(data)} quotes`}>
            {counted(data)}
          </Badge>
          <Offer added={followUps.added} gone={gone.size} goneWords="no longer listed" onShow={followUps.show} inLine />
        </Group>
        {data.total > SHOWN ? (
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to={findQuote} search={addressOf(CRITERIA)} />}>
            Show all
          </Anchor>
        ) : null}
      </Group>
      {rows.map((row) => (
        <Link
          key={row.id}
          to={boardPath(user, row.id)}
          className={classes['toFollow']}
          data-gone={gone.has(row.id) ? '' : undefined}
        >
          <Text size="sm" fw={600} c="var(--mantine-color-anchor)" className="tabular">
            {quoteNumber(row.num, row.revision)}
          </Text>
          <Text size="sm" className="ellipsis" title={row.facilityName}>
            {row.facilityName}
          </Text>
          <Text size="sm">{followUpWords(row).join(' · ')}</Text>
          <IconChevronRight size={16} aria-hidden />
        </Link>
      ))}
    </section>
  );
}
