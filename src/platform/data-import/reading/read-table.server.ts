// Opens a file of any importable format, names the format, and streams its sheets as rows.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { decodeText, encodingOf } from './decode-text.server.ts';
import { isJson, openGeoJson } from './read-geojson.server.ts';
import { readCsv, SEPARATOR_NAMES, separatorOf } from './read-csv.server.ts';
import { openXlsx } from './read-xlsx.server.ts';
import { MAX_ROWS, type Sheet, tooManyRows, UnusableFile, unpackedOf } from './table-file.server.ts';

export type TableFile = {
  /** The format in words: 'CSV (comma, utf-8)', 'Excel workbook'. */
  format: string;
  /** Delimited text, in which an extra cell means that values have shifted. */
  separated: boolean;
  /** A cell may have millions of characters (the outline of an area), so few rows are held in memory at a time. */
  bulky?: true;
  sheets: Sheet[];
  /** Removes temporary files. Call it after reading the rows. */
  close: () => Promise<void>;
};

const ENOUGH_TO_SNIFF = 64 * 1024;

/** Opens delimited text, an Excel workbook or GeoJSON, plain or gzipped. Throws UnusableFile with the reason for any other file. */
export async function openTable(file: string): Promise<TableFile> {
  const start = await firstBytes(bytesOf(file, false));
  if (start.length === 0) throw new UnusableFile('The file is empty.');
  const packed = start[0] === 0x1f && start[1] === 0x8b;
  const content = packed ? await firstBytes(bytesOf(file, true)) : start;
  if (content.toString('latin1', 0, 4) === 'PK\x03\x04') return packed ? openPackedBook(file) : openBook(file);
  if (content.toString('hex', 0, 4) === 'd0cf11e0') {
    throw new UnusableFile(
      'This is an old Excel file (.xls) or one with a password: save it as .xlsx or CSV without a password.',
    );
  }
  const opening = content.toString('latin1');
  const problem = OTHER_FILES.find(([begins]) => begins.test(opening))?.[1] ?? ediProblem(withoutMark(content));
  if (problem) throw new UnusableFile(problem);
  if (isJson(withoutMark(content))) return geoJson(() => decodeText(bytesOf(file, packed), 'utf-8'));
  const encoding = await encodingOf(fewLines(bytesOf(file, packed)));
  const text = (): AsyncGenerator<string> => decodeText(bytesOf(file, packed), encoding);
  let sample = '';
  for await (const piece of text()) {
    sample += piece;
    if (sample.length >= ENOUGH_TO_SNIFF) break;
  }
  if (sample.includes('\0')) throw new UnusableFile('This is neither text (CSV) nor an Excel workbook (.xlsx).');
  // This is JSON in another encoding, such as UTF-16.
  if (isJson(sample)) return geoJson(text);
  const separator = separatorOf(sample);
  return {
    format: `text, ${SEPARATOR_NAMES[separator]}, ${encoding}`,
    separated: true,
    sheets: [{ name: '', hidden: false, rows: () => readCsv(text(), separator), countRows: async () => 0 }],
    close: async () => {},
  };
}

/** How files that are not tables begin, as Latin-1, with the error message for each. */
const OTHER_FILES: readonly [begins: RegExp, problem: string][] = [
  [/^(?:\xef\xbb\xbf)?\s*%PDF-/, 'This is a PDF. Save the table as Excel or CSV.'],
  [/^\0\0\x27\x0a/, 'This is a shapefile (.shp): save it as GeoJSON with longitude and latitude (WGS 84).'],
  [/^SQLite format 3\0/, 'This is a database (such as a .gpkg): save the areas as GeoJSON, or a table as CSV.'],
  [
    /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!doctype|html|head|body|table|kml|gml)\b/i,
    'This is a web page or XML, whatever its extension: save areas as GeoJSON, and a table as .xlsx or CSV.',
  ],
];

/** Types of EDI messages that may contain a price list or an order, by number or name. */
const EDI_MESSAGES: Readonly<Record<string, string>> = {
  810: 'an invoice',
  832: 'a price catalog',
  843: 'a response to a request for a quote',
  844: 'a transfer of product accounts',
  845: 'an authorization of prices',
  846: 'an inventory',
  850: 'a purchase order',
  855: 'an order acknowledgment',
  856: 'a ship notice',
  PRICAT: 'a price catalog',
  ORDERS: 'a purchase order',
  INVOIC: 'an invoice',
};

/** Returns the error message for an X12 or EDIFACT interchange, whose segments are not rows, or undefined for any other text. */
function ediProblem(text: string): string | undefined {
  // The envelope of X12 has sixteen elements. With a comma or a semicolon as separator, the text may be a table.
  const separator = /^\s*ISA([^\w\s,;"'])/.exec(text)?.[1];
  const isX12 =
    (separator !== undefined && text.slice(0, 200).split(separator).length > 16) ||
    /^\s*(?:GS([^\w\s,;"'])[A-Z]{2}\1|ST([^\w\s,;"'])\d{3}\2)/.test(text);
  const isEdifact = /^\s*(?:UNA.{6}\s*)?UNB\+[A-Z]{4}:\d/.test(text);
  if (!isX12 && !isEdifact) return undefined;
  const kind = (isX12 ? /(?:^|[^\w\s]|\s)ST[^\w\s](\d{3})\b/ : /\bUNH\+[^+]*\+([A-Z]{6})\b/).exec(text)?.[1];
  const name = kind === undefined ? (isX12 ? 'EDI file (X12)' : 'EDI file (EDIFACT)') : `EDI ${kind} file`;
  const meaning = EDI_MESSAGES[kind ?? ''];
  return `This is an ${name}${meaning ? `, ${meaning}` : ''}. EDI files are not supported: export it as CSV or Excel and upload that file.`;
}

async function geoJson(text: () => AsyncIterable<string>): Promise<TableFile> {
  const sheet = await openGeoJson(text);
  return { format: 'GeoJSON', separated: false, bulky: true, sheets: [sheet], close: async () => {} };
}

/** Returns the start of a UTF-8 text without its byte order mark. The last character may be incomplete. */
const withoutMark = (start: Buffer): string => start.toString('utf8').replace(/^\ufeff/, '');

async function openBook(file: string): Promise<TableFile> {
  const { sheets, close } = await openXlsx(file);
  return { format: 'Excel workbook', separated: false, sheets, close: async () => close() };
}

async function openPackedBook(file: string): Promise<TableFile> {
  const unpacked = await spool(bytesOf(file, true));
  try {
    const book = await openBook(unpacked.path);
    return { ...book, close: () => book.close().finally(unpacked.remove) };
  } catch (error) {
    await unpacked.remove();
    throw error;
  }
}

/** Passes bytes on until the maximum number of lines is reached. */
async function* fewLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let lines = 0;
  for await (const chunk of bytes) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1))
      if (++lines > MAX_ROWS) throw tooManyRows();
    yield chunk;
  }
}

/** Writes a stream to a temporary file, because a table is read more than once. */
export async function spool(bytes: AsyncIterable<Uint8Array>): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'import-'));
  const file = path.join(folder, 'table');
  await finished(bytes, fs.createWriteStream(file));
  return { path: file, remove: () => fs.promises.rm(folder, { recursive: true, force: true }) };
}

async function* bytesOf(file: string, packed: boolean): AsyncGenerator<Buffer> {
  const stored: Readable = fs.createReadStream(file, { highWaterMark: 256 * 1024 });
  const bytes = packed ? pipeline(stored, createGunzip(), () => {}) : stored;
  try {
    const chunks = bytes as AsyncIterable<Buffer>;
    yield* packed ? unpackedOf(chunks) : chunks;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UnusableFile(`There is no file ${file}.`, { cause: error });
    if (code === 'EISDIR') throw new UnusableFile(`${file} is a folder.`, { cause: error });
    if (code === 'EACCES')
      throw new UnusableFile(`This user does not have permission to read the file ${file}.`, { cause: error });
    if (code?.startsWith('Z_'))
      throw new UnusableFile('The packed file (.gz) is damaged or was not copied completely.', { cause: error });
    throw error;
  }
}

async function firstBytes(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  for await (const chunk of bytes) return chunk.subarray(0, 4096);
  return Buffer.alloc(0);
}
