// Copies the pictures of a quote from the file store to disk, where the PDF process reads them. The server keeps none of them in memory.
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Services } from '#platform/api/services.server.ts';
import { FileMissingError } from '#platform/outside/file-store.server.ts';
import type { QuoteDocument } from './quote-document.ts';

/** `pictures` maps file ids to paths. `whole` is false when the store failed, so that a later attempt may succeed. */
type Brought = { folder: string | null; pictures: Record<number, string>; whole: boolean };

const AT_A_TIME = 8;

/** The caller deletes `folder`. A lost or damaged file is left out and logged. */
export async function bringPictures(
  { database, files, log }: Pick<Services, 'database' | 'files' | 'log'>,
  document: QuoteDocument,
): Promise<Brought> {
  const ids = [...new Set(document.lines.flatMap(({ picture }) => picture?.print ?? []))];
  if (ids.length === 0) return { folder: null, pictures: {}, whole: true };
  const waiting = await database.db
    .selectFrom('file')
    .select(['id', 'storage_key', 'size'])
    .where('id', 'in', ids)
    .execute();
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'quote-pictures-'));
  const brought: Brought = { folder, pictures: {}, whole: true };
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const file = path.join(folder, `${next.id}.jpg`);
      try {
        await pipeline(await files.open(next.storage_key), createWriteStream(file));
        if (await isWhole(file, next.size)) brought.pictures[next.id] = file;
        else log.warn({ file: next.id, key: next.storage_key }, 'a picture of a quote is damaged');
      } catch (error) {
        if (!(error instanceof FileMissingError)) brought.whole = false;
        log.warn({ file: next.id, key: next.storage_key, err: error }, 'a picture of a quote could not be read');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return brought;
}

/** Whether the file has its stored size and is a JPEG. Any other file would make the PDF fail. */
async function isWhole(file: string, size: number): Promise<boolean> {
  const opened = await fs.open(file);
  try {
    const { buffer } = await opened.read(Buffer.alloc(3), 0, 3, 0);
    return (await opened.stat()).size === size && buffer.toString('hex') === 'ffd8ff';
  } finally {
    await opened.close();
  }
}
