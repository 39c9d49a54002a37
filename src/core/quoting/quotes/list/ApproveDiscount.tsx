// The home screen's 'Approve Discount' card: quotes that are waiting for this user's decision, since when, and who else must still decide.
import { Badge, Button, Group, Text, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import type { RequestedRule } from '#core/quoting/approvals/approval-shapes.ts';
import { awaitedNames, namesInShort } from '#core/quoting/approvals/whose-decision.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole, INTERNAL_BOARD_ROLES } from '#platform/shared/roles.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useHeldRows } from '#platform/ui/steady-rows.web.ts';
import { Offer } from '#platform/ui/NewRowsOffer.tsx';
import { since } from '#platform/shared/time-ago.ts';
import { type ApprovalRow, QuoteSearch } from '../quotes.contract.ts';
import { quoteNumber } from '../status.ts';
import classes from './quotes.module.css';

/** The number of waiting quotes shown at first, so that the open quotes stay visible. */
const WAITING_SHOWN = 5;

/** The quotes that are waiting for this user, in a stable order. `waiting` is the current number of waiting quotes. */
export function useHeldApprovals(user: ReturnType<typeof useSession>) {
  const { data, error, refetch, dataUpdatedAt, isFetching } = useQuery({
    ...api(QuoteSearch).SearchQuotesForApproval.query({}),
    // A deputy may not have an approver's role.
    enabled: user !== null && hasRole(user, ...INTERNAL_BOARD_ROLES),
  });
  const reading = { of: 'approvals', at: dataUpdatedAt, again: isFetching, hidesNone: true };
  const held = useHeldRows(data?.records, ({ id }) => id, reading);
  return { ...held, rows: held.rows ?? [], waiting: data?.total ?? 0, error, refetch, readAt: dataUpdatedAt };
}
export type HeldApprovals = ReturnType<typeof useHeldApprovals>;

/** Appears only when quotes are waiting, or when they could not be loaded. */
export function ApproveDiscount({ approvals }: { approvals: HeldApprovals }) {
  const user = useSession();
  const navigate = useNavigate();
  const address = useAddress();
  const showsAll = address['waiting'] === 'all';
  const { rows, gone, waiting } = approvals;
  if (approvals.error && rows.length === 0) {
    return (
      <ErrorAlert
        error={approvals.error}
        title="The quotes waiting for your approval could not be loaded"
        onRetry={approvals.refetch}
      />
    );
  }
  if (rows.length === 0) return null;
  return (
    <section className="card" aria-labelledby="approve-title">
      <Group gap="xs" px="md" py="xs">
        <Title order={2} id="approve-title">
          Approve Discount
        </Title>
        <Badge variant="light" size="lg" circle={waiting < 10} aria-label={`${waiting} waiting`}>
          {waiting}
        </Badge>
        <Offer added={approvals.added} gone={gone.size} goneWords="no longer waiting" onShow={approvals.show} inLine />
      </Group>
      {rows.slice(0, showsAll ? undefined : WAITING_SHOWN).map((row) => (
        <Waiting key={row.id} row={row} isGone={gone.has(row.id)} userId={user?.id ?? 0} now={approvals.readAt} />
      ))}
      {rows.length > WAITING_SHOWN ? (
        <Button
          variant="subtle"
          fullWidth
          radius={0}
          aria-expanded={showsAll}
          className={classes['allWaiting']}
          onClick={() =>
            void navigate({
              to: paths.home,
              search: { ...address, waiting: showsAll ? undefined : 'all' },
              replace: true,
              resetScroll: false,
            })
          }
        >
          {showsAll ? `Show only the ${WAITING_SHOWN} oldest` : `Show all ${rows.length}`}
        </Button>
      ) : null}
    </section>
  );
}

/** `now` is the time when the list was read. */
function Waiting({ row, isGone, userId, now }: { row: ApprovalRow; isGone: boolean; userId: number; now: number }) {
  const { requestedBy, requestedAt, rules } = row.approval;
  const others = othersOf(rules, userId);
  return (
    <Link
      to={paths.internalBoard(row.id)}
      className={classes['waiting']}
      data-gone={isGone ? '' : undefined}
      title={isGone ? 'No longer waiting' : undefined}
    >
      <Text size="sm" fw={600} c="var(--mantine-color-anchor)" className="tabular">
        {quoteNumber(row.num, row.revision)}
      </Text>
      <Text size="sm" className="ellipsis" title={row.facilityName}>
        {row.facilityName}
      </Text>
      <Text size="sm" fw={600} className="figure">
        {formatAmount(row.totalAmount, row.totalAmountCurrnIdx)}
      </Text>
      <div>
        <Text size="sm">
          {rules
            .filter(({ mine }) => mine)
            .map(mineInWords)
            .join(' · ')}
        </Text>
        {others.length > 0 ? (
          <Text size="xs" className="muted">
            {others.join(' · ')}
          </Text>
        ) : null}
      </div>
      <Text size="xs" className="muted" title={formatInstant(requestedAt)}>
        requested {since(requestedAt, now)} by {requestedBy}
      </Text>
      <IconChevronRight size={16} aria-hidden />
    </Link>
  );
}

function mineInWords({ text, deputyFor }: RequestedRule): string {
  return deputyFor ? `${text} (for ${deputyFor})` : text;
}

/** Lists who else must still decide or has decided, and whom the user may ask. */
function othersOf(rules: readonly RequestedRule[], userId: number): string[] {
  const decided = rules.flatMap(({ text, mine, awaited, decidedBy }) => {
    if (!awaited) return [`${decidedBy ?? 'Someone'} approved: ${text}`];
    if (!mine) return [`Waiting for ${awaitedNames(awaited)}: ${text}`];
    const awaitsReader = awaited.people.some(({ id }) => id === userId);
    return awaitsReader ? [] : [`Waiting for ${awaitedNames(awaited)}; you can decide too`];
  });
  const ask = rules.flatMap(({ mine, awaited }) => (mine && awaited ? awaited.orAsk : []));
  const others = ask.filter(({ id }) => id !== userId);
  return [...new Set(decided), ...(others.length > 0 ? [`You can ask ${namesInShort(others, 1)}`] : [])];
}
