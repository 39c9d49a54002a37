// Notes that older entries of a list were cleared by age. Renders nothing if none were.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { History } from './history.contract.ts';

type Props = {
  kind: string;
  /** In the plural: 'Mails sent' */
  what: string;
  /** What is kept nevertheless, as a sentence. */
  but?: string;
  px?: string;
};

/** Returns the day before which entries of a kind were cleared, or null if none were or it is not known yet. */
export function useClearedBefore(kind: string): string | null {
  const cleared = useQuery({ ...api(History).GetCleared.query({}), staleTime: 300_000 });
  return cleared.data?.find((candidate) => candidate.kind === kind)?.before ?? null;
}

export function ClearedNote({ kind, what, but, px }: Props) {
  const before = useClearedBefore(kind);
  if (!before) return null;
  return (
    <Text size="sm" className="muted" {...(px ? { px } : {})}>
      {what} before {formatDate(before)} were removed from this list.{but ? ` ${but}` : ''}
    </Text>
  );
}
