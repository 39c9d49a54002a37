// ZIP files for tests, honest and hostile, written by hand because a library would refuse to write the hostile ones.
import { crc32, deflateRawSync } from 'node:zlib';

export type ZipEntry = {
  name: string;
  bytes: Buffer;
  /** The size that the directory claims. The true size by default. */
  says?: number;
  encrypted?: boolean;
};

/** Packed once, because each packing takes a new compressor, and a hostile file has 30,000 empty parts. */
const NOTHING = deflateRawSync(Buffer.alloc(0));

export function aZip(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, says, encrypted } of entries) {
    const packed = bytes.length === 0 ? NOTHING : deflateRawSync(bytes);
    const [path, flags] = [Buffer.from(name), 0x800 + (encrypted ? 1 : 0)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(says ?? bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    locals.push(Buffer.from('PK\u0003\u0004'), common, path, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, rest, path);
    offset += 30 + path.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}
