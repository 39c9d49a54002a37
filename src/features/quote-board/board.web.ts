// The board's state: the quote as the server has it, changes on their way, undo; shared by every part of the board.
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { HttpError } from '#api/http-error.ts';
import {
  QuoteEdit,
  type QuoteEditData,
  type QuoteItem,
  type QuoteItemInput,
} from '#features/quote-edit/quote-edit.contract.ts';
import { type Change, type LinePatch, type Pending, type QuotePatch, type SaveQueue, saveQueue } from './save-queue.ts';

export type View = 'public' | 'internal';

export type Board = {
  data: QuoteEditData;
  view: View;
  /** Lines with what is being typed or saved laid over them. */
  items: readonly QuoteItem[];
  pending: readonly Pending[];
  queue: SaveQueue;
  /** Saves a field or several of one line; undo brings the old values back. */
  changeLine: (item: QuoteItem, patch: LinePatch) => void;
  changeQuote: (patch: QuotePatch) => void;
  /** Saves many lines at once, all or none: new (id 0), changed, removed. Rejects with the server's refusal. */
  saveLines: (items: QuoteItemInput[], undo?: Undo) => Promise<void>;
  /** Adds one line; answers it as saved. Rejects with the server's refusal. */
  addLine: (line: QuoteItemInput) => Promise<QuoteItem>;
  /** Takes over a newer state of the quote, from any call that answers one. */
  receive: (data: QuoteEditData) => void;
  reload: () => Promise<void>;
  /** The quote once all that was typed is on the server. Rejects with what could not be saved: no step goes on without it. */
  saved: () => Promise<QuoteEditData>;
  undo: () => void;
  canUndo: boolean;
  savedAt: Date | null;
};

type Undo = { label: string; run: (board: Board) => Promise<void> | void };

const BoardContext = createContext<Board | null>(null);
export const BoardProvider = BoardContext.Provider;

/** The board this component stands on. */
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

/** Opens a quote for a board. While loading or on failure `board` is null. */
export function useBoardState(id: number, view: View): { board: Board | null; error: Error | null; retry: () => void } {
  const client = useQueryClient();
  const query = boardQuery(id, view);
  // What others changed is seen on coming back to the tab, never while typing.
  const { data, error, refetch } = useQuery({ ...query, staleTime: 30_000, refetchOnWindowFocus: true });
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [undos, setUndos] = useState<Undo[]>([]);
  const current = useRef<QuoteEditData | undefined>(data);
  current.current = data;

  const receive = (next: QuoteEditData) => {
    client.setQueryData(query.queryKey, next);
    current.current = next;
    setSavedAt(new Date());
    // Lists show totals and statuses.
    void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/QuoteSearch/') });
  };
  const receiveRef = useRef(receive);
  receiveRef.current = receive;

  const queue = useMemo(() => {
    const key = `quoteboard.unsaved.${id}`;
    return saveQueue((change) => send(id, change, () => current.current, receiveRef.current), {
      get: () => localStorage.getItem(key),
      set: (text) => (text === null ? localStorage.removeItem(key) : localStorage.setItem(key, text)),
    });
  }, [id]);
  const pending = useSyncExternalStore(queue.subscribe, queue.pending);

  useEffect(() => {
    const online = () => queue.retry();
    // Leaving with unsaved changes asks first; they also stay in this browser.
    const leave = (event: BeforeUnloadEvent) => {
      if (queue.pending().length > 0) event.preventDefault();
    };
    window.addEventListener('online', online);
    window.addEventListener('beforeunload', leave);
    return () => {
      window.removeEventListener('online', online);
      window.removeEventListener('beforeunload', leave);
      queue.dispose();
    };
  }, [queue]);

  const items = useMemo(() => (data ? layOver(data.items, pending) : []), [data, pending]);
  if (!data) return { board: null, error, retry: () => void refetch() };

  const pushUndo = (undo: Undo) => setUndos((all) => [...all.slice(-49), undo]);
  const board: Board = {
    data,
    view,
    items,
    pending,
    queue,
    changeLine: (item, patch) => {
      queue.add({ target: item.id, patch });
      const before = previousOf(item, patch);
      pushUndo({ label: `Line ${item.lineNo}`, run: () => queue.add({ target: item.id, patch: before }) });
    },
    changeQuote: (patch) => {
      const quote = data.quote as unknown as Record<string, unknown>;
      const before = Object.fromEntries(Object.keys(patch).map((field) => [field, quote[field]]));
      queue.add({ target: 'quote', patch });
      pushUndo({ label: 'Quote', run: () => queue.add({ target: 'quote', patch: before }) });
    },
    saveLines: async (lines, undo) => {
      await queue.settled();
      const now = current.current ?? data;
      const next = await api(QuoteEdit).SaveSalesRepQuote({
        quote: { id, version: now.quote.version },
        items: lines.map((line) => withVersion(line, now.items)),
      });
      receive(matching(next, view, now));
      if (undo) pushUndo(undo);
      if (view === 'internal') await refetch();
    },
    addLine: async (line) => {
      await queue.settled();
      const saved = await api(QuoteEdit).SaveQuoteItem({ ...line, id: 0, quoteId: id });
      receive(withSaved(current.current ?? data, saved));
      pushUndo({
        label: `Line ${saved.item.lineNo} added`,
        run: (board) => board.saveLines([{ id: saved.item.id, remove: true }]),
      });
      return saved.item;
    },
    receive,
    reload: async () => {
      await queue.settled();
      await refetch();
    },
    saved: async () => {
      await queue.settled();
      const left = queue.pending().find((entry) => entry.state !== 'saving');
      if (left) {
        throw new HttpError(
          left.error?.status ?? 0,
          `Something typed is not saved yet${left.error ? `: ${left.error.message}` : '.'}`,
        );
      }
      return current.current ?? data;
    },
    undo: () => {
      const last = undos.at(-1);
      if (!last) return;
      setUndos((all) => all.slice(0, -1));
      Promise.resolve(last.run(board)).then(
        () => notifications.show({ message: `Undone: ${last.label}` }),
        (problem: unknown) => notifications.show({ color: 'red', message: (problem as Error).message }),
      );
    },
    canUndo: undos.length > 0,
    savedAt,
  };
  return { board, error, retry: () => void refetch() };
}

/** A bulk answer may come without internal figures; they follow with the next read, and are not blanked meanwhile. */
function matching(next: QuoteEditData, view: View, before: QuoteEditData): QuoteEditData {
  if (view === 'public' || next.items.some((item) => item.cost !== undefined)) return next;
  const old = new Map(before.items.map((item) => [item.id, item]));
  return {
    ...next,
    quote: { ...next.quote, internalNotes: before.quote.internalNotes },
    items: next.items.map((item) => ({
      ...item,
      cost: old.get(item.id)?.cost,
      marginPct: old.get(item.id)?.marginPct,
    })),
  };
}

function withVersion(line: QuoteItemInput, items: readonly QuoteItem[]): QuoteItemInput {
  const stored = line.id ? items.find((item) => item.id === line.id) : undefined;
  return stored ? { ...line, version: stored.version } : line;
}

async function send(
  quoteId: number,
  change: Change,
  read: () => QuoteEditData | undefined,
  receive: (data: QuoteEditData) => void,
): Promise<void> {
  const data = read();
  if (!data) throw new HttpError(0, 'The quote is not loaded.');
  const calls = api(QuoteEdit);
  if (change.target === 'quote') {
    receive(await calls.SaveSalesRepQuote({ quote: { ...change.patch, id: quoteId, version: data.quote.version } }));
    return;
  }
  const stored = data.items.find((item) => item.id === change.target);
  if (!stored) throw new HttpError(404, 'This line is no longer on the quote.');
  const saved = await calls.SaveQuoteItem({ ...change.patch, id: change.target, quoteId, version: stored.version });
  receive(withSaved(read() ?? data, saved));
}

/** The quote with one saved line and what changed along with it. */
function withSaved(now: QuoteEditData, saved: OutputOf<typeof QuoteEdit.SaveQuoteItem>): QuoteEditData {
  const changed = new Map([...saved.changedItems, saved.item].map((item) => [item.id, item]));
  const kept = now.items
    .filter((item) => !saved.removedIds.includes(item.id))
    .map((item) => changed.get(item.id) ?? item);
  const known = new Set(kept.map((item) => item.id));
  const added = [...changed.values()].filter((item) => !known.has(item.id));
  return {
    ...now,
    quote: { ...now.quote, ...saved.quote },
    items: [...kept, ...added].toSorted((a, b) => a.lineNo - b.lineNo),
    allowedActions: saved.allowedActions,
    approval: saved.approval,
    approvalNeeded: saved.approvalNeeded,
  };
}

function layOver(items: readonly QuoteItem[], pending: readonly Pending[]): readonly QuoteItem[] {
  if (pending.length === 0) return items;
  const patches = new Map(pending.map((entry) => [entry.target, entry.patch]));
  return items.map((item) => {
    const patch = patches.get(item.id);
    return patch ? { ...item, ...(patch as Partial<QuoteItem>) } : item;
  });
}

function previousOf(item: QuoteItem, patch: LinePatch): LinePatch {
  const before: LinePatch = {};
  for (const field of Object.keys(patch) as (keyof LinePatch)[]) {
    if (field === 'unitPrice' || field === 'discountPct' || field === 'discountAmount') {
      // Back to the system price, or to what was typed before.
      if (item.priceSource === 'Manual')
        Object.assign(before, { unitPrice: item.unitPrice, priceReason: item.priceReason });
      else before.unitPrice = null;
    } else if (field in item) Object.assign(before, { [field]: item[field as keyof QuoteItem] });
  }
  return before;
}

/** Puts a removed or changed set of lines back as it was: the undo of a bulk change. */
export function asInput(item: QuoteItem): QuoteItemInput {
  const manual = item.priceSource === 'Manual' || item.type === 'custom';
  return {
    id: 0,
    lineNo: item.lineNo,
    type: item.type,
    itemId: item.itemId,
    itemNumber: item.itemNumber,
    description: item.description,
    ...(item.qty > 0 ? { qty: item.qty } : {}),
    unit: item.unit,
    notes: item.notes,
    active: item.active,
    optional: item.optional,
    ...(manual && item.unitPrice !== null ? { unitPrice: item.unitPrice, priceReason: item.priceReason } : {}),
  };
}
