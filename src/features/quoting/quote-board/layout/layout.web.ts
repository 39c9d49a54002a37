// How the person arranged the board: read once, changed at once on the screen, remembered on the server.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { type BoardLayout, QuoteBoard } from './board-layout.contract.ts';

const AS_AT_FIRST: BoardLayout = { columns: [], railHidden: false };

/** Saves go one after the other, so that the newest is the last. */
let last: Promise<unknown> = Promise.resolve();

export function useBoardLayout(): {
  layout: BoardLayout;
  isLoading: boolean;
  change: (next: BoardLayout) => void;
  reset: () => void;
} {
  const queries = useQueryClient();
  const query = api(QuoteBoard).GetBoardLayout.query({});
  const found = useQuery({ ...query, staleTime: Infinity, gcTime: Infinity, retry: false });
  const change = (next: BoardLayout) => {
    queries.setQueryData(query.queryKey, next);
    // One that cannot be remembered still holds until the page is closed.
    last = last.then(() => api(QuoteBoard).RememberBoardLayout(next)).catch(() => {});
  };
  const layout = found.data ?? AS_AT_FIRST;
  return {
    layout,
    isLoading: found.isPending,
    change,
    reset: () => change({ ...layout, columns: [] }),
  };
}
