// Connects a quote's store to the real API calls, opens and closes it with the page, and exports its hooks.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { isIn, onNews } from '#platform/live/live.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { QuoteEdit, type QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { hideMessage, replaceMessage } from '#platform/ui/replaced-message.web.ts';
import { commitTyped, holdUnsaved, useUnsaved } from '#platform/ui/unsaved.web.ts';
import { type BoardSnapshot, type BoardState, type BoardStore, boardStore, type View } from './board-store.ts';
import { stateOf } from './held-quote.ts';
import { removalWords } from './marks.ts';
import { unsavedBackup } from './unsaved-backup.web.ts';

/** What the board shows now. `store` makes changes and stays the same object while the board is open. */
type Board = BoardState & { store: BoardStore };

/** How long an unprompted message stays visible. The same information is in the activity of the quote. */
const LONG_MS = 12_000;

const BoardContext = createContext<Board | null>(null);
export const BoardProvider = BoardContext.Provider;

/** The board around this component. */
export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (!board) throw new Error('not on a board');
  return board;
}

function boardQuery(id: number, view: View) {
  const calls = api(QuoteEdit);
  const call = view === 'internal' ? calls.PopulateQuoteEditDataForInternalRep : calls.PopulateQuoteEditDataForSalesRep;
  return call.query({ id });
}

/**
 * Returns the quote when the server has saved all typed input of the page. Every step waits for this. Rejects with a message for the user when it
 * fails.
 */
export async function allSaved(store: BoardStore): Promise<QuoteEditData> {
  const refusal = commitTyped();
  if (refusal !== null) throw new HttpError(422, refusal);
  return store.saved();
}

/** Opens a quote for a board while the component is mounted. `board` is null until the quote is read, and stays null on failure. */
export function useOpenBoard(
  id: number,
  view: View,
): { board: Board | null; error: BoardSnapshot['error']; retry: () => void } {
  const client = useQueryClient();
  const userId = useSession()?.id ?? 0;
  /** The state that the last message announced. */
  const announced = useRef('');
  const [{ store, backup }] = useState(() => {
    const calls = api(QuoteEdit);
    const query = boardQuery(id, view);
    const backup = unsavedBackup(userId, id);
    const opened = boardStore({
      quoteId: id,
      view,
      calls: {
        read: () => client.fetchQuery({ ...query, staleTime: 0 }),
        readChanges: (since) => calls.GetQuoteChanges({ quoteId: id, since, internal: view === 'internal' }),
        readActivity: () => calls.GetQuoteActivity({ quoteId: id, internal: view === 'internal' }),
        saveQuote: calls.SaveSalesRepQuote,
        saveLine: calls.SaveQuoteItem,
        applyPromotion: calls.ApplyPromotionToQuoteItem,
        addTemplate: calls.SaveQuoteTemplateForQuote,
        useFacilityValues: calls.UseFacilityValues,
      },
      // A quote opened again shows its last known state until the board has read it.
      start: client.getQueryData<QuoteEditData>(query.queryKey),
      keep: backup.keep,
      onRemoved: (removed) => {
        if (removed.length > 0)
          replaceMessage(`lines of ${id}`, { message: removed.map(removalWords).join(' '), autoClose: LONG_MS });
      },
      onMoved: (message, state) => {
        announced.current = state;
        replaceMessage(`state of ${id}`, { message, autoClose: LONG_MS });
      },
      // The quote lists show totals and statuses, so they must refresh.
      onSaved: () =>
        void client.invalidateQueries({
          predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/QuoteSearch/'),
        }),
    });
    return { store: opened, backup: backup };
  });

  useEffect(() => {
    const leaveBackup = backup.open();
    void backup.left().then(store.queue.restore);
    void store.reload();
    const online = () => store.queue.retry();
    // Reads the changes of other users when this user returns to the tab or window. After a failure nothing changes, and the next save reports it.
    const back = () => {
      if (document.visibilityState === 'visible') store.catchUp().catch(() => {});
    };
    // Reads a save by another user. For this user's saves, the board already has the response, or the save itself reads the changes of others.
    const leaveNews = onNews((news) => {
      const held = store.snapshot().board?.data.quote.version;
      if (held !== undefined && isIn(news, 'quote', id, held + 1))
        void store.queue.settled().then(() => {
          const now = store.snapshot().board?.data.quote.version ?? 0;
          if (isIn(news, 'quote', id, now + 1)) back();
        });
      // News about a file, a question or a mail.
      else if (news !== 'all' && news.some((fact) => fact.kind === 'quote' && fact.id === id && fact.version === 0))
        store.reloadActivity().catch(() => {});
    });
    window.addEventListener('online', online);
    window.addEventListener('focus', back);
    document.addEventListener('visibilitychange', back);
    return () => {
      leaveNews();
      window.removeEventListener('online', online);
      window.removeEventListener('focus', back);
      document.removeEventListener('visibilitychange', back);
      store.queue.dispose();
      const { data } = store.snapshot().board ?? {};
      if (data) client.setQueryData(boardQuery(id, view).queryKey, data);
      // Saves in progress still belong to this board.
      void store.queue.settled().then(leaveBackup);
    };
  }, [store, backup, client, id, view]);

  const { board, error } = useSyncExternalStore(store.subscribe, store.snapshot);
  const state = board ? stateOf(board.data) : '';
  useEffect(() => {
    if (state !== announced.current) hideMessage(`state of ${id}`);
  }, [state, id]);
  useEffect(() => () => hideMessage(`state of ${id}`), [id]);
  const isPending = board !== null && board.pending.length > 0;
  useEffect(() => (isPending ? holdUnsaved({ isKept: true }) : undefined), [isPending]);
  useUnsaved(board !== null && board.refused.length > 0);
  return {
    board: useMemo(() => board && { ...board, store }, [board, store]),
    error,
    retry: () => void store.reload(),
  };
}
