// Tests how PDFs of usage become tables: columns by their places, wrapped cells, heads and feet of pages, and what is refused.
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { onePagePdf } from '#features/demo/one-page-pdf.server.ts';
import { aPdf, encryptedPdf, type Placed } from '#testing/a-pdf.server.ts';
import { readPdfTable } from './pdf-pool.server.ts';

let made = 0;
async function read(bytes: Buffer) {
  const file = path.join(os.tmpdir(), `table-${process.pid}-${++made}.pdf`);
  await writeFile(file, bytes);
  return readPdfTable({ log: console }, file);
}

const HEAD: readonly [number, string][] = [
  [40, 'Item #'],
  [100, 'Mfr Cat #'],
  [180, 'Description'],
  [380, 'UOM'],
  [430, 'Annual Qty'],
  [510, 'Unit Price'],
];
const head = (y: number): Placed[] => HEAD.map(([x, text]) => [x, y, text]);
const row = (y: number, ...cells: string[]): Placed[] =>
  cells.flatMap((text, at): Placed[] => (text === '' ? [] : [[HEAD[at]?.[0] ?? 0, y, text]]));
const GLOVES = ['H1', 'GL-2210', 'Glove exam nitrile medium', 'CS', '1,200', '88.20'];
const CATHS = ['H2', '00381', 'IV catheter 18G', 'BX', '12', '90.00'];

it('finds the columns by their headings, and rows on several pages', async () => {
  const { fault, rows, notes } = await read(
    aPdf([
      [[40, 30, 'Saint Mary: usage of 2025'], ...head(60), ...row(80, ...GLOVES), [300, 760, 'Page 1 of 2']],
      [[40, 30, 'Saint Mary: usage of 2025'], ...head(60), ...row(80, ...CATHS), [300, 760, 'Page 2 of 2']],
    ]),
  );
  expect(fault).toBe('');
  expect(rows).toEqual([HEAD.map(([, text]) => text), GLOVES, CATHS]);
  expect(notes).toEqual(['4 lines at the head or foot of pages are left out.']);
});

it('reads numbers on the right of their columns, and headings on two lines', async () => {
  const { rows } = await read(
    aPdf([
      [
        [40, 50, 'Item'],
        [40, 60, 'Number'],
        [120, 60, 'Description'],
        [330, 50, 'Annual'],
        [340, 60, 'Usage'],
        [420, 60, 'Price'],
        ...[80, 100, 120].flatMap((y, at): Placed[] => [
          [40, y, `4471-${at}`],
          [120, y, 'Gauze sponge 4x4 12 ply sterile'],
          [at === 0 ? 345 : 355, y, at === 0 ? '1,200' : '40'],
          [at === 2 ? 405 : 425, y, at === 2 ? '10,000.00' : '8.00'],
        ]),
      ],
    ]),
  );
  expect(rows[0]).toEqual(['Item Number', 'Description', 'Annual Usage', 'Price']);
  expect(rows.slice(1).map((cells) => [cells[0], cells[2], cells[3]])).toEqual([
    ['4471-0', '1,200', '8.00'],
    ['4471-1', '40', '8.00'],
    ['4471-2', '40', '10,000.00'],
  ]);
});

it('joins wrapped cells, below and around their row, and says so', async () => {
  const { rows, notes } = await read(
    aPdf([
      [
        ...head(60),
        ...row(80, 'H1', 'GL-', 'Glove exam nitrile', 'CS', '10', '1.00'),
        ...row(90, '', '2210', 'powder free medium'),
        // The row stands in the middle of its description.
        ...row(130, '', '', 'IV catheter 18G'),
        ...row(140, 'H2', '00381', '', 'BX', '12', '9.00'),
        ...row(150, '', '', 'straight'),
        ...row(200, 'Department 42'),
      ],
    ]),
  );
  expect(rows.slice(1)).toEqual([
    ['H1', 'GL-2210', 'Glove exam nitrile powder free medium', 'CS', '10', '1.00'],
    ['H2', '00381', 'IV catheter 18G straight', 'BX', '12', '9.00'],
    ['Department 42', '', '', '', '', ''],
  ]);
  expect(notes).toEqual(['3 lines that go on with a row are joined to it.']);
});

it('keeps rows that are the same on every page', async () => {
  const page = [...head(60), ...row(80, ...GLOVES), ...row(100, ...CATHS)];
  const { rows } = await read(aPdf([page, page, page]));
  expect(rows.slice(1)).toEqual([GLOVES, CATHS, GLOVES, CATHS, GLOVES, CATHS]);
});

it('parts a table without known headings by its empty strips', async () => {
  const strange = (y: number, ...cells: string[]) => cells.map((text, at): Placed => [40 + 150 * at, y, text]);
  const { rows } = await read(
    aPdf([[...strange(60, 'Alpha', 'Beta', 'Gamma'), ...strange(80, 'MDX', 'GL-2210', '5')]]),
  );
  expect(rows).toEqual([
    ['Alpha', 'Beta', 'Gamma'],
    ['MDX', 'GL-2210', '5'],
  ]);
});

it('names the pages without text', async () => {
  const { notes } = await read(aPdf([[...head(60), ...row(80, ...GLOVES)], [], []]));
  expect(notes).toEqual(['Pages 2, 3 have no text and are not read.']);
});

it('reads hundreds of pages', async () => {
  const pages = Array.from({ length: 500 }, (_, page) => [
    ...head(60),
    ...Array.from({ length: 30 }, (_row, at) => row(80 + 20 * at, `H${page}-${at}`, ...GLOVES.slice(1))).flat(),
  ]);
  const { fault, rows } = await read(aPdf(pages));
  expect([fault, rows.length, rows.at(-1)?.[0]]).toEqual(['', 15_001, 'H499-29']);
}, 120_000);

it.each<[what: string, bytes: Buffer, fault: RegExp]>([
  ['a scan', aPdf([[], []]), /only pictures of pages: it is a scan/],
  ['a password', encryptedPdf(onePagePdf(['Read me']), 'encrypt=aes-256,user-password=secret'), /has a password/],
  ['nothing but a mark', Buffer.from('%PDF-1.7'), /cannot be read/],
  ['half a file', aPdf([head(60)]).subarray(0, 200), /cannot be read/],
])('refuses %s in words', async (_what, bytes, fault) => {
  expect(await read(bytes)).toMatchObject({ fault: expect.stringMatching(fault), rows: [] });
});

it('reads a PDF that only its owner may change', async () => {
  const bytes = encryptedPdf(aPdf([[...head(60), ...row(80, ...GLOVES)]]), 'encrypt=aes-256,owner-password=secret');
  expect((await read(bytes)).rows[1]).toEqual(GLOVES);
});
