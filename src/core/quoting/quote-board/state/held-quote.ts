// The quote as the server has it: reads it, merges responses, and marks what other users changed.
import type { InputOf, OutputOf } from '#platform/api/endpoint.ts';
import { HttpError } from '#platform/api/http-error.ts';
import type {
  QuoteEdit,
  QuoteEditData,
  SavedQuote,
  SavedQuoteItem,
} from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { newer, withSaved } from './merge-replies.ts';
import { changesOfOthers, fieldsBetween, type Mark, movedWords, type OthersChanges } from './marks.ts';
import type { OthersCame } from './meets-others.ts';

type Calls = typeof QuoteEdit;
/** The API calls for the board of one quote. */
export type BoardCalls = {
  read: () => Promise<QuoteEditData>;
  /** The whole quote, if it is newer than the given version. */
  readChanges: (since: number) => Promise<OutputOf<Calls['GetQuoteChanges']>>;
  readActivity: () => Promise<OutputOf<Calls['GetQuoteActivity']>>;
  saveQuote: (input: InputOf<Calls['SaveSalesRepQuote']>) => Promise<SavedQuote>;
  saveLine: (input: InputOf<Calls['SaveQuoteItem']>) => Promise<SavedQuoteItem>;
  applyPromotion: (input: InputOf<Calls['ApplyPromotionToQuoteItem']>) => Promise<QuoteEditData>;
  addTemplate: (input: InputOf<Calls['SaveQuoteTemplateForQuote']>) => Promise<QuoteEditData>;
  useFacilityValues: (input: InputOf<Calls['UseFacilityValues']>) => Promise<QuoteEditData>;
};

/** The events that a board handles. */
export type BoardEvents = {
  /** Called after each save. */
  onSaved?: () => void;
  /** Called when another user removed lines, which the board cannot mark. */
  onRemoved?: (removed: OthersChanges['removed']) => void;
  /** Called with a description of a step by another user, and the resulting state. */
  onMoved?: (words: string, state: string) => void;
  /** Called before the changes of other users are applied. */
  onOthers?: (came: OthersCame) => void;
};

/** The state of a quote and its approval, for a message about its last step. */
export const stateOf = ({ quote, approval }: Pick<QuoteEditData, 'quote' | 'approval'>): string =>
  `${quote.statusId} ${approval?.state ?? ''}`;

export type HeldQuote = ReturnType<typeof heldQuote>;

/** `start` is what the board shows until it has read the quote. `changed` is called after each change of the held state. */
export function heldQuote(calls: BoardCalls, start: QuoteEditData | null, events: BoardEvents, changed: () => void) {
  const { onSaved, onRemoved, onMoved, onOthers } = events;
  let data = start;
  let error: Error | null = null;
  let savedAt: Date | null = null;
  /** The quote version that `data.events` covers. */
  let eventsReach = start?.quote.version ?? 0;
  let marks: ReadonlyMap<number, Mark> = new Map();
  let freshFields: readonly string[] = [];

  const now = (): QuoteEditData => {
    if (!data) throw notLoaded();
    return data;
  };
  const version = () => now().quote.version;

  /**
   * Replaces the held quote and marks what other users changed. `own` contains the lines this board just saved. Null means that the board only read.
   */
  const take = (next: QuoteEditData, own: ReadonlySet<number> | null) => {
    if (data && next.quote.version < data.quote.version) return;
    if (data) {
      const others = changesOfOthers(data, next, own);
      if (others.marks.size > 0) marks = new Map([...marks, ...others.marks]);
      if (others.removed.length > 0) onRemoved?.(others.removed);
      if (!own) freshFields = fieldsBetween(data.quote, next.quote);
      const lines = own && new Set([...others.marks.keys(), ...others.removed.map(({ line }) => line.id)]);
      if (lines?.size !== 0) onOthers?.({ before: data, next, lines });
    }
    data = newer(data, next);
    eventsReach = next.quote.version;
  };
  const saved = () => {
    savedAt = new Date();
    changed();
    onSaved?.();
  };
  /** Accepts the response to a save. `own` contains the lines that it saved. */
  const receive = (next: QuoteEditData, own: ReadonlySet<number> = new Set()) => {
    take(next, own);
    saved();
  };
  const read = async () => {
    try {
      take(await calls.read(), null);
      error = null;
    } catch (problem) {
      error = problem as Error;
    }
    changed();
  };

  return {
    now,
    version,
    receive,
    receiveLine: (answer: SavedQuoteItem) => {
      if (answer.whole) return receive(answer.whole, new Set([answer.item.id]));
      data = withSaved(now(), answer);
      saved();
    },
    read,
    /** Reads the changes of other users since the last read. */
    catchUp: async () => {
      const { whole, itemsWait } = await calls.readChanges(version());
      const before = now();
      if (whole) {
        const words = movedWords(before, whole);
        take(whole, null);
        if (words !== '') onMoved?.(words, stateOf(whole));
      } else if (itemsWait === before.configurator.waits) return;
      else data = { ...before, configurator: { ...before.configurator, waits: itemsWait } };
      changed();
    },
    reloadActivity: async () => {
      const { version: reach, ...activity } = await calls.readActivity();
      if (!data || reach < eventsReach) return;
      data = { ...data, ...activity };
      eventsReach = reach;
      changed();
    },
    /** Removes a line's mark, because the user looked at it. */
    look: (id: number) => {
      if (!marks.has(id)) return;
      marks = new Map([...marks].filter(([marked]) => marked !== id));
      changed();
    },
    forgetMarks: () => {
      marks = new Map();
    },
    /** Null until the quote is read. */
    shown: () => data && { data, marks, freshFields, savedAt, activityLags: eventsReach < data.quote.version },
    error: () => error,
  };
}

export function notLoaded(): HttpError {
  return new HttpError(0, 'The quote is not loaded.');
}
