// Shows the facility's open quotes, so that nobody quotes the same thing twice.
import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { OPEN_STATUSES, quoteNumber } from '#core/quoting/quotes/status.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';

const SHOWN = 5;

/** The facility's five newest open quotes that this user can see. Shows nothing when there are none. */
export function OpenQuotesOf({ facilityId, except = 0 }: { facilityId: number; except?: number }) {
  const user = useSession();
  const open = useQuery(
    api(QuoteSearch).SearchQuotesForSalesRep.query({
      facilityId,
      qtStatuses: [...OPEN_STATUSES],
      pageSize: SHOWN + 1,
      remember: 'none',
    }),
  );
  const rows = (open.data?.records ?? []).filter((row) => row.id !== except);
  const count = (open.data?.total ?? 0) - ((open.data?.records.length ?? 0) - rows.length);
  if (open.error && !open.data)
    return (
      <ErrorAlert
        error={open.error}
        title="The open quotes of this facility could not be loaded"
        onRetry={open.refetch}
      />
    );
  if (rows.length === 0 || !user) return null;
  return (
    <Alert
      variant="default"
      icon={<IconAlertTriangle size={18} color="var(--mantine-color-orange-6)" />}
      title={count === 1 ? 'This facility has an open quote' : `This facility has ${count} open quotes`}
    >
      <Stack gap={6}>
        {rows.slice(0, SHOWN).map((row) => (
          <Group key={row.id} gap="sm">
            <Anchor component={Link} to={boardPath(user, row.id)} size="sm" fw={600} className="tabular">
              {quoteNumber(row.num, row.revision)}
            </Anchor>
            <StatusChip statusId={row.statusId} expired={row.expired} />
            <Text size="sm" className="tabular">
              {formatDate(row.quoteDate)} · {formatAmount(row.totalAmount, row.totalAmountCurrnIdx)}
              {row.salesRep.name ? ` · ${row.salesRep.name}` : ''}
            </Text>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
