// Actions on lines from their rows, their menus and the selection.
import { notifications } from '@mantine/notifications';
import type { QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import type { BoardStore } from '../state/board-store.ts';
import { asInput, ownLines, takenOff } from '../state/changes.ts';
import type { LinePatch } from '../state/save-queue.ts';

export type LineActions = {
  change: (item: QuoteItem, patch: LinePatch) => void;
  /** Keeps what was typed in a cell and cannot be taken; null: no longer. */
  refuse: BoardStore['refuse'];
  /** A price or a discount needs a reason, which is asked for before it is saved: true when it is asked. */
  price: (item: QuoteItem, patch: PricePatch) => boolean;
  select: (id: number, on: boolean, range: boolean) => void;
  edit: (item: QuoteItem) => void;
  shift: (item: QuoteItem, by: -1 | 1) => void;
  duplicate: (items: readonly QuoteItem[]) => void;
  remove: (items: readonly QuoteItem[]) => void;
  promote: (item: QuoteItem, promotionId: number | null) => void;
  /** The person went into the line. */
  look: (id: number) => void;
  /** The line that was last gone into. */
  lastLine: () => number | null;
  retry: () => void;
  drop: (item: QuoteItem) => void;
};
type PricePatch = Pick<LinePatch, 'unitPrice' | 'discountPct'>;

type Screen = {
  /** Opens the line panel. */
  onEdit: (item: QuoteItem) => void;
  /** Asks for the reason, and with an empty patch for the price. */
  onPrice: (item: QuoteItem, patch: PricePatch) => void;
  setSelected: (change: (before: ReadonlySet<number>) => ReadonlySet<number>) => void;
};

export function notDone(error: unknown): void {
  notifications.show({ color: 'red', title: 'Not done', message: (error as Error).message, autoClose: false });
}

export function rowActions(store: BoardStore, { onEdit, onPrice, setSelected }: Screen): LineActions {
  /** The anchor of a range selection. */
  let picked: number | null = null;
  let last: number | null = null;
  const linesNow = () => ownLines(store.snapshot().board?.items ?? []);
  const say = (work: Promise<unknown>, message: string) =>
    void work.then(() => notifications.show({ message }), notDone);
  return {
    change: store.changeLine,
    refuse: store.refuse,
    price: (item, patch) => {
      const isAsked = item.type !== 'custom' || Object.keys(patch).length === 0;
      if (isAsked) onPrice(item, patch);
      else store.changeLine(item, patch);
      return isAsked;
    },
    select: (id, on, range) => {
      const ids = linesNow().map((item) => item.id);
      const from = range && picked !== null ? ids.indexOf(picked) : -1;
      const to = ids.indexOf(id);
      const touched = from === -1 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
      picked = id;
      setSelected((before) => {
        const next = new Set(before);
        for (const one of touched) {
          if (on) next.add(one);
          else next.delete(one);
        }
        return next;
      });
    },
    edit: onEdit,
    shift: ({ id }, by) => {
      const order = linesNow().map((item) => item.id);
      const at = order.indexOf(id);
      if (order[at + by] === undefined) return;
      const moved = order.toSpliced(at, 1).toSpliced(at + by, 0, id);
      store.saveLines([], 'Order of lines', moved).catch(notDone);
    },
    duplicate: (items) => {
      const copies = ownLines(items).map((item) => ({ ...asInput(item), lineNo: undefined }));
      const what = copies.length === 1 ? 'Line' : `${copies.length} lines`;
      say(store.saveLines(copies, `${copies.length} duplicated`), `${what} duplicated at the end`);
    },
    remove: (items) => {
      const gone = ownLines(items);
      const what = gone.length === 1 ? 'Line' : `${gone.length} lines`;
      say(store.saveLines(gone.map(takenOff), `${gone.length} removed`), `${what} removed. Ctrl+Z brings back.`);
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
  await store.saveLines([], 'Order of lines', order);
}

/** Puts a section above the first of the lines, which then stand in it, or else at the end of the quote. Answers the section's id. */
export async function addSection(
  store: BoardStore,
  items: readonly QuoteItem[],
  lines: readonly QuoteItem[],
): Promise<number | undefined> {
  const last = Math.max(0, ...items.map((item) => item.lineNo));
  const at = lines[0]?.lineNo ?? last + 1;
  const section = { id: 0, type: 'section' as const, description: 'Section', lineNo: at };
  const moved = lines.length > 1 ? placesBehind(ownLines(items), lines) : [];
  const [added] = await store.saveLines([section, ...moved], 'Section added');
  return added?.id;
}

/** Where all lines stand when a section is put above the first of `lines` and the others of them follow it. */
function placesBehind(own: readonly QuoteItem[], lines: readonly QuoteItem[]): { id: number; lineNo: number }[] {
  const moving = lines.map(({ id }) => id);
  const start = own.findIndex(({ id }) => id === moving[0]);
  const rest = own.map(({ id }) => id).filter((id) => !moving.includes(id));
  const behind = [...moving, ...rest.slice(start)].map((id, index) => ({ id, lineNo: start + 2 + index }));
  // A line that already has its number is not sent: the server moves only what differs.
  return behind.filter(({ id, lineNo }) => own.find((item) => item.id === id)?.lineNo !== lineNo);
}
