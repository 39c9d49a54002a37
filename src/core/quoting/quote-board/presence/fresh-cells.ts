// Decides which cells of the lines get a fading mark: those that another user has just changed.
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { ColumnKey } from '../layout/columns.ts';
import type { BoardState } from '../state/board-store.ts';

/** The stored lines, and which of them other users changed. */
export type MarkedLines = { items: readonly QuoteItem[]; marks: BoardState['marks'] };
/** `columns` is null for the whole line, which is new or has changed in a field that no column shows. */
export type FreshCells = { id: number; columns: readonly ColumnKey[] | null };

const COLUMN_OF: Partial<Record<keyof QuoteItem, ColumnKey>> = {
  itemNumber: 'item',
  description: 'description',
  notes: 'description',
  qty: 'qty',
  unit: 'unit',
  listPrice: 'list',
  unitPrice: 'price',
  priceSource: 'source',
  discountPct: 'discount',
  lineTotal: 'amount',
  marginPct: 'margin',
};

export function freshCells(before: MarkedLines, now: MarkedLines): FreshCells[] {
  const was = new Map(before.items.map((item) => [item.id, item]));
  return now.items
    .filter(({ id }) => now.marks.has(id) && now.marks.get(id) !== before.marks.get(id))
    .map((item) => {
      const old = was.get(item.id);
      const differ = Object.entries(COLUMN_OF).flatMap(([field, column]) =>
        old && old[field as keyof QuoteItem] !== item[field as keyof QuoteItem] ? [column] : [],
      );
      return { id: item.id, columns: differ.length > 0 ? [...new Set(differ)] : null };
    });
}
