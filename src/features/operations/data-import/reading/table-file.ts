// What reading a file gives, whatever its format: sheets of rows of text.

/** A row with its line number in the file (text) or its row number in the sheet (Excel), both counted from 1. */
export type Row = { line: number; cells: string[] };

/** Rows can be read again and again; each reading starts at the top and ends when it is left. Separated text has one sheet without a name. */
export type Sheet = { name: string; rows: () => AsyncIterable<Row> };

/** A file that cannot be imported at all; the message says why in a sentence for the person who chose the file. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
}

const GIGABYTE = 2 ** 30;

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
