// The actions on lines, for their rows, their menus and the selection.
import { notifications } from '@mantine/notifications';
import type { LinePatch, QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { replaceMessage } from '#platform/ui/replaced-message.web.ts';
import type { BoardStore } from '../state/board-store.ts';
import { asInput, ownLines, takenOff } from '../state/changes.ts';
import { movedBy, movedTo } from './selection/line-order.ts';
import { type LineSelection, lineSelection } from './selection/line-selection.ts';

export type LineActions = {
  change: (item: QuoteItem, patch: LinePatch) => void;
  /** Keeps the text that a cell refused. Null discards it. */
  refuse: BoardStore['refuse'];
  /** Saves a price or a discount, or first prompts for the required reason. Returns whether it prompts. */
  price: (item: QuoteItem, patch: PricePatch) => boolean;
  selection: LineSelection;
  edit: (item: QuoteItem) => void;
  /** Opens the request for a contract price. */
  request: (item: QuoteItem) => void;
  /** Opens a comment on the line. */
  comment: (item: QuoteItem) => void;
  /** Moves a line by one place. If the line is selected, the whole selection moves with it. */
  shift: (id: number, by: -1 | 1) => void;
  /** Moves a line before or behind another one. If the line is selected, the whole selection moves with it. */
  place: (id: number, target: number, side: 'before' | 'behind') => void;
  duplicate: (items: readonly QuoteItem[]) => void;
  remove: (items: readonly QuoteItem[]) => void;
  promote: (item: QuoteItem, promotionId: number | null) => void;
  /** Called when the user moves the focus into the line. */
  look: (id: number) => void;
  /** The line that last had the focus. */
  lastLine: () => number | null;
  retry: () => void;
  drop: (item: QuoteItem) => void;
};
type PricePatch = Pick<LinePatch, 'unitPrice' | 'discountPct'>;

type Screen = {
  /** Opens the line panel. */
  onEdit: (item: QuoteItem) => void;
  /** Prompts for the reason. With an empty patch, also prompts for the price. */
  onPrice: (item: QuoteItem, patch: PricePatch) => void;
  onRequest: (item: QuoteItem) => void;
  onComment: (item: QuoteItem) => void;
  onSelected: (selected: ReadonlySet<number>) => void;
};

export function notDone(error: unknown): void {
  replaceMessage('step', {
    color: 'red',
    title: 'The change was not saved',
    message: (error as Error).message,
    autoClose: false,
  });
}

/** Undoes or redoes the newest step and shows its name. */
export function takeBack(store: BoardStore, which: 'undo' | 'redo'): void {
  const word = which === 'undo' ? 'Undone' : 'Redone';
  store[which]().then(
    (label) => label !== null && notifications.show({ message: `${word}: ${label}` }),
    (error: unknown) => notifications.show({ color: 'red', message: (error as Error).message }),
  );
}

export function rowActions(
  store: BoardStore,
  { onEdit, onPrice, onRequest, onComment, onSelected }: Screen,
): LineActions {
  let last: number | null = null;
  const ids = () => ownLines(store.snapshot().board?.items ?? []).map(({ id }) => id);
  const selection = lineSelection(ids, onSelected);
  const say = (work: Promise<unknown>, message: string) =>
    void work.then(() => notifications.show({ message }), notDone);
  const putInOrder = orderSaver(store, ids);
  const withSelection = (id: number) => (selection.now().has(id) ? selection.now() : new Set([id]));
  return {
    change: store.changeLine,
    refuse: store.refuse,
    price: (item, patch) => {
      const isAsked = item.type !== 'custom' || Object.keys(patch).length === 0;
      if (isAsked) onPrice(item, patch);
      else store.changeLine(item, patch);
      return isAsked;
    },
    selection,
    edit: onEdit,
    request: onRequest,
    comment: onComment,
    shift: (id, by) => {
      const block = withSelection(id);
      putInOrder((order) => movedBy(order, block, by), [...block].join(' '));
    },
    place: (id, target, side) => putInOrder((order) => movedTo(order, withSelection(id), target, side)),
    duplicate: (items) => {
      const copies = ownLines(items).map((item) => ({ ...asInput(item), lineNo: undefined }));
      const count = countOf(copies.length, 'line');
      const what = copies.length === 1 ? 'Line' : count;
      say(store.saveLines(copies, `${count} duplicated`), `${what} duplicated at the end of the quote`);
    },
    remove: (items) => {
      const gone = ownLines(items);
      const count = countOf(gone.length, 'line');
      const what = gone.length === 1 ? 'Line' : count;
      say(store.saveLines(gone.map(takenOff), `${count} removed`), `${what} removed. Press Ctrl+Z to undo.`);
    },
    promote: (item, promotionId) => void store.applyPromotion(item, promotionId).catch(notDone),
    look: (id) => {
      last = id;
      store.look(id);
    },
    lastLine: () => last,
    retry: () => store.queue.retry(),
    drop: (item) => store.queue.drop(item.id),
  };
}

/** Saves the order of lines. A key pressed before the server responds changes the order being saved. All such moves are then saved together. */
function orderSaver(
  store: BoardStore,
  idsNow: () => number[],
): (move: (order: number[]) => number[], block?: string) => void {
  let wanted: number[] | null = null;
  let isSaving = false;
  let moving: string | undefined;
  const save = async () => {
    isSaving = true;
    try {
      let sent: number[] | null;
      do {
        sent = wanted;
        await store.saveLines([], 'line order', sent ?? undefined, moving);
      } while (wanted !== sent);
    } catch (error) {
      notDone(error);
    } finally {
      wanted = null;
      isSaving = false;
    }
  };
  return (move, block) => {
    const order: number[] = wanted ?? idsNow();
    const next = move(order);
    if (next.every((id, index) => id === order[index])) return;
    wanted = next;
    moving = block;
    if (!isSaving) void save();
  };
}

/** Moves lines to the end of a section. */
export async function moveToSection(
  store: BoardStore,
  items: readonly QuoteItem[],
  lines: readonly QuoteItem[],
  section: QuoteItem,
): Promise<void> {
  const moving = lines.map((item) => item.id);
  const rest = ownLines(items).filter((item) => !moving.includes(item.id));
  const start = rest.findIndex((item) => item.id === section.id);
  const next = rest.findIndex((item, index) => index > start && item.type === 'section');
  const order = rest.map((item) => item.id).toSpliced(next === -1 ? rest.length : next, 0, ...moving);
  await store.saveLines([], 'line order', order);
}

/**
 * Adds a section above the first of the lines and moves the others into it. Without lines, adds the section at the end of the quote. Reuses an
 * existing unnamed section. Returns the section's id.
 */
export async function addSection(
  store: BoardStore,
  items: readonly QuoteItem[],
  lines: readonly QuoteItem[],
): Promise<number | undefined> {
  const last = Math.max(0, ...items.map((item) => item.lineNo));
  const at = lines[0]?.lineNo ?? last + 1;
  const unnamed = items.find(
    ({ type, description, lineNo }) =>
      type === 'section' && description === UNNAMED && (lineNo === at - 1 || lineNo === at),
  );
  if (unnamed && lines.length < 2) return unnamed.id;
  const section = { id: 0, type: 'section' as const, description: UNNAMED, lineNo: at };
  const moved = lines.length > 1 ? placesBehind(ownLines(items), lines) : [];
  const [added] = await store.saveLines([section, ...moved], 'section added');
  return added?.id;
}

/** The name of a section until the user names it. */
const UNNAMED = 'Section';

/** The line numbers after a section is added above the first of `lines` and the other `lines` follow it. */
function placesBehind(own: readonly QuoteItem[], lines: readonly QuoteItem[]): { id: number; lineNo: number }[] {
  const moving = lines.map(({ id }) => id);
  const start = own.findIndex(({ id }) => id === moving[0]);
  const rest = own.map(({ id }) => id).filter((id) => !moving.includes(id));
  const behind = [...moving, ...rest.slice(start)].map((id, index) => ({ id, lineNo: start + 2 + index }));
  // Leaves out lines that keep their number, because the server moves only lines whose number differs.
  return behind.filter(({ id, lineNo }) => own.find((item) => item.id === id)?.lineNo !== lineNo);
}
