// Writes a ZIP as a stream, one file at a time, without compression: most files are PDFs and Office files, which do not shrink.
import { crc32 } from 'node:zlib';
import { goodFileName, nameKey } from './file-names.server.ts';

export type ZipEntry = { folders: string[]; name: string; changedAt: Date; bytes: Buffer };

const UTF8_NAMES = 0x800;
const VERSION = 20;

/** Yields a ZIP of fewer than 65,535 files and 4 GB. Its paths are safe to unpack and unique where case does not matter. */
export async function* zipOf(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  const taken = new Set<string>();
  let offset = 0;
  for await (const entry of entries) {
    const path = Buffer.from(uniquePath(entry, taken));
    const { bytes, changedAt } = entry;
    const { time, date } = dosTime(changedAt);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(time, 6);
    common.writeUInt16LE(date, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([VERSION, 0]), common, rest, path]));
    offset += local.length + bytes.length;
    yield local;
    yield bytes;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  yield Buffer.concat([...directory, end]);
}

function uniquePath({ folders, name }: ZipEntry, taken: Set<string>): string {
  const folder = folders.map(goodFileName).join('/');
  const safe = goodFileName(name);
  for (let count = 1; ; count++) {
    const dot = safe.lastIndexOf('.');
    const stem = dot > 0 ? safe.slice(0, dot) : safe;
    const one = count === 1 ? safe : `${stem} (${count})${safe.slice(stem.length)}`;
    const path = folder ? `${folder}/${one}` : one;
    const key = nameKey(path);
    if (taken.has(key)) continue;
    taken.add(key);
    return path;
  }
}

/** Time in the ZIP format: two-second steps since 1980, in UTC. */
function dosTime(at: Date): { time: number; date: number } {
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((Math.max(1980, at.getUTCFullYear()) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}
