// What a customer sent, as a file of rows: as it is, or as the table that is found in a PDF or in the words of a mail.
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type HttpError, invalid } from '#api/http-error.ts';
import type { Services } from '#api/services.server.ts';
import type { Upload } from '#api/upload.server.ts';
import { readPdfTable } from '../pdf/pdf-pool.server.ts';

/** `notes`: what a person should know about how it became rows, in sentences. */
export type Given = { name: string; mediaType: string; path: string; notes: string[] };

/** Hands a file of rows to `work` and removes what was made for it. Throws 422 for what has no rows, with what to do instead. */
export async function withGiven<T>(
  services: Pick<Services, 'log'>,
  upload: Upload | undefined,
  text: string,
  work: (given: Given) => Promise<T>,
): Promise<T> {
  if (!upload && text.trim() === '') throw unusable('Choose a file, or paste the rows.');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'usage-'));
  const made = async (name: string, content: string, notes: string[]): Promise<Given> => {
    const file = path.join(folder, 'rows');
    await writeFile(file, content);
    return { name, mediaType: 'text/tab-separated-values', path: file, notes };
  };
  try {
    if (!upload) return await work({ ...(await made('Pasted rows.txt', text, [])), mediaType: 'text/plain' });
    if (!(await isPdf(upload))) return await work({ ...upload, notes: [] });
    const table = await readPdfTable(services, upload.path);
    if (table.fault !== '') throw unusable(table.fault);
    return await work(await made(upload.name, separated(table.rows), table.notes));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const unusable = (message: string): HttpError => invalid([{ path: 'file', message }]);

/** The mark may stand behind a few other bytes. */
const MARK_WITHIN = 1024;

async function isPdf({ name, mediaType, path: file }: Upload): Promise<boolean> {
  if (/^application\/pdf$/i.test(mediaType) || /\.pdf$/i.test(name)) return true;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MARK_WITHIN), 0, MARK_WITHIN, 0);
    return buffer.subarray(0, bytesRead).toString('latin1').startsWith('%PDF-');
  } finally {
    await handle.close();
  }
}

/** Tab separated, each row as wide as the others, so that nobody takes another character for the separator. */
export function separated(rows: readonly (readonly string[])[]): string {
  const width = Math.max(2, ...rows.map((cells) => cells.length));
  const cell = (text: string): string => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text);
  return rows
    .map((cells) => `${Array.from({ length: width }, (_, at) => cell(cells[at] ?? '')).join('\t')}\n`)
    .join('');
}
