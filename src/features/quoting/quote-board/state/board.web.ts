// The board's state: the quote as the server has it, changes on their way, undo; shared by every part of the board.
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { HttpError } from '#api/http-error.ts';
import { useSession } from '#features/people/auth/sessions/session.web.ts';
import {
  QuoteEdit,
  type QuoteEditData,
  type QuoteItem,
  type QuoteItemInput,
} from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { clashes, type Stored, seen } from './merge.ts';
import {
  type Change,
  type LinePatch,
  type Pending,
  type QuotePatch,
  type SaveQueue,
  saveQueue,
  storedIn,
} from './save-queue.ts';
import { unsavedBackup } from './unsaved-backup.web.ts';

export type View = 'public' | 'internal';

export type Board = {
  data: QuoteEditData;
  view: View;
  /** The quote's own fields and its lines, with what is being saved, or was refused, laid over them. */
  quote: QuoteEditData['quote'];
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
  /** The same, of a call that added so many lines, which undo takes off again. */
  receiveAdded: (data: QuoteEditData, count: number, label: string) => void;
  reload: () => Promise<void>;
  /** What happened lags behind what is saved: the answer to a saved line does not tell it. */
  activityLags: boolean;
  reloadActivity: () => Promise<void>;
  /** The quote once all that was typed is on the server. Rejects with what could not be saved: no step goes on without it. */
  saved: () => Promise<QuoteEditData>;
  /** Undoes what was done last; what is still on its way to the server as soon as it is there. */
  undo: () => void;
  canUndo: boolean;
  savedAt: Date | null;
};

/** `added`: the lines that were made by what is undone. */
export type Undo = { label: string; run: (board: Board, added: readonly QuoteItem[]) => Promise<void> | void };
type Undoing = { label: string; run: (board: Board) => Promise<void> | void };

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
  const [undos, setUndos] = useState<Undoing[]>([]);
  /** Calls under way that will be undone by what their answer says. */
  const [calls, setCalls] = useState(0);
  const [undoWaits, setUndoWaits] = useState(false);
  // As it is at the moment, also between an answer and the next drawing.
  const newest = () => client.getQueryData<QuoteEditData>(query.queryKey);

  const receive = (next: QuoteEditData) => {
    client.setQueryData(query.queryKey, next);
    setSavedAt(new Date());
    // Lists show totals and statuses.
    void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/QuoteSearch/') });
  };
  const now = useRef({ newest, receive, refetch });
  now.current = { newest, receive, refetch };

  const userId = useSession()?.id ?? 0;
  const { queue, backup } = useMemo(() => {
    const kept = unsavedBackup(userId, id);
    const save = (change: Change) =>
      send(
        id,
        change,
        () => now.current.newest(),
        (next) => now.current.receive(next),
      ).catch((error: unknown) => {
        // The quote was moved on, or the line is gone: the board shows how it stands now.
        if (error instanceof HttpError && error.status === 409 && !storedIn(error, change.target)) {
          void now.current.refetch();
        }
        throw error;
      });
    return { queue: saveQueue(save, kept.keep), backup: kept };
  }, [userId, id]);
  const pending = useSyncExternalStore(queue.subscribe, queue.pending);

  useEffect(() => {
    const leaveBackup = backup.open();
    void backup.left().then(queue.takeUp);
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
      // What is just being saved is still this board's.
      void queue.settled().then(leaveBackup);
    };
  }, [queue, backup]);

  const told = useRef<{ events: QuoteEditData['events']; version: number }>(null);
  if (data && told.current?.events !== data.events) told.current = { events: data.events, version: data.quote.version };

  const items = useMemo(() => (data ? layOver(data.items, pending) : []), [data, pending]);

  const shown = useRef<Board>(null);
  useEffect(() => {
    if (!undoWaits || calls > 0 || now.current.newest() !== data) return;
    setUndoWaits(false);
    shown.current?.undo();
  }, [undoWaits, calls, data]);
  if (!data) return { board: null, error, retry: () => void refetch() };

  const undoneByAnswer = async <T>(work: () => Promise<T>): Promise<T> => {
    setCalls((count) => count + 1);
    try {
      return await work();
    } catch (error) {
      // What was to be undone has not been done; what was done before it was not meant.
      setUndoWaits(false);
      throw error;
    } finally {
      setCalls((count) => count - 1);
    }
  };
  const pushUndo = (undo: Undoing) => setUndos((all) => [...all.slice(-49), undo]);
  const board: Board = {
    data,
    view,
    quote: laidOver(data.quote, 'quote', pending),
    items,
    pending,
    queue,
    changeLine: (item, patch) => {
      const before = previousOf(item, patch);
      queue.add({ target: item.id, patch, base: seen(patch, item) });
      pushUndo({
        label: `Line ${item.lineNo}`,
        run: ({ items: now }) =>
          queue.add({
            target: item.id,
            patch: before,
            base: seen(before, now.find(({ id: one }) => one === item.id) ?? item),
          }),
      });
    },
    changeQuote: (patch) => {
      const quote: Stored = board.quote;
      const before = Object.fromEntries(Object.keys(patch).map((field) => [field, quote[field]]));
      queue.add({ target: 'quote', patch, base: seen(patch, quote) });
      pushUndo({
        label: 'Quote',
        run: (now) => queue.add({ target: 'quote', patch: before, base: seen(before, now.quote) }),
      });
    },
    saveLines: (lines, undo) =>
      undoneByAnswer(async () => {
        await queue.settled();
        const before = newest() ?? data;
        const next = await api(QuoteEdit)
          .SaveSalesRepQuote({ quote: { id }, items: lines.map((line) => withVersion(line, before.items)) })
          .catch(async (error: unknown) => {
            // The next try is made over what is stored now, which is then on the screen.
            if (error instanceof HttpError && error.status === 409) await refetch();
            throw error;
          });
        receive(matching(next, view, before));
        const added = newestOf(next, before, lines.filter((line) => !line.id).length);
        if (undo) pushUndo({ label: undo.label, run: (now) => undo.run(now, added) });
        if (view === 'internal') await refetch();
      }),
    addLine: (line) =>
      undoneByAnswer(async () => {
        await queue.settled();
        const saved = await api(QuoteEdit)
          .SaveQuoteItem({ ...line, id: 0, quoteId: id })
          .catch((error: unknown) => {
            // When only the answer was lost, the line is there: it is seen before it is added a second time.
            void refetch();
            throw error;
          });
        receive(withSaved(newest() ?? data, saved));
        pushUndo({
          label: `Line ${saved.item.lineNo} added`,
          run: (now) => now.saveLines([takenOff(saved.item)]),
        });
        return saved.item;
      }),
    receive,
    receiveAdded: (next, count, label) => {
      const added = newestOf(next, newest() ?? data, count);
      receive(next);
      pushUndo({ label, run: (now) => now.saveLines(added.map(takenOff)) });
    },
    reload: async () => {
      await queue.settled();
      await refetch();
    },
    activityLags: told.current?.version !== data.quote.version,
    reloadActivity: async () => {
      const read = await api(QuoteEdit).GetQuoteActivity({ quoteId: id, internal: view === 'internal' });
      client.setQueryData<QuoteEditData>(query.queryKey, (before) => before && { ...before, events: read.events });
      // More may have been saved while it was read.
      told.current = { events: newest()?.events ?? read.events, version: read.version };
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
      return newest() ?? data;
    },
    undo: () => {
      if (calls > 0) return setUndoWaits(true);
      const last = undos.at(-1);
      if (!last) return;
      setUndos((all) => all.slice(0, -1));
      Promise.resolve(last.run(board)).then(
        () => notifications.show({ message: `Undone: ${last.label}` }),
        (problem: unknown) => notifications.show({ color: 'red', message: (problem as Error).message }),
      );
    },
    canUndo: undos.length > 0 || calls > 0,
    savedAt,
  };
  shown.current = board;
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

/** The lines that a call has just made: of those that were not there before, the last; others may have added some meanwhile. */
function newestOf(next: QuoteEditData, before: QuoteEditData, count: number): QuoteItem[] {
  const known = new Set(before.items.map(({ id }) => id));
  const unknown = next.items.filter(({ id, type }) => !known.has(id) && type !== 'free');
  return count === 0 ? [] : unknown.toSorted((a, b) => a.id - b.id).slice(-count);
}

/** Takes a line off the quote. */
export function takenOff({ id }: QuoteItem): QuoteItemInput {
  return { id, remove: true };
}

function withVersion(line: QuoteItemInput, items: readonly QuoteItem[]): QuoteItemInput {
  const stored = line.id ? items.find((item) => item.id === line.id) : undefined;
  return stored ? { ...line, version: stored.version } : line;
}

/** Saves one change over what is stored; answers the record as it is then. What others changed in other fields stands. */
async function send(
  quoteId: number,
  change: Change,
  read: () => QuoteEditData | undefined,
  receive: (data: QuoteEditData) => void,
): Promise<Stored> {
  const data = read();
  if (!data) throw new HttpError(0, 'The quote is not loaded.');
  const { target, patch } = change;
  let stored: Stored | undefined = target === 'quote' ? data.quote : data.items.find(({ id }) => id === target);
  if (!stored) throw new HttpError(404, 'This line is no longer on the quote.');
  let refusal = metAnother(data, target, stored);
  for (;;) {
    if (clashes(change, stored).length > 0) throw refusal;
    const version = stored['version'] as number;
    try {
      if (target === 'quote') {
        const saved = await api(QuoteEdit).SaveSalesRepQuote({ quote: { ...patch, id: quoteId, version } });
        receive(saved);
        return saved.quote;
      }
      const saved = await api(QuoteEdit).SaveQuoteItem({ ...patch, id: target, quoteId, version });
      receive(withSaved(read() ?? data, saved));
      return saved.item;
    } catch (error) {
      const newer = error instanceof HttpError && error.status === 409 ? storedIn(error, target) : null;
      if (!newer || newer['version'] === version) throw error;
      stored = newer;
      refusal = error as HttpError;
    }
  }
}

/** The refusal of a change to what was read anew with somebody else's change in it. */
function metAnother({ quote, events }: QuoteEditData, target: Change['target'], stored: Stored): HttpError {
  const { actor: changedBy = null, action = null, at: changedAt = null } = events[0] ?? {};
  return new HttpError(409, 'Somebody else changed this meanwhile.', {
    conflict: {
      statusId: quote.statusId,
      version: stored['version'],
      changedBy,
      action,
      changedAt,
      changes: [],
      quote: target === 'quote' ? stored : null,
      item: target === 'quote' ? null : stored,
    },
  });
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
  const changed = new Set(pending.map(({ target }) => target));
  if (changed.size === 0) return items;
  return items.map((item) => (changed.has(item.id) ? laidOver(item, item.id, pending) : item));
}

function laidOver<T extends object>(record: T, target: Change['target'], pending: readonly Pending[]): T {
  return Object.assign(
    {},
    record,
    ...pending.filter((entry) => entry.target === target).map(({ patch }) => patch),
  ) as T;
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
