// The comments of a quote in the browser: read after the board, and again whenever somebody writes one.
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '#platform/api/client.web.ts';
import { Comment } from './comments.contract.ts';

/** What a new comment is about: a line, or the quote. `at` tells one opening from the next. */
export type CommentAbout = { itemId: number; line: string; at: number };

export function useComments(quoteId: number) {
  return useQuery({ ...api(Comment).GetComments.query({ quoteId }), staleTime: 60_000 });
}

/** How many comments each line has. Stays the same map until one is added or deleted. */
export function useCommentCounts(quoteId: number): ReadonlyMap<number, number> {
  const { data } = useComments(quoteId);
  return useMemo(() => {
    const counts = new Map<number, number>();
    for (const { itemId, deletedBy } of data?.comments ?? [])
      if (itemId !== null && !deletedBy) counts.set(itemId, (counts.get(itemId) ?? 0) + 1);
    return counts;
  }, [data]);
}

/** The comment that the address names (`?comment=12`), to which the bell leads; null: none. */
export function useWantedComment(): number | null {
  const { comment } = useLocation({ select: ({ search }) => search as { comment?: unknown } });
  return comment === undefined ? null : Number(comment);
}
