// The board's state without a screen: the server's quote, pending changes, undo and redo.
import { HttpError } from '#platform/api/http-error.ts';
import type { LineEdit, LinePatch, QuoteItem, QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEditData, QuotePatch } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { refusalWords } from '#core/quoting/quote-edit/settle/field-words.ts';
import { seen } from '#core/quoting/quote-edit/settle/quote-merge.ts';
import { inTurn } from '#platform/kit/edit-store/one-after-the-other.ts';
import { undoHistory } from '#platform/kit/edit-store/undo-history.ts';
import { listeners } from '#platform/shared/listeners.ts';
import { carrying, type Done, lineGone } from './carry-out.ts';
import {
  applicable,
  type BoardStep,
  type FieldOperation,
  lineBack,
  type Operation,
  quoteChangeBack,
  type TemplateItems,
} from './changes.ts';
import { type FacilityPart, FIELDS_OF_PART } from '#core/quoting/quote-edit/facility/facility-change.ts';
import { type BoardCalls, type BoardEvents, heldQuote, notLoaded } from './held-quote.ts';
import type { Mark } from './marks.ts';
import { meetsOthers, type OthersCame } from './meets-others.ts';
import { type Change, type Pending, type SaveQueue, saveQueue } from './save-queue.ts';

export type View = 'public' | 'internal';

/** The visible state at one moment. Every change creates a new object. */
export type BoardState = {
  view: View;
  /** The quote as stored on the server. */
  data: QuoteEditData;
  /** The quote's own fields and its lines, including changes that are being saved or that the server refused. */
  quote: QuoteEditData['quote'];
  items: readonly QuoteItem[];
  pending: readonly Pending[];
  /** Typed texts that their cells refused. */
  refused: readonly RefusedText[];
  /** Lines that another user changed, until this user makes the next change or looks at them. */
  marks: ReadonlyMap<number, Mark>;
  savedAt: Date | null;
  /** Whether `data.events` is older than the newest save, because the response to a saved line contains no events. */
  activityLags: boolean;
  /** The quote's own fields that other users had changed at the last read. */
  freshFields: readonly string[];
  canUndo: boolean;
  canRedo: boolean;
};

/** A cell whose text is not a valid value, and the line as it was when the user began to type. */
export type RefusedText = { item: QuoteItem; column: string; label: string; text: string; problem: string };

/** `board` is null until the store has read the quote. `error` is why it could not read the newest state. */
export type BoardSnapshot = { board: BoardState | null; error: Error | null };

/** Every change can be undone. When the server refuses one, its promise rejects with the refusal. */
export type BoardStore = {
  subscribe: (listener: () => void) => () => void;
  snapshot: () => BoardSnapshot;
  queue: SaveQueue;
  /** Shows and saves fields of one line. `item` is the line as the user saw it when they began to type. */
  changeLine: (item: QuoteItem, patch: LinePatch) => void;
  changeQuote: (patch: QuotePatch) => void;
  /** Keeps the text that a cell refused. Null means that the user corrected or discarded it. */
  refuse: (item: QuoteItem, column: string, refused: Omit<RefusedText, 'item' | 'column'> | null) => void;
  /** Saves new (id 0), changed and removed lines, all or none. `order` sets the order of the lines afterwards. Returns the new lines. */
  saveLines: (
    lines: readonly QuoteItemInput[],
    label: string,
    order?: readonly number[],
    /** Identifies lines that keys move step by step. One undo reverts all of these steps. */
    block?: string,
  ) => Promise<readonly QuoteItem[]>;
  /** Adds one line and returns it as saved. */
  addLine: (line: QuoteItemInput) => Promise<QuoteItem>;
  /** Saves a line from a form. Rejects with both values when another user has changed the same fields. */
  saveForm: (edit: LineEdit) => Promise<void>;
  applyPromotion: (item: QuoteItem, promotionId: number | null) => Promise<void>;
  addTemplate: (template: TemplateChoice) => Promise<void>;
  /** Runs a step of an add-on. `label` names it for undo. */
  runStep: (label: string, step: BoardStep) => Promise<void>;
  /**
   * Applies the changes made at the facility, or keeps the quote as it is. Keeping the quote cannot be undone, and neither can a change that only
   * affects prices.
   */
  takeFromFacility: (parts: readonly FacilityPart[], keep: boolean) => Promise<void>;
  /** Accepts a whole quote from the response to a step, unless the board has a newer one. */
  receive: (data: QuoteEditData) => void;
  /** Reads the changes of other users, when the user returns to the tab or a live change arrives. */
  catchUp: () => Promise<void>;
  /** Removes a line's mark, because the user looked at it. */
  look: (id: number) => void;
  /** Reads the quote again, when the server has saved all typed input. */
  reload: () => Promise<void>;
  reloadActivity: () => Promise<void>;
  /**
   * Returns the quote when the server has saved all typed input. Rejects with the input that could not be saved, because no step continues without
   * it.
   */
  saved: () => Promise<QuoteEditData>;
  /** Undoes the newest change. Waits for it first if it is still being saved. Returns its name, or null when there is nothing to undo. */
  undo: () => Promise<string | null>;
  /** Redoes the last undone change. Returns its name, or null when there is nothing to redo. */
  redo: () => Promise<string | null>;
};

/** `count` is the number of lines it adds. Without `items` it adds the whole template. */
type TemplateChoice = { templateId: number; name: string; items?: TemplateItems; count: number };

type Setup = Omit<BoardEvents, 'onOthers'> & {
  quoteId: number;
  view: View;
  calls: BoardCalls;
  /** What the board shows until it has read the quote. */
  start?: QuoteEditData | undefined;
  /** Called with all unsaved changes whenever they change. */
  keep: (unsaved: Change[]) => void;
};

const STEPS_KEPT = 50;

export function boardStore({ quoteId, view, calls, start, keep, ...events }: Setup): BoardStore {
  /** Maps the id of a removed line to the id it got when it came back. */
  const returned = new Map<number, number>();
  let refused: readonly RefusedText[] = [];
  const screens = listeners();
  let visible: BoardSnapshot = { board: null, error: null };
  const draw = () => {
    visible = { board: stateNow(), error: quote.error() };
    screens.notify();
  };
  const board = (): BoardState => {
    if (!visible.board) throw notLoaded();
    return visible.board;
  };
  const onOthers = (came: OthersCame) => history.drop(meetsOthers(came, returned));
  const quote = heldQuote(calls, start ?? null, { ...events, onOthers }, draw);
  const { saveChange, saveForm, addLine, carryOut, takeFromFacility } = carrying(quoteId, calls, quote, returned);
  const queue = saveQueue(saveChange, (unsaved) => {
    keep(unsaved);
    draw();
  });

  const stateNow = (): BoardState | null => {
    const now = quote.shown();
    if (!now) return null;
    const { data } = now;
    const pending = queue.pending();
    const before = visible.board;
    const isSame = before?.data === data && before.pending === pending;
    const mayEdit = data.editable.commercial || data.editable.notes;
    return {
      ...now,
      view,
      ...(isSame ? { quote: before.quote, items: before.items } : withAllPending(data, pending)),
      pending,
      refused,
      canUndo: history.canUndo() && mayEdit,
      canRedo: history.canRedo() && mayEdit,
    };
  };

  /** Shows fields immediately, saves them one after the other, and returns the reverse change. `as` is the line as the user saw it. */
  const enqueue = (op: FieldOperation, as?: QuoteItem): Operation => {
    const fields = Object.keys(op.patch);
    const { quote: record, items } = board();
    quote.forgetMarks();
    if (op.kind === 'quote') {
      queue.add({ target: 'quote', patch: op.patch, base: seen(op.patch, record) });
      return quoteChangeBack({ quote: record, items }, fields);
    }
    const item = items.find(({ id }) => id === op.id) ?? as;
    if (!item) throw lineGone();
    queue.add({ target: op.id, patch: op.patch, base: seen(op.patch, as ?? item) });
    const stored = quote.now().items.find(({ id }) => id === op.id);
    return { kind: 'line', id: op.id, patch: lineBack(item, fields, stored) };
  };

  const turns = inTurn();
  /** Makes a change that the board shows only after the server has responded. It runs after the saves in progress. */
  const afterSaves = (change: () => Promise<Done>): Promise<Done> => {
    quote.forgetMarks();
    return turns(async () => {
      await queue.settled();
      return change();
    });
  };
  const nowOf = (id: number): number => {
    const next = returned.get(id);
    return next === undefined ? id : nowOf(next);
  };
  const history = undoHistory<Operation>({
    carryOut: async (op) =>
      op.kind === 'line' || op.kind === 'quote' ? enqueue(op) : (await afterSaves(() => carryOut(op))).back,
    applicable: (op) => applicable(op, board(), nowOf),
    changed: draw,
    most: STEPS_KEPT,
  });
  const make = (label: string, change: () => Promise<Done>, block?: string): Promise<Done> => {
    const done = afterSaves(change);
    history.add(
      label,
      done.then(({ back }) => back),
      { block },
    );
    return done;
  };

  if (start) draw();
  return {
    subscribe: screens.add,
    snapshot: () => visible,
    queue,
    changeLine: (item, patch) => {
      const done = Promise.resolve(enqueue({ kind: 'line', id: item.id, patch }, item));
      history.add(`change to line ${item.lineNo}`, done, { joins: (newest) => hasAdded(newest, item) });
    },
    refuse: (item, column, cell) => {
      const others = refused.filter((candidate) => candidate.item.id !== item.id || candidate.column !== column);
      refused = cell ? [...others, { ...cell, item, column }] : others;
      draw();
    },
    changeQuote: (patch) => history.add('change to the quote', Promise.resolve(enqueue({ kind: 'quote', patch }))),
    saveLines: async (lines, label, order, block) => {
      const op = { kind: 'lines' as const, lines, ...(order ? { order } : {}) };
      return (await make(label, () => carryOut(op), block)).added;
    },
    addLine: async (line) => {
      const [item] = (await make('line added', () => addLine(line))).added;
      if (!item) throw lineGone();
      return item;
    },
    saveForm: async (edit) => {
      const lineNo = board().items.find(({ id }) => id === edit.id)?.lineNo ?? '';
      await make(`change to line ${lineNo}`, () => saveForm(edit));
    },
    applyPromotion: async ({ id, lineNo }, promotionId) => {
      await make(`promotion of line ${lineNo}`, () => carryOut({ kind: 'promotion', id, promotionId }));
    },
    runStep: async (label, step) => {
      await make(label, () => carryOut({ kind: 'step', step }));
    },
    addTemplate: async ({ name, ...template }) => {
      await make(`template ${name}`, () => carryOut({ kind: 'template', ...template }));
    },
    takeFromFacility: async (parts, keep) => {
      const setsFields = !keep && parts.some((part) => FIELDS_OF_PART[part].length > 0);
      if (setsFields) await make('facility values', () => takeFromFacility(parts, keep));
      else await afterSaves(() => takeFromFacility(parts, keep));
    },
    receive: (next) => quote.receive(next),
    catchUp: async () => {
      if (!quote.shown()) return quote.read();
      await queue.settled();
      return quote.catchUp();
    },
    look: quote.look,
    reload: () => queue.settled().then(quote.read),
    reloadActivity: quote.reloadActivity,
    saved: async () => {
      await allSaved(refused, queue);
      return quote.now();
    },
    undo: history.undo,
    redo: history.redo,
  };
}

/** Naming a new section belongs to adding it. Undoing the addition also undoes the name. */
function hasAdded(newest: Operation, { id, type }: QuoteItem): boolean {
  return (
    type === 'section' && newest.kind === 'lines' && newest.lines.some((line) => line.id === id && line.remove === true)
  );
}

/** Waits for the saves in progress. Throws when typed input is missing from the quote. */
async function allSaved([wrong]: readonly RefusedText[], queue: SaveQueue): Promise<void> {
  if (wrong) throw new HttpError(422, `Line ${wrong.item.lineNo}: ${wrong.problem}`);
  await queue.settled();
  const left = queue.pending().find(({ state }) => state !== 'saving');
  if (!left) return;
  const why = left.error ? `: ${refusalWords(left.error)}` : '.';
  throw new HttpError(left.error?.status ?? 0, `Some of your changes are not saved${why}`);
}

function linesWithPending(items: readonly QuoteItem[], pending: readonly Pending[]): readonly QuoteItem[] {
  const changed = new Set(pending.map(({ target }) => target));
  if (changed.size === 0) return items;
  return items.map((item) => (changed.has(item.id) ? withPending(item, item.id, pending) : item));
}

const withAllPending = ({ quote, items }: QuoteEditData, pending: readonly Pending[]) => ({
  quote: withPending(quote, 'quote', pending),
  items: linesWithPending(items, pending),
});

function withPending<T extends object>(record: T, target: Change['target'], pending: readonly Pending[]): T {
  const patches = pending.filter((entry) => entry.target === target).map(({ patch }) => patch);
  return patches.length === 0 ? record : (Object.assign({}, record, ...patches) as T);
}
