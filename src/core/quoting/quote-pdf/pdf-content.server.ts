// Builds the input of the PDF template (quote.typ). All texts are assembled here, so the template decides only the appearance.
import { logoSize } from '#platform/shared/logo.ts';
import { FIGURE_SPACE } from '#platform/shared/money.ts';
import {
  companyLines,
  conditionsTitle,
  type DocumentRow,
  type LineRow,
  documentHead,
  documentRows,
  dotted,
  initialOf,
  NO_CHARGE,
  provisionalText,
  savingsText,
  type TotalRow,
  totalRows,
} from './document-rows.ts';
import type { QuoteDocument } from './quote-document.ts';

/** As high as the initial's box, and narrow enough to leave room for the name. */
const LOGO_BOX = { width: 160, height: 34 };

type Party = { label: string; name: string; lines: string[] };
type Fact = { label: string; value: string };

/** `file` is the name of the line's picture beside the template. */
type PdfLine = Omit<LineRow, 'picture'> & { file: string | null };
type PdfRow =
  | PdfLine
  | Exclude<DocumentRow, LineRow>
  | ({ kind: 'total' } & TotalRow)
  | { kind: 'savings'; text: string };

/**
 * `group` is the number of rows, starting with this one, that share a page. It is 0 inside a group. `tall` means that the row may be split, because
 * it is nearly a page high. `height` is in points, when each text surely fits on one line, so that Typst need not measure the row first. Otherwise
 * null.
 */
export type GroupedRow = PdfRow & { group: number; tall: boolean; height?: number | null };

export type PdfContent = {
  draft: boolean;
  number: string;
  /** Year, month and day of the quote. The PDF uses it as its own date, so that the same quote always produces the same bytes. */
  date: [number, number, number];
  company: { name: string; initial: string; lines: string[] };
  /** The size in points. The picture is beside the template. Null for the company's initial. */
  logo: { width: number; height: number } | null;
  facts: Fact[];
  parties: Party[];
  terms: Fact[];
  message: string;
  /** Widths in points of the columns #, Item, Qty, Unit, Price, Amount. The description gets the rest. */
  widths: number[];
  /** Whether descriptions leave space for a picture. */
  pictures: boolean;
  rows: GroupedRow[];
  conditions: { title: string; text: string };
  footer: string;
};

/** The file name of a picture beside the template. */
export const pictureName = (fileId: number) => `picture-${fileId}.jpg`;

const NO_FILES: ReadonlySet<number> = new Set();

/** `files` are the pictures beside the template. Without any, the lines reserve no space for pictures. */
export function pdfContent(
  quote: QuoteDocument,
  draft: boolean,
  withLogo = false,
  files: ReadonlySet<number> = NO_FILES,
): PdfContent {
  const { company } = quote;
  const head = documentHead(quote);
  const rows = documentRows(quote);
  const totals = totalRows(quote);
  const widths = columnWidths(rows);
  const printed = rows.map((row) => printable(row, quote.pictures ? files : NO_FILES));
  const pictures = printed.some(hasPicture);
  const besides = PADDING + (pictures ? PICTURE_WIDTH : 0);
  const descriptionWidth = (PAGE_WIDTH - widths.reduce((sum, width) => sum + width, besides)) / LETTER;
  const [year = 2000, month = 1, day = 1] = quote.quoteDate.slice(0, 10).split('-').map(Number);
  return {
    draft,
    number: quote.number,
    date: [year, month, day],
    company: { name: company.name, initial: initialOf(company.name), lines: companyLines(quote) },
    logo: withLogo && company.logo ? logoSize(company.logo, LOGO_BOX) : null,
    facts: head.facts,
    parties: head.parties.map(({ label, name, lines }) => ({
      label,
      name: wrappable(name),
      lines: lines.map(({ text }) => wrappable(betweenWords(text))),
    })),
    terms: head.terms,
    message: wrappable(quote.message),
    widths,
    pictures,
    rows: groupRows([...printed, ...totals.map(asTotal), ...remarkRows(quote)], descriptionWidth).map((row) => ({
      ...row,
      height: plainHeight(row, widths, pictures),
    })),
    conditions: {
      title: conditionsTitle(quote),
      text: wrappable(quote.terms.text),
    },
    footer: dotted(company.name, `Quote ${quote.number}`, company.phone),
  };
}

/**
 * Decides which rows share a page: a section's heading with its first line, a free line with its parent line, a subtotal with the line
 * above it, the totals with the last line. A group that would exceed a page is cut.
 * `descriptionWidth` is the number of characters that fit on a line of the description.
 */
export function groupRows(rows: PdfRow[], descriptionWidth: number): GroupedRow[] {
  const heightOf = (row: PdfRow) => Math.max(textLinesOf(row, descriptionWidth), hasPicture(row) ? PICTURE_LINES : 0);
  const grouped = rows.map((row) => ({ ...row, group: 1, tall: heightOf(row) > PAGE_HEIGHT }));
  let leader = grouped[0];
  let height = 0;
  grouped.forEach((row, index) => {
    const before = grouped[index - 1];
    height += heightOf(row);
    if (leader && before && isTied(before, row) && height <= PAGE_HEIGHT && !before.tall && !row.tall) {
      row.group = 0;
      leader.group += 1;
    } else {
      leader = row;
      height = heightOf(row);
    }
  });
  return grouped;
}

const hasPicture = (row: PdfRow) => row.kind === 'line' && row.file !== null;

function isTied(before: PdfRow, row: PdfRow): boolean {
  if (before.kind === 'section') return true;
  if (row.kind === 'line') return row.amount === NO_CHARGE;
  return row.kind !== 'section' && row.kind !== 'note';
}

/** Characters of an item number that fit on one line. */
const ITEM_NUMBER = 16;
/** The number of text lines that surely fit on a page. Taller rows must be allowed to split. */
const PAGE_HEIGHT = 50;

/** Counts characters instead of measuring, because measuring would make Typst lay out each cell twice. */
function columnWidths(rows: DocumentRow[]): number[] {
  const lines = rows.filter((row) => row.kind === 'line');
  const widest = (texts: string[], letter: number, [atLeast, atMost]: [number, number]) =>
    Math.ceil(PADDING + letter * Math.min(atMost, Math.max(atLeast, ...texts.map((text) => text.length))));
  const column = (key: 'itemNumber' | 'qty' | 'unit' | 'price', letter: number, bounds: [number, number]) =>
    widest(
      lines.map((line) => line[key]),
      letter,
      bounds,
    );
  return [
    widest([String(lines.at(-1)?.lineNo ?? '')], DIGIT, [2, 6]),
    column('itemNumber', LETTER, [6, ITEM_NUMBER]),
    column('qty', DIGIT, [4, 12]),
    column('unit', LETTER, [4, 12]),
    column('price', DIGIT, [6, 22]),
    widest(
      rows.map((row) => ('amount' in row ? row.amount : '')),
      DIGIT,
      [10, 24],
    ),
  ];
}

/** The height of a line's row, if each of its texts surely fits its column. */
function plainHeight(row: PdfRow, widths: number[], pictures: boolean): number | null {
  if (row.kind !== 'line') return null;
  const [lineNo = 0, number = 0, qty = 0, unit = 0, price = 0, amount = 0] = widths;
  const taken = lineNo + number + qty + unit + price + amount + (pictures ? PICTURE_WIDTH : 0);
  const description = PAGE_WIDTH - taken;
  const cells: [string, number][] = [
    [row.itemNumber, number],
    [row.qty, qty],
    [row.unit, unit],
    [row.price, price],
    [row.amount, amount],
    ...[row.description, ...row.remarks].map((text): [string, number] => [text, description]),
  ];
  const fits = cells.every(([text, width]) => widthOf(text) <= width - PADDING);
  if (!fits) return null;
  const height = LINE_HEIGHT + row.remarks.length * REMARK_HEIGHT;
  return hasPicture(row) ? Math.max(height, PICTURE_HEIGHT) : height;
}

/** The maximum width in points of each character, in the font and size of the lines. */
export const WIDTHS = new Map(
  (
    [
      [' .,:;Iijl', 2.5],
      [`'!/|ft`, 3.1],
      ['"()[]{}r', 3.8],
      ['?Lcsvxyzak', 4.6],
      ['EFJbdehnopqu', 4.9],
      [`#*-+$=0123456789gPRSTZ&B${FIGURE_SPACE}`, 5.3],
      ['€AKVXY', 5.7],
      ['CDGHNOQU', 6.2],
      ['Mmw', 7.3],
      ['@%W', 8.1],
    ] as const
  ).flatMap(([letters, width]) => [...letters].map((letter) => [letter, width] as const)),
);

/** The maximum width of a text in points, at the size of the lines. Infinite when the font may lack a character. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += WIDTHS.get(letter) ?? Infinity;
  return width;
}

/** A picture with its margins, in points: the height of its row, and the space before the description (quote.typ). */
const PICTURE_HEIGHT = 42;
const PICTURE_WIDTH = 42;
/** The same height in text lines. */
const PICTURE_LINES = 4;

/** The height in points, between hairlines, of a row with one text line, and of each remark below it (quote.typ: sizes, leading, padding). */
const LINE_HEIGHT = 13.83;
const REMARK_HEIGHT = 10.08;

/** The widths in points of a digit and a wide letter at the size of the lines, and of a cell's padding. */
const DIGIT = 5.3;
const LETTER = 5.6;
const PADDING = 8.5;
/** The width between the margins, in points. */
const PAGE_WIDTH = 511;

/** An estimate of a row's height in text lines, too high rather than too low. */
function textLinesOf(row: PdfRow, descriptionWidth: number): number {
  if (row.kind === 'total') return 2;
  if (row.kind === 'line') {
    const description = lineCount(row.description, descriptionWidth) + row.remarks.length;
    return 1 + Math.max(description, lineCount(row.itemNumber, ITEM_NUMBER));
  }
  return 1 + lineCount(row.kind === 'note' || row.kind === 'savings' ? row.text : row.title, 80);
}

function lineCount(text: string, width: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);
}

function printable(row: DocumentRow, files: ReadonlySet<number>): PdfRow {
  if (row.kind === 'note') return { ...row, text: wrappable(row.text) };
  if (row.kind !== 'line') return { ...row, title: wrappable(row.title) };
  const { picture, ...line } = row;
  const print = picture?.print ?? null;
  return {
    ...line,
    file: print !== null && files.has(print) ? pictureName(print) : null,
    itemNumber: wrappable(row.itemNumber, ITEM_NUMBER + 1),
    description: wrappable(row.description),
    remarks: row.remarks.map((remark) => wrappable(remark)),
  };
}

/** Lets a long email address, or another long run without spaces, break between its words: after `@` or before a dot. */
function betweenWords(text: string): string {
  return text.replace(/\S{24,}/g, (run) =>
    run.replace(/(?<=[@/_])(?=.)|(?<=[^.])(?=\.[^.])|(?<=\w-)(?=\w)/g, '\u200b'),
  );
}

/** Adds zero-width spaces to a run without spaces that is too long for its column, so that it can break. */
function wrappable(text: string, longest = 30): string {
  return text.replace(new RegExp(`[^\\s\u200b]{${longest},}`, 'gu'), (run) =>
    [...run].map((character, index) => (index > 0 && index % 8 === 0 ? `\u200b${character}` : character)).join(''),
  );
}

function asTotal(row: TotalRow): PdfRow {
  return { kind: 'total', ...row };
}

/** The remarks below the totals. */
function remarkRows(quote: QuoteDocument): PdfRow[] {
  const texts = [provisionalText(quote), savingsText(quote)].filter(Boolean);
  return texts.map((text) => ({ kind: 'savings', text }));
}
