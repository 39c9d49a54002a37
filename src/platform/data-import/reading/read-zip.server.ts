// Opens the parts of a ZIP file (such as an .xlsx) by name, unpacked as streams of any size.
import type { Readable } from 'node:stream';
import { type Entry, type ZipFile as Opened, openPromise } from 'yauzl';
import { DAMAGED, MAX_UNPACKED, tooLarge, UnusableFile } from './table-file.server.ts';

export type ZipFile = {
  has: (name: string) => boolean;
  /** Opens the unpacked bytes of a part. */
  open: (name: string) => Promise<Readable>;
  close: () => void;
};

/** A workbook has a few hundred parts; the directory of a hostile file may list millions. */
const MAX_PARTS = 20_000;

/** Throws UnusableFile if the file is not a complete ZIP file. */
export async function openZip(path: string): Promise<ZipFile> {
  const zip = await readable(openPromise(path, { autoClose: false }));
  try {
    const parts = await readable(zipParts(zip));
    return {
      has: (name) => parts.has(name),
      open: async (name) => {
        const part = parts.get(name);
        if (!part) throw new UnusableFile(`${DAMAGED} (It has no ${name}.)`);
        if (part.isEncrypted()) throw new UnusableFile('The Excel file has a password: save it without one.');
        return readable(zip.openReadStreamPromise(part));
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function zipParts(zip: Opened): Promise<Map<string, Entry>> {
  const parts = new Map<string, Entry>();
  if (zip.entryCount > MAX_PARTS) throw new UnusableFile('The Excel file has too many parts to be a workbook.');
  // The limit is for all parts together, because a workbook is read sheet by sheet. Unpacking checks that a part is not larger than the directory
  // says.
  let unpacked = 0;
  for await (const part of zip.eachEntry()) {
    unpacked += part.uncompressedSize;
    if (unpacked > MAX_UNPACKED) throw tooLarge();
    parts.set(part.fileName, part);
  }
  return parts;
}

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof UnusableFile ? error : new UnusableFile(DAMAGED, { cause: error });
  }
}
