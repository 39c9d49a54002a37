// The parts of a ZIP file (an .xlsx is one), found through its directory and unpacked as streams, so that size does not matter.
import fs from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { UnusableFile } from './table-file.ts';

type Part = { method: number; at: number; packed: number };

export type ZipFile = {
  has: (name: string) => boolean;
  /** The unpacked bytes of a part. */
  open: (name: string) => Promise<Readable>;
};

const DAMAGED = 'The Excel file is damaged or was not copied completely.';

/** Reads the directory at the end of a ZIP file. Throws UnusableFile when there is none. */
export async function openZip(path: string): Promise<ZipFile> {
  const file = await fs.promises.open(path);
  try {
    const parts = await directoryOf(file);
    return {
      has: (name) => parts.has(name),
      open: async (name) => {
        const part = parts.get(name);
        if (!part) throw new UnusableFile(`${DAMAGED} (It has no ${name}.)`);
        return openPart(path, part);
      },
    };
  } finally {
    await file.close();
  }
}

async function directoryOf(file: fs.promises.FileHandle): Promise<Map<string, Part>> {
  const { size } = await file.stat();
  const tail = await bytesAt(file, Math.max(0, size - 66_000), Math.min(size, 66_000));
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0) throw new UnusableFile(DAMAGED);
  let length = tail.readUInt32LE(end + 12);
  let at = tail.readUInt32LE(end + 16);
  const locator = end - 20;
  if (at === 0xffffffff && locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50) {
    const end64 = await bytesAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
    length = Number(end64.readBigUInt64LE(40));
    at = Number(end64.readBigUInt64LE(48));
  }
  if (at + length > size) throw new UnusableFile(DAMAGED);
  const directory = await bytesAt(file, at, length);
  const parts = new Map<string, Part>();
  for (let i = 0; i + 46 <= directory.length && directory.readUInt32LE(i) === 0x02014b50; ) {
    const nameEnd = i + 46 + directory.readUInt16LE(i + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(i + 30);
    const name = directory.toString('utf8', i + 46, nameEnd).replaceAll('\\', '/');
    const part = {
      method: directory.readUInt16LE(i + 10),
      at: directory.readUInt32LE(i + 42),
      packed: directory.readUInt32LE(i + 20),
    };
    widen(part, directory.readUInt32LE(i + 24), directory.subarray(nameEnd, extraEnd));
    parts.set(name, part);
    i = extraEnd + directory.readUInt16LE(i + 32);
  }
  return parts;
}

/** Sizes and places past 4 GB stand in the extra field (ZIP64), in this order and only those that did not fit. */
function widen(part: Part, unpacked: number, extra: Buffer): void {
  for (let i = 0; i + 4 <= extra.length; i += 4 + extra.readUInt16LE(i + 2)) {
    if (extra.readUInt16LE(i) !== 1) continue;
    let at = i + 4;
    const next = (): number => Number(extra.readBigUInt64LE((at += 8) - 8));
    if (unpacked === 0xffffffff) next();
    if (part.packed === 0xffffffff) part.packed = next();
    if (part.at === 0xffffffff) part.at = next();
    return;
  }
}

async function openPart(path: string, part: Part): Promise<Readable> {
  const file = await fs.promises.open(path);
  const header = await bytesAt(file, part.at, 30);
  await file.close();
  if (header.readUInt32LE(0) !== 0x04034b50 || (part.method !== 0 && part.method !== 8))
    throw new UnusableFile(DAMAGED);
  const start = part.at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = fs.createReadStream(path, { start, end: start + part.packed - 1 });
  return part.method === 0 ? packed : pipeline(packed, createInflateRaw(), () => {});
}

async function bytesAt(file: fs.promises.FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw new UnusableFile(DAMAGED);
  return buffer;
}
