// The quotes that use a promotion: counts by state, and the latest quotes.
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ItemPromotion, type PromotionUse } from './promotion-admin.contract.ts';

export function usePromotionUse(id: number) {
  return useQuery({ ...api(ItemPromotion).GetItemPromotionUse.query({ id }), staleTime: 0 });
}

/** `3 open, 1 sent, 0 won`, plus lost and canceled ones if there are any. */
export function countsInWords({ open, sent, won, closed }: PromotionUse): string {
  return `${open} open, ${sent} sent, ${won} won${closed > 0 ? `, ${closed} lost or canceled` : ''}`;
}

export function PromotionQuotes({ id }: { id: number }) {
  const user = useSession();
  const use = usePromotionUse(id);
  if (use.error) return <ErrorAlert error={use.error} title="The quotes could not be loaded" onRetry={use.refetch} />;
  if (!use.data) return <Skeleton height={40} aria-label="Loading" />;
  const { quotes } = use.data;
  if (quotes.length === 0) {
    return (
      <Text size="sm" className="muted">
        No quotes use it.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Text size="sm">
        {countsInWords(use.data)}
        {quotes.length === 50 ? '. The latest 50:' : ''}
      </Text>
      <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Quotes that use it">
        {quotes.map((quote) => (
          <Group component="li" key={quote.id} gap="sm" wrap="nowrap">
            {user ? (
              <Anchor component={Link} to={boardPath(user, quote.id)} size="sm" fw={600} className="tabular">
                {quote.number}
              </Anchor>
            ) : null}
            <Text size="sm" truncate style={{ flex: 1, minWidth: 0 }}>
              {quote.facilityName}
            </Text>
            <StatusChip statusId={quote.statusId} />
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
