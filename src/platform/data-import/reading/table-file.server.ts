// The result of reading a file of any format: sheets of text rows.

/** The unreadable part of a row: one cell (by its index from 0), or the whole row, with a reason for the user. */
export type Fault = { at: number; value: string; reason: string } | { at: null; reason: string };

/** A row with its line number in the file (text) or its row number in the sheet (Excel), both counted from 1. */
export type Row = {
  line: number;
  cells: string[];
  faults?: Fault[];
  /** The row is hidden in the sheet, perhaps by a filter. */
  hidden?: true;
};

/** A sheet, whose rows can be read repeatedly; each reading starts at the top. Delimited text has one unnamed sheet. */
export type Sheet = {
  name: string;
  hidden: boolean;
  /** Reports merged cells ('D2:D4') after the last row, and hidden columns (from 0) before the first. */
  rows: (onMerged?: (cells: string) => void, onHidden?: (first: number, last: number) => void) => AsyncIterable<Row>;
  /** Returns the approximate number of rows; 0 for text. Throws UnusableFile for too many, much sooner than reading them would. */
  countRows: () => Promise<number>;
  /** Returns the number of comments (notes) of its cells and the first of them. They are not imported. */
  comments?: () => Promise<{ count: number; first: { cell: string; text: string } } | null>;
};

/** Thrown for a file that cannot be imported at all. The message is a sentence for the user who chose it. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
}

export const DAMAGED = 'The Excel file is damaged or was not copied completely.';

/** More unpacked bytes than any real table. */
export const MAX_UNPACKED = 2 ** 30;

/** More rows than an Excel sheet can have; reading and comparing this many takes minutes. */
export const MAX_ROWS = 2_000_000;

/** Excel's limit. */
export const MAX_COLUMNS = 16_384;

export const tooManyRows = (): UnusableFile =>
  new UnusableFile(
    `The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows, the most that one import can have. Split it into smaller files.`,
  );

export const tooLarge = (): UnusableFile =>
  new UnusableFile('The file unpacks to more than can be imported. Split it into smaller files.');

/** Passes on unpacked bytes up to a limit; otherwise a small file could fill the disk or the memory. */
export async function* unpackedOf<T extends Uint8Array>(
  bytes: AsyncIterable<T>,
  most = MAX_UNPACKED,
): AsyncGenerator<T> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    if (read > most) throw tooLarge();
    yield chunk;
  }
}
