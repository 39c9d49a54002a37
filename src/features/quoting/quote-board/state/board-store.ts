// The board's state without a screen: the server's quote, pending changes, undo and redo.
import type { InputOf, OutputOf } from '#api/endpoint.ts';
import { HttpError, isPassing } from '#api/http-error.ts';
import type { QuoteConfigurator } from '#features/quoting/configurator/configurator.contract.ts';
import type { QuoteItem, QuoteItemInput } from '#features/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEdit, QuoteEditData, SavedQuote } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { refusalWords } from '#features/quoting/quote-edit/settle/field-words.ts';
import { clashes, seen } from '#features/quoting/quote-edit/settle/quote-merge.ts';
import { conflictOf, type Stored } from '#shared/conflict.ts';
import { countOf } from '#shared/count-of.ts';
import { madeOf, newer, newestOf, withSaved } from './answers.ts';
import {
  applicable,
  type BulkOperation,
  bulkBack,
  type ConfiguredWishes,
  type FieldOperation,
  lineBack,
  type Operation,
  quoteChangeBack,
  sentLines,
  type TemplateItems,
} from './changes.ts';
import { keptUndo, type KeptUndo, stillHolds } from './kept-undo.ts';
import { changesOfOthers, fieldsBetween, type Mark, movedWords, type OthersChanges } from './marks.ts';
import { type Change, type LinePatch, type Pending, type QuotePatch, type SaveQueue, saveQueue } from './save-queue.ts';
import { undoHistory } from './undo-history.ts';

export type View = 'public' | 'internal';

type Calls = typeof QuoteEdit;
/** The server calls of one quote's board. */
export type BoardCalls = {
  read: () => Promise<QuoteEditData>;
  /** The whole quote, if it is newer than the given version. */
  readChanges: (since: number) => Promise<OutputOf<Calls['GetQuoteChanges']>>;
  readActivity: () => Promise<OutputOf<Calls['GetQuoteActivity']>>;
  saveQuote: (input: InputOf<Calls['SaveSalesRepQuote']>) => Promise<SavedQuote>;
  saveLine: (input: InputOf<Calls['SaveQuoteItem']>) => Promise<OutputOf<Calls['SaveQuoteItem']>>;
  applyPromotion: (input: InputOf<Calls['ApplyPromotionToQuoteItem']>) => Promise<QuoteEditData>;
  addTemplate: (input: InputOf<Calls['SaveQuoteTemplateForQuote']>) => Promise<QuoteEditData>;
  takeConfigured: (input: InputOf<typeof QuoteConfigurator.SaveDmsItemsToQuote>) => Promise<QuoteEditData>;
};

/** The visible state at one moment; a new object after every change. */
export type BoardState = {
  view: View;
  /** The quote as stored on the server. */
  data: QuoteEditData;
  /** The quote's own fields and its lines, including changes that are being saved or that the server refused. */
  quote: QuoteEditData['quote'];
  items: readonly QuoteItem[];
  pending: readonly Pending[];
  /** Typed texts that their cells refused. */
  refused: readonly RefusedCell[];
  /** Lines that somebody else changed, until the user makes the next change or looks at them. */
  marks: ReadonlyMap<number, Mark>;
  savedAt: Date | null;
  /** `data.events` ends before the newest save, because the answer to a saved line carries no events. */
  activityLags: boolean;
  /** The quote's own fields that the last read found changed by others. */
  freshFields: readonly string[];
  canUndo: boolean;
  canRedo: boolean;
};

/** A cell whose text is not a valid value, and the line as it was when the user began to type. */
export type RefusedCell = { item: QuoteItem; column: string; label: string; text: string; problem: string };

/** `board` is null until the store has read the quote. `error`: why it could not read the newest state. */
export type BoardSnapshot = { board: BoardState | null; error: Error | null };

/** A line edited in a form: the changed fields, and the line as the form showed it. */
export type FormEdit = { id: number; patch: LinePatch; start: Stored };

/** Every change can be undone. When the server refuses one, its promise rejects with the refusal. */
export type BoardStore = {
  subscribe: (listener: () => void) => () => void;
  snapshot: () => BoardSnapshot;
  queue: SaveQueue;
  /** Shows and saves fields of one line. `item`: the line as the user saw it when they began to type. */
  changeLine: (item: QuoteItem, patch: LinePatch) => void;
  changeQuote: (patch: QuotePatch) => void;
  /** Keeps the text that a cell refused; null: the user corrected it or gave it up. */
  refuse: (item: QuoteItem, column: string, refused: Omit<RefusedCell, 'item' | 'column'> | null) => void;
  /** Saves new (id 0), changed and removed lines, all or none. `order` sets the order of the lines afterwards. Returns the new ones. */
  saveLines: (
    lines: readonly QuoteItemInput[],
    label: string,
    order?: readonly number[],
    /** The lines that keys are moving, step by step: one undo takes all steps back. */
    block?: string,
  ) => Promise<readonly QuoteItem[]>;
  /** Adds one line and returns it as saved. */
  addLine: (line: QuoteItemInput) => Promise<QuoteItem>;
  /** Saves a line from a form. Rejects with both values when somebody else has changed the same fields. */
  saveForm: (edit: FormEdit) => Promise<void>;
  applyPromotion: (item: QuoteItem, promotionId: number | null) => Promise<void>;
  addTemplate: (template: TemplateChoice) => Promise<void>;
  /** Puts configurator items into lines. */
  takeConfigured: (wishes: ConfiguredWishes) => Promise<void>;
  /** Accepts a whole quote, the answer to a step, unless the board has a newer one. */
  receive: (data: QuoteEditData) => void;
  /** Reads what others changed, when the user returns to the tab or the board learns of news. */
  catchUp: () => Promise<void>;
  /** Removes a line's mark, because the user looked at it. */
  look: (id: number) => void;
  /** Reads the quote again, once the server has all typed input. */
  reload: () => Promise<void>;
  reloadActivity: () => Promise<void>;
  /** Returns the quote once the server has all typed input. Rejects with what could not be saved: no step goes on without it. */
  saved: () => Promise<QuoteEditData>;
  /** Undoes the newest change; waits for it first if it is still being saved. Returns its name; null: nothing to undo. */
  undo: () => Promise<string | null>;
  /** Redoes the change undone last. */
  redo: () => Promise<string | null>;
  /** Undo and redo as data, for the next time the board opens; null before the quote is read. */
  keptUndo: () => KeptUndo | null;
  /** Takes up the steps of an earlier visit that nobody's changes have met since. */
  restoreUndo: (kept: KeptUndo) => void;
};

/** `count`: the number of lines it adds. Without `items` it adds the whole template. */
type TemplateChoice = { templateId: number; name: string; items?: TemplateItems; count: number };

/** Changes that the board shows only after the server has answered. */
type Waiting = BulkOperation | { kind: 'add'; line: QuoteItemInput } | ({ kind: 'form' } & FormEdit);

type Setup = {
  quoteId: number;
  view: View;
  calls: BoardCalls;
  /** What the board shows until it has read the quote. */
  start?: QuoteEditData | undefined;
  /** Called with all unsaved changes whenever they change. */
  keep: (unsaved: Change[]) => void;
  /** Called after each save. */
  onSaved?: () => void;
  /** Called when somebody else removed lines, which the board has no place to mark. */
  onRemoved?: (removed: OthersChanges['removed']) => void;
  /** Called with the words for a step that somebody else took. */
  onMoved?: (words: string) => void;
};

export function boardStore(setup: Setup): BoardStore {
  const { quoteId, view, calls, start, keep, onSaved = () => {}, onRemoved = () => {}, onMoved = () => {} } = setup;
  let data = start ?? null;
  let error: Error | null = null;
  let savedAt: Date | null = null;
  /** The quote version that `data.events` reaches. */
  let eventsReach = start?.quote.version ?? 0;
  /** Maps the id of a removed line to the id it got when it came back. */
  const returned = new Map<number, number>();
  let refused: readonly RefusedCell[] = [];
  let marks: ReadonlyMap<number, Mark> = new Map();
  let freshFields: readonly string[] = [];
  const listeners = new Set<() => void>();
  let shown: BoardSnapshot = { board: null, error };

  const held = (): QuoteEditData => {
    if (!data) throw new HttpError(0, 'The quote is not loaded.');
    return data;
  };
  const versionHeld = () => held().quote.version;
  const board = (): BoardState => {
    if (!shown.board) throw new HttpError(0, 'The quote is not loaded.');
    return shown.board;
  };
  const draw = () => {
    shown = { board: data && stateOf(data), error };
    for (const listener of listeners) listener();
  };
  const stateOf = (now: QuoteEditData): BoardState => {
    const pending = queue.pending();
    const before = shown.board;
    const isSame = before?.data === now && before.pending === pending;
    const mayEdit = now.editable.commercial || now.editable.notes;
    return {
      view,
      data: now,
      quote: isSame ? before.quote : withPending(now.quote, 'quote', pending),
      items: isSame ? before.items : linesWithPending(now.items, pending),
      pending,
      refused,
      marks,
      freshFields,
      savedAt,
      activityLags: eventsReach < now.quote.version,
      canUndo: history.canUndo() && mayEdit,
      canRedo: history.canRedo() && mayEdit,
    };
  };

  /** Replaces the held quote and marks what others changed. `own`: the lines this board just saved; null: the board only read. */
  const take = (next: QuoteEditData, own: ReadonlySet<number> | null) => {
    if (data && next.quote.version < data.quote.version) return;
    if (data) {
      const others = changesOfOthers(data, next, own);
      if (others.marks.size > 0) marks = new Map([...marks, ...others.marks]);
      if (others.removed.length > 0) onRemoved(others.removed);
      if (!own) freshFields = fieldsBetween(data.quote, next.quote);
    }
    data = newer(data, next);
    eventsReach = next.quote.version;
  };
  const saved = () => {
    savedAt = new Date();
    draw();
    onSaved();
  };
  const receive = (next: QuoteEditData, own: ReadonlySet<number> = new Set()) => {
    take(next, own);
    saved();
  };
  const receiveLine = (answer: OutputOf<Calls['SaveQuoteItem']>) => {
    if (answer.whole) return receive(answer.whole, new Set([answer.item.id]));
    data = withSaved(held(), answer);
    saved();
  };
  const read = async () => {
    try {
      take(await calls.read(), null);
      error = null;
    } catch (problem) {
      error = problem as Error;
    }
    draw();
  };

  /** Saves one change over the stored record and returns the record after it. Changes that others made to other fields remain. */
  const send = async (change: Change): Promise<Stored> => {
    const { target, patch } = change;
    const recordNow = (): Stored | undefined =>
      target === 'quote' ? held().quote : held().items.find(({ id }) => id === target);
    let stored = recordNow();
    if (!stored) throw lineGone();
    let refusal = metAnother(held(), stored);
    for (;;) {
      if (clashes(change, stored).length > 0) throw refusal;
      const version = stored['version'] as number;
      try {
        if (target === 'quote') {
          const answer = await calls.saveQuote({
            quote: { ...patch, id: quoteId, version },
            sinceVersion: versionHeld(),
          });
          receive(answer);
          return answer.quote;
        }
        const answer = await calls.saveLine({ ...patch, id: target, quoteId, version, sinceVersion: versionHeld() });
        receiveLine(answer);
        return answer.item;
      } catch (problem) {
        if (!(problem instanceof HttpError) || problem.status !== 409) throw problem;
        // Somebody changed the record, moved the quote to another status, or removed the line: the board shows the new state.
        await read();
        stored = recordNow();
        if (!conflictOf(problem) || !stored || stored['version'] === version) throw problem;
        refusal = problem;
      }
    }
  };
  const queue = saveQueue(send, keep);

  /** Shows fields at once, saves them one after the other, and returns the reverse change. `as`: the line as the user saw it. */
  const enqueue = (op: FieldOperation, as?: QuoteItem): Operation => {
    const fields = Object.keys(op.patch);
    const { quote, items } = board();
    marks = new Map();
    if (op.kind === 'quote') {
      queue.add({ target: 'quote', patch: op.patch, base: seen(op.patch, quote) });
      return quoteChangeBack({ quote, items }, fields);
    }
    const item = items.find(({ id }) => id === op.id) ?? as;
    if (!item) throw lineGone();
    queue.add({ target: op.id, patch: op.patch, base: seen(op.patch, as ?? item) });
    const stored = held().items.find(({ id }) => id === op.id);
    return { kind: 'line', id: op.id, patch: lineBack(item, fields, stored) };
  };

  /** Runs the changes one after the other, each after the saves in progress. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (op: Waiting): Promise<Done> => {
    marks = new Map();
    const done = last.then(async () => {
      await queue.settled();
      return carryOut(op);
    });
    last = done.catch(() => {});
    return done;
  };
  const carryOut = async (op: Waiting): Promise<Done> => {
    const before = held();
    if (op.kind === 'form') {
      const { id, patch } = op;
      const item = before.items.find((one) => one.id === id);
      await send({ target: id, patch, base: seen(patch, op.start) });
      return { back: { kind: 'line', id, patch: item ? lineBack(item, Object.keys(patch)) : {} }, added: [] };
    }
    if (op.kind === 'add') {
      const input = { ...op.line, id: 0, quoteId, sinceVersion: versionHeld() };
      const answer = await calls.saveLine(input).catch((problem: unknown) => {
        // Perhaps only the answer was lost: reading shows the line before the user adds it a second time.
        void read();
        throw problem;
      });
      receiveLine(answer);
      return { back: bulkBack({ kind: 'lines', lines: [] }, before, [answer.item]), added: [answer.item] };
    }
    const { savedIds = [], ...answer } = await callOf(op, before).catch(async (problem: unknown) => {
      // The next try builds on the stored state, which the board then shows.
      if (problem instanceof HttpError && problem.status === 409) await read();
      throw problem;
    });
    const added = op.kind === 'lines' ? madeOf(op.lines, savedIds, answer) : newestOf(answer, before, countAdded(op));
    const own = op.kind === 'lines' ? op.lines : op.kind === 'configured' ? answer.items : [];
    receive(answer, new Set([...added, ...own].map(({ id }) => id ?? 0)));
    if (op.kind === 'lines') {
      const made = op.lines.filter(({ id }) => !id);
      for (const [index, line] of added.entries()) {
        const was = made[index]?.was;
        if (was !== undefined) returned.set(was, line.id);
      }
    }
    return { back: bulkBack(op, before, added, answer.items), added };
  };
  const callOf = async (op: BulkOperation, { items }: QuoteEditData): Promise<SavedQuote> => {
    if (op.kind === 'configured') return calls.takeConfigured({ ...op.wishes, quoteId, version: versionHeld() });
    if (op.kind === 'template') {
      const { templateId, items: chosen } = op;
      return calls.addTemplate({ quoteId, templateId, ...(chosen ? { items: chosen } : {}) });
    }
    if (op.kind === 'promotion') {
      const version = items.find(({ id }) => id === op.id)?.version;
      if (version === undefined) throw lineGone();
      return calls.applyPromotion({ quoteItemId: op.id, promotionId: op.promotionId, version });
    }
    const there = new Set(items.map(({ id }) => id));
    const isGone = ({ id }: { id?: number | undefined }) => Boolean(id) && !there.has(id ?? 0);
    // Somebody else has removed what this removes, too.
    const lines = op.lines.filter((line) => !(line.remove && isGone(line)));
    if (lines.some(isGone) || (lines.length === 0 && op.lines.length > 0 && !op.quote && !op.order)) throw lineGone();
    const sinceVersion = versionHeld();
    const quote = { id: quoteId, ...(op.quote ? { ...op.quote, version: sinceVersion } : {}) };
    return calls.saveQuote({ quote, items: sentLines({ ...op, lines }, items), sinceVersion });
  };

  const nowOf = (id: number): number => {
    const next = returned.get(id);
    return next === undefined ? id : nowOf(next);
  };
  const history = undoHistory<Operation>({
    carryOut: async (op) => (op.kind === 'line' || op.kind === 'quote' ? enqueue(op) : (await inTurn(op)).back),
    applicable: (op) => applicable(op, board(), nowOf),
    isPassing: (problem) => problem instanceof HttpError && isPassing(problem),
    changed: draw,
  });
  const make = (op: Waiting, label: string, block?: string): Promise<Done> => {
    const done = inTurn(op);
    history.add(
      label,
      done.then(({ back }) => back),
      { block },
    );
    return done;
  };

  queue.subscribe(draw);
  if (data) draw();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => shown,
    queue,
    changeLine: (item, patch) => {
      const { id, lineNo, type } = item;
      // Naming a new section belongs to adding it: taking it off takes the name back, too.
      const joins = (newest: Operation) =>
        type === 'section' &&
        newest.kind === 'lines' &&
        newest.lines.some((line) => line.id === id && line.remove === true);
      history.add(`Line ${lineNo}`, Promise.resolve(enqueue({ kind: 'line', id, patch }, item)), { joins });
    },
    refuse: (item, column, cell) => {
      const others = refused.filter((one) => one.item.id !== item.id || one.column !== column);
      refused = cell ? [...others, { ...cell, item, column }] : others;
      draw();
    },
    changeQuote: (patch) => history.add('Quote', Promise.resolve(enqueue({ kind: 'quote', patch }))),
    saveLines: async (lines, label, order, block) => {
      const { added } = await make({ kind: 'lines', lines, ...(order ? { order } : {}) }, label, block);
      return added;
    },
    addLine: async (line) => {
      const [item] = (await make({ kind: 'add', line }, 'Line added')).added;
      if (!item) throw lineGone();
      return item;
    },
    saveForm: async (edit) => {
      const lineNo = board().items.find(({ id }) => id === edit.id)?.lineNo ?? '';
      await make({ kind: 'form', ...edit }, `Line ${lineNo}`);
    },
    applyPromotion: async ({ id, lineNo }, promotionId) => {
      await make({ kind: 'promotion', id, promotionId }, `Promotion of line ${lineNo}`);
    },
    takeConfigured: async (wishes) => {
      await make({ kind: 'configured', wishes }, countOf(wishes.items.length, 'configurator item'));
    },
    addTemplate: async ({ name, ...template }) => {
      await make({ kind: 'template', ...template }, `Template ${name}`);
    },
    receive: (next) => receive(next),
    catchUp: async () => {
      if (!data) return read();
      await queue.settled();
      const { whole, itemsWait } = await calls.readChanges(versionHeld());
      if (whole) {
        const words = movedWords(data, whole);
        take(whole, null);
        if (words !== '') onMoved(words);
      } else if (itemsWait === data.configurator.waits) return;
      else data = { ...data, configurator: { ...data.configurator, waits: itemsWait } };
      draw();
    },
    look: (id) => {
      if (!marks.has(id)) return;
      marks = new Map([...marks].filter(([marked]) => marked !== id));
      draw();
    },
    reload: async () => {
      await queue.settled();
      await read();
    },
    reloadActivity: async () => {
      const { version, ...activity } = await calls.readActivity();
      if (!data || version < eventsReach) return;
      data = { ...data, ...activity };
      eventsReach = version;
      draw();
    },
    saved: async () => {
      const [wrong] = refused;
      if (wrong) throw new HttpError(422, `Line ${wrong.item.lineNo}: ${wrong.problem}`);
      await queue.settled();
      const left = queue.pending().find(({ state }) => state !== 'saving');
      if (left) {
        const why = left.error ? `: ${refusalWords(left.error)}` : '.';
        throw new HttpError(left.error?.status ?? 0, `Something you typed is not saved${why}`);
      }
      return held();
    },
    undo: history.undo,
    redo: history.redo,
    keptUndo: () => (shown.board ? keptUndo(history.kept(), versionHeld(), shown.board, returned) : null),
    restoreUndo: (kept) => {
      if (!shown.board) return;
      for (const [was, now] of kept.returned) returned.set(was, now);
      history.restore(stillHolds(kept, versionHeld(), shown.board));
    },
  };
}

type Done = { back: Operation; added: readonly QuoteItem[] };

function lineGone(): HttpError {
  return new HttpError(404, 'This line is no longer on the quote.');
}

/** The error for a change of a record that, read again, contains somebody else's change. */
function metAnother({ events: [last] }: QuoteEditData, current: Stored): HttpError {
  return new HttpError(409, 'Somebody else changed this in the meantime.', {
    conflict: { changedBy: last?.actor ?? null, changedAt: last?.at ?? null, changes: [], current },
  });
}

/** The number of lines a change adds that does not name them. */
function countAdded(op: BulkOperation): number {
  if (op.kind === 'template') return op.count;
  // The server refuses this call if anybody else changed the quote, so all new lines are its own.
  return op.kind === 'configured' ? Number.MAX_SAFE_INTEGER : 0;
}

function linesWithPending(items: readonly QuoteItem[], pending: readonly Pending[]): readonly QuoteItem[] {
  const changed = new Set(pending.map(({ target }) => target));
  if (changed.size === 0) return items;
  return items.map((item) => (changed.has(item.id) ? withPending(item, item.id, pending) : item));
}

function withPending<T extends object>(record: T, target: Change['target'], pending: readonly Pending[]): T {
  const patches = pending.filter((entry) => entry.target === target).map(({ patch }) => patch);
  return patches.length === 0 ? record : (Object.assign({}, record, ...patches) as T);
}
