// Manages the user's layout of the board: the page reads it once, applies changes immediately, and stores them on the server.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { type BoardLayout, QuoteBoard } from './board-layout.contract.ts';

const AS_AT_FIRST: BoardLayout = { columns: [], density: 'normal', rail: 'auto' };

/** The timestamp of a layout that was never read from the server. */
const NEVER_READ = 1;

/** Saves run one after the other, so that the newest one is stored last. */
let last: Promise<unknown> = Promise.resolve();

export function useBoardLayout(): {
  layout: BoardLayout;
  isLoading: boolean;
  change: (next: BoardLayout) => void;
  reset: () => void;
} {
  const queries = useQueryClient();
  const query = api(QuoteBoard).GetBoardLayout.query({});
  const result = useQuery({
    ...query,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    // The parts of the board mount after this query succeeds or fails. A retry when each of them mounts would unmount them again.
    retryOnMount: false,
    meta: { global: 'Your saved board layout could not be loaded.' },
  });
  const change = (next: BoardLayout) => {
    // In this case the stored layout is unknown. Saving would replace it with the default layout plus this change.
    const isUnread = (queries.getQueryState(query.queryKey)?.dataUpdatedAt ?? 0) <= NEVER_READ;
    queries.setQueryData(query.queryKey, next, isUnread ? { updatedAt: NEVER_READ } : {});
    if (isUnread) return;
    // A layout that the server cannot store still applies until the user closes the page.
    last = last.then(() => api(QuoteBoard).RememberBoardLayout(next)).catch(() => {});
  };
  const layout = result.data ?? AS_AT_FIRST;
  return {
    layout,
    isLoading: result.isPending,
    change,
    reset: () => change({ ...layout, columns: [] }),
  };
}
