// Converts what a customer sent to a file of rows: a table as it is, or the table found in the text of a mail.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type HttpError, invalid } from '#platform/api/http-error.ts';
import type { Upload } from '#platform/api/upload.server.ts';
import { suffices } from '#platform/data-import/reading/header-match.server.ts';
import { readable } from '#platform/data-import/running/take-upload.server.ts';
import { type FoundTable, lookAt } from '#platform/data-import/running/upload-table.server.ts';
import { isRequest, readRequest } from '#core/quoting/request-text/request-text.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { USAGE } from './usage-columns.server.ts';

export type Given = { name: string; mediaType: string; path: string; found: FoundTable };

/** Passes a file of rows to `work`, and removes temporary files afterwards. If there are no rows, throws 422 with advice. */
export async function withGiven<T>(
  upload: Upload | undefined,
  text: string,
  work: (input: Given) => Promise<T>,
): Promise<T> {
  if (!upload && text.trim() === '') throw unusable('Choose a file, or paste the rows.');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'usage-'));
  let count = 0;
  const creation = async (content: string): Promise<string> => {
    const file = path.join(folder, `rows-${++count}`);
    await writeFile(file, content);
    return file;
  };
  const asTable = async (name: string, rows: string[][], notes: string[]): Promise<Given> => {
    const file = await creation(separated(rows));
    const result = await readable(() => lookAt(file, USAGE, null));
    return { name, mediaType: TABLE, path: file, found: { ...result, notes: [...notes, ...result.notes] } };
  };
  const sent = upload ?? { name: 'Pasted rows.txt', mediaType: 'text/plain', path: await creation(text) };
  try {
    const result = await readable(() => lookAt(sent.path, USAGE, null)).catch((error: unknown) => error as HttpError);
    if (!(result instanceof Error) && suffices(new Map(Object.entries(result.header.columns)), USAGE))
      return await work({ ...sent, found: result });
    const request = await requestIn(sent.path);
    if (request) return await work(await asTable(sent.name, request.rows, request.notes));
    if (result instanceof Error) throw result;
    return await work({ ...sent, found: result });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const TABLE = 'text/tab-separated-values';
/** A longer text is not a typed mail. */
const MAX_MAIL_BYTES = 256 * 1024;
const HEADINGS = ['Item number', 'Quantity', 'Unit', 'Description'];

/** The items that a text requests in words, as a table. Null for any other file. */
async function requestIn(file: string): Promise<{ rows: string[][]; notes: string[] } | null> {
  if ((await stat(file)).size > MAX_MAIL_BYTES) return null;
  const request = readRequest(await readFile(file, 'utf8'));
  if (!isRequest(request)) return null;
  const { lines, aside } = request;
  const unsure = lines.filter(({ qty }) => qty === '').length;
  return {
    rows: [HEADINGS, ...lines.map(({ itemNumber, qty, unit, description }) => [itemNumber, qty, unit, description])],
    notes: [
      `Read as email text: ${countOf(lines.length, 'row')}${unsure > 0 ? `, ${unsure} without a quantity` : ''}.`,
      ...(aside.length > 0 ? [`Not read as rows: ${aside.map((line) => `'${line}'`).join(', ')}.`] : []),
    ],
  };
}

const unusable = (message: string): HttpError => invalid([{ path: 'file', message }]);

/** Tab-separated rows of equal width, so that no other character is mistaken for the separator. */
function separated(rows: readonly (readonly string[])[]): string {
  const width = Math.max(2, ...rows.map((cells) => cells.length));
  const cell = (text: string): string => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text);
  return rows
    .map((cells) => `${Array.from({ length: width }, (_, at) => cell(cells[at] ?? '')).join('\t')}\n`)
    .join('');
}
