// What reading a file gives, whatever its format: sheets of rows of text.

/** What could not be read of a row: one cell (by its place from 0), or all of it; the reason is for the person whose file it is. */
export type Fault = { at: number; value: string; reason: string } | { at: null; reason: string };

/** A row with its line number in the file (text) or its row number in the sheet (Excel), both counted from 1. */
export type Row = { line: number; cells: string[]; faults?: Fault[] };

/** Rows can be read again and again; each reading starts at the top and ends when it is left. Separated text has one sheet without a name. */
export type Sheet = {
  name: string;
  hidden: boolean;
  rows: () => AsyncIterable<Row>;
  /** Throws UnusableFile when it has more rows than are taken, much sooner than reading them would. */
  requireFewRows: () => Promise<void>;
};

/** A file that cannot be imported at all; the message says why in a sentence for the person who chose the file. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
}

export const DAMAGED = 'The Excel file is damaged or was not copied completely.';

const GIGABYTE = 2 ** 30;

/** More than a sheet of Excel holds; reading and comparing as many takes minutes. */
export const MOST_ROWS = 2_000_000;

export const tooManyRows = (): UnusableFile =>
  new UnusableFile(
    `The file has more than ${MOST_ROWS.toLocaleString('en-US')} rows, the most that one import takes. Split it into smaller files.`,
  );

/** Passes on what a packed file holds, up to more than any honest table has: a small file may unpack to fill the disk or the memory. */
export async function* unpackedOf<T extends Uint8Array>(bytes: AsyncIterable<T>, most = GIGABYTE): AsyncGenerator<T> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    if (read > most)
      throw new UnusableFile('The file unpacks to more than can be imported. Split it into smaller files.');
    yield chunk;
  }
}
