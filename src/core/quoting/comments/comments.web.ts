// Loads the comments of a quote in the browser, after the board and again whenever a comment is added.
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '#platform/api/client.web.ts';
import { Comment } from './comments.contract.ts';

/** What a new comment is about: a line, or the quote. `at` distinguishes one opening from the next. */
export type CommentAbout = { itemId: number; line: string; at: number };

export function useComments(quoteId: number) {
  return useQuery({ ...api(Comment).GetComments.query({ quoteId }), staleTime: 60_000 });
}

/** The number of comments on each line. The map keeps its identity until a comment is added or deleted. */
export function useCommentCounts(quoteId: number): ReadonlyMap<number, number> {
  const { data } = useComments(quoteId);
  return useMemo(() => {
    const counts = new Map<number, number>();
    for (const { itemId, deletedBy } of data?.comments ?? [])
      if (itemId !== null && !deletedBy) counts.set(itemId, (counts.get(itemId) ?? 0) + 1);
    return counts;
  }, [data]);
}

/** The comment that the address names (`?comment=12`). Notifications link to it. Null when there is none. */
export function useWantedComment(): number | null {
  const { comment } = useLocation({ select: ({ search }) => search as { comment?: unknown } });
  return comment === undefined ? null : Number(comment);
}
