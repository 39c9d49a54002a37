// Imports an upload into the inbox: one picture, or a ZIP of many.
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { UploadOutcome } from '../pictures.contract.ts';
import { LARGEST_PICTURE, TOO_LARGE } from '../renditions/picture-limits.server.ts';
import { takePicture } from './take-picture.server.ts';

const MAX_ENTRIES = 2_000;
/** The limit for all unpacked files together, in bytes. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;
/** Files that systems add to a ZIP. */
const NOISE = /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

type Received = { path: string; name: string };

/** Returns every file with its result. `skipped` counts folders and files that systems add. */
export async function readUpload(
  services: Services,
  upload: Received,
  by: Caller,
): Promise<{ files: UploadOutcome[]; skipped: number }> {
  if (!(await isZip(upload.path))) return { files: [await takePicture(services, { ...upload, by })], skipped: 0 };
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pictures-'));
  const zip = await opened(upload.path);
  try {
    const { entries, skipped } = await entriesOf(zip);
    const files: UploadOutcome[] = [];
    for (const entry of entries) files.push(await takeEntry(services, zip, entry, { folder, by }));
    return { files, skipped };
  } finally {
    zip.close();
    await fs.rm(folder, { recursive: true, force: true });
  }
}

async function isZip(file: string): Promise<boolean> {
  const handle = await fs.open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.readUInt32BE(0) === 0x504b0304 || buffer.readUInt32BE(0) === 0x504b0506;
  } finally {
    await handle.close();
  }
}

const badFile = (message: string) => invalid([{ path: 'file', message }]);

function opened(file: string): Promise<ZipFile> {
  return openPromise(file, { autoClose: false }).catch((error: Error) => {
    throw Object.assign(badFile('The ZIP file is damaged. Create a new one and upload it.'), { cause: error });
  });
}

/** The files in a ZIP, in order. Refuses the ZIP before unpacking anything if it is not a plain ZIP of pictures. */
async function entriesOf(zip: ZipFile): Promise<{ entries: Entry[]; skipped: number }> {
  if (zip.entryCount > MAX_ENTRIES)
    throw badFile(`The ZIP file has more than ${MAX_ENTRIES.toLocaleString('en-US')} files. Upload it in parts.`);
  const entries: Entry[] = [];
  let skipped = 0;
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || NOISE.test(entry.fileName)) skipped++;
      else entries.push(entry);
      total += entry.uncompressedSize;
    }
  } catch (error) {
    const misleads = /relative path|absolute path|characters in fileName/i.test((error as Error).message);
    const words = misleads
      ? 'The ZIP file refers to files outside itself, so nothing was imported.'
      : 'The ZIP file is damaged. Create a new one and upload it.';
    throw Object.assign(badFile(words), { cause: error });
  }
  if (total > MAX_BYTES) throw badFile('The ZIP file contains more than 2 GB. Upload it in parts.');
  return { entries, skipped };
}

class TooLarge extends Error {}

async function takeEntry(
  services: Services,
  zip: ZipFile,
  entry: Entry,
  { folder, by }: { folder: string; by: Caller },
): Promise<UploadOutcome> {
  const name = entry.fileName.split('/').at(-1) ?? entry.fileName;
  const refused = (message: string): UploadOutcome => ({ name, outcome: 'refused', pictureId: null, message });
  if (entry.isEncrypted()) return refused('The file has a password. Save the ZIP file without one.');
  if (entry.uncompressedSize > LARGEST_PICTURE) return refused(TOO_LARGE);
  // Never use the name from the ZIP file as a path.
  const file = path.join(folder, 'entry');
  try {
    await pipeline(await zip.openReadStreamPromise(entry), atMost(LARGEST_PICTURE), createWriteStream(file));
  } catch (error) {
    if (error instanceof TooLarge) return refused(TOO_LARGE);
    if ((error as NodeJS.ErrnoException).code?.startsWith('E')) throw error;
    return refused('The file cannot be unpacked: the ZIP file is damaged there.');
  }
  return takePicture(services, { path: file, name, by });
}

/** A ZIP file may lie about the size of a file. */
function atMost(limit: number): Transform {
  let seen = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      seen += chunk.length;
      done(seen > limit ? new TooLarge() : null, chunk);
    },
  });
}
