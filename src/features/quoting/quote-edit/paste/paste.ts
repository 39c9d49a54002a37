// Rows pasted from a spreadsheet: item number, quantity, unit, in whatever order a heading (or a glance at the cells) tells.

export type PastedLine = { itemNumber: string; qty: number | null; unit: string | null };

const ITEM = /item|part|catalog|sku|number|product|material/i;
const QTY = /qty|quantity|count|order/i;
const UNIT = /^(u\/?m|uom|unit.*|measure)$/i;

/** Whether a clipboard text is a table or a list and not just words for a field. */
export function isTable(text: string): boolean {
  return /\t/.test(text) || /\r?\n\s*\S/.test(text.trim());
}

/** Reads pasted text; rows without an item number are left out, nothing else is. */
export function parsePaste(text: string): PastedLine[] {
  const rows = text
    .split(/\r\n|\n|\r/)
    .map((line) => line.split(/\t|;|(?<=\S)\s{2,}/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')))
    .filter((cells) => cells.some((cell) => cell !== ''));
  const first = rows[0] ?? [];
  const heading =
    first.length > 1 && first.every((cell) => quantityOf(cell) === null) && first.some((cell) => QTY.test(cell));
  const columns = heading
    ? {
        item: first.findIndex((cell) => ITEM.test(cell)),
        qty: first.findIndex((cell) => QTY.test(cell)),
        unit: first.findIndex((cell) => UNIT.test(cell)),
      }
    : guess(rows);
  return rows.slice(heading ? 1 : 0).flatMap((cells) => {
    const itemNumber = cells[Math.max(0, columns.item)] ?? '';
    if (!itemNumber) return [];
    return [{ itemNumber, qty: quantityOf(cells[columns.qty] ?? ''), unit: cells[columns.unit] || null }];
  });
}

/** Without a heading: the item number first, the quantity in the first later column of numbers, the unit in one of short words. */
function guess(rows: string[][]): { item: number; qty: number; unit: number } {
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  const later = [...Array(width).keys()].slice(1);
  const holds = (column: number, share: number, test: (cell: string) => boolean) => {
    const filled = rows.map((cells) => cells[column] ?? '').filter(Boolean);
    return filled.length > 0 && filled.filter(test).length >= filled.length * share;
  };
  return {
    item: 0,
    qty: later.find((column) => holds(column, 0.5, (cell) => quantityOf(cell) !== null)) ?? -1,
    unit: later.find((column) => holds(column, 0.6, (cell) => /^[A-Za-z]{2,4}$/.test(cell))) ?? -1,
  };
}

function quantityOf(cell: string): number | null {
  if (!/^\d{1,3}(,\d{3})*(\.\d+)?$|^\d+(\.\d+)?$/.test(cell)) return null;
  const value = Number(cell.replaceAll(',', ''));
  return value > 0 ? value : null;
}
