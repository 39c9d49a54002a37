// Who else has the quote open, as the board and its lines show it.
import { skipToken, useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import type { Other } from '#platform/live/live.contract.ts';
import { useBoard } from '../state/board.web.ts';

/** Where the stream puts it. Nobody reads it by a call. */
export const othersKey = (quoteId: number) => ['others on a quote', quoteId] as const;

const NOBODY: readonly Other[] = [];

export function useOthers(): readonly Other[] {
  const { quote } = useBoard().data;
  return useQuery<readonly Other[]>({ queryKey: othersKey(quote.id), queryFn: skipToken }).data ?? NOBODY;
}

export function othersByLine(others: readonly Other[]): ReadonlyMap<number | null, readonly Other[]> {
  return Map.groupBy(others, ({ itemId }) => itemId);
}

/** How many colors board.module.css has. */
const COLORS = 9;

/** A person has the same color everywhere. */
export function colorOf({ id }: Other): CSSProperties {
  return { '--who': `var(--who-${id % COLORS})` } as CSSProperties;
}

/** What a line gets that others have taken up. */
export function takenBy(others: readonly Other[] | undefined) {
  const typing = others?.find((other) => other.typing);
  const visible = typing ?? others?.[0];
  return visible && { 'data-who': typing ? 'typing' : '', style: colorOf(visible) };
}
