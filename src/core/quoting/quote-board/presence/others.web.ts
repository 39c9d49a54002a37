// The other users who have the quote open, for the board and its lines.
import { skipToken, useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import type { Other } from '#platform/live/live.contract.ts';
import { useBoard } from '../state/board.web.ts';

/** The stream stores the list under this key. No API call reads it. */
export const othersKey = (quoteId: number) => ['others on a quote', quoteId] as const;

const NOBODY: readonly Other[] = [];

export function useOthers(): readonly Other[] {
  const { quote } = useBoard().data;
  return useQuery<readonly Other[]>({ queryKey: othersKey(quote.id), queryFn: skipToken }).data ?? NOBODY;
}

export function othersByLine(others: readonly Other[]): ReadonlyMap<number | null, readonly Other[]> {
  return Map.groupBy(others, ({ itemId }) => itemId);
}

/** The number of colors in board.module.css. */
const COLORS = 9;

/** A user has the same color everywhere. */
export function colorOf({ id }: Other): CSSProperties {
  return { '--who': `var(--who-${id % COLORS})` } as CSSProperties;
}

/** The attributes of a line that other users are on. */
export function takenBy(others: readonly Other[] | undefined) {
  const typing = others?.find((other) => other.typing);
  const visible = typing ?? others?.[0];
  return visible && { 'data-who': typing ? 'typing' : '', style: colorOf(visible) };
}
