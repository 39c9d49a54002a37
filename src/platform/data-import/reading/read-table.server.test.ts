// Tests reading files: encodings, line endings, separators, and quotes; workbooks of several programs; damaged files.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { aZip } from '#testing/a-zip.server.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { csvLine } from '#platform/shared/csv.ts';
import { separatorOf } from './read-csv.server.ts';
import { openTable } from './read-table.server.ts';
import type { Row } from './table-file.server.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'read-table-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(bytes: Uint8Array | string): string {
  const file = path.join(folder, `file-${++files}`);
  fs.writeFileSync(file, bytes);
  return file;
}

async function rowsOf(file: string, sheet = 0): Promise<Row[]> {
  const table = await openTable(file);
  try {
    const rows: Row[] = [];
    for await (const row of table.sheets[sheet]?.rows() ?? []) rows.push(row);
    return rows;
  } finally {
    await table.close();
  }
}

const cellsOf = async (bytes: Uint8Array | string): Promise<string[][]> =>
  (await rowsOf(fileOf(bytes))).map(({ cells }) => cells);

function utf16(text: string, order: 'le' | 'be', mark: boolean): Buffer {
  const bytes = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}

const encodings: Record<string, (text: string) => Buffer> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le with mark': (text) => utf16(text, 'le', true),
  'utf-16be with mark': (text) => utf16(text, 'be', true),
  'utf-16le': (text) => utf16(text, 'le', false),
  'utf-16be': (text) => utf16(text, 'be', false),
  // é, the curly apostrophe, and the euro sign are 0xE9, 0x92, and 0x80.
  'windows-1252': (text) => Buffer.from(text.replaceAll('’', '\u0092').replaceAll('€', '\u0080'), 'latin1'),
};
const lineEnds = { LF: '\n', CRLF: '\r\n', CR: '\r' };
const separators = [',', ';', '\t', '|'];

describe('separated text', () => {
  const combinations = Object.keys(encodings).flatMap((encoding) =>
    Object.entries(lineEnds).flatMap(([name, end]) =>
      separators.map((separator) => ({ encoding, name, end, separator })),
    ),
  );
  test.each(combinations)('$encoding, $name, $separator', async ({ encoding, end, separator }) => {
    const lines = [
      ['code', 'name', 'note'],
      ['010012', 'St. Mary’s Café', 'two\nlines'],
      ['', 'a "quoted" word', '12 €'],
      ['x', `with ${separator} inside`, ''],
    ];
    const text = lines.map((cells) =>
      cells.map((cell) => (/["\n,;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator),
    );
    const bytes = encodings[encoding]?.(`${text.join('\n')}\n`.replaceAll('\n', end)) ?? Buffer.alloc(0);
    const expected = lines.map((cells, index) => ({ line: [1, 2, 4, 5][index], cells }));
    expect(await rowsOf(fileOf(bytes))).toEqual(expected);
    expect(await rowsOf(fileOf(gzipSync(bytes)))).toEqual(expected);
  });

  test('text written as CSV reads back the same', async () => {
    const anything = fc.oneof(
      fc.string({ unit: 'grapheme-ascii' }),
      fc.stringMatching(/^[ ,;|"'\n\tÄ€🍣0-9a-z=]{0,12}$/u),
      fc.constantFrom('', '-5', '+1.50', 'a,b', '"', '""', '\n', ' x '),
    );
    // A cell of several lines with commas may look like rows after a stray quote.
    const cell = anything.filter((text) => !/,.*\n|\n.*,/s.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        async (rows) => {
          const named = [['a', 'b', 'c', 'd'], ...rows.map((cells) => ['row', ...cells])];
          const text = named.map(csvLine).join('');
          const back = (cells: string[]): string[] =>
            cells.map((entry) => (/^'\s*[=+\-@\t]/.test(entry) ? entry.slice(1) : entry));
          const original = named.map((cells) => cells.map((entry) => back([entry])[0]));
          expect((await cellsOf(text)).map(back)).toEqual(original);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('a line end that is split between two chunks is one line end', async () => {
    const wide = 'x'.repeat(97);
    const lines = Array.from({ length: 9000 }, (_, index) => `${index},${wide}`);
    const rows = await rowsOf(fileOf(`n,text\r\n${lines.join('\r\n')}\r\n`));
    expect(rows).toHaveLength(9001);
    expect(rows.every(({ line }, index) => line === index + 1)).toBe(true);
  });

  test('the line count includes blank lines, mixed line ends, and line breaks in quotes', async () => {
    const rows = await rowsOf(fileOf('a,b\r\n\r\n"1\r\n1",2\n\n3,4\r"5\n\n5",6'));
    expect(rows.map(({ line, cells }) => [line, cells[1]])).toEqual([
      [1, 'b'],
      [3, '2'],
      [6, '4'],
      [7, '6'],
    ]);
  });

  test('an inch mark inside a cell is an ordinary character', async () => {
    expect(await cellsOf('item|name\n1|5" NEEDLE\n2|3" X 4" PAD')).toEqual([
      ['item', 'name'],
      ['1', '5" NEEDLE'],
      ['2', '3" X 4" PAD'],
    ]);
  });

  test('a quote opened by mistake swallows no rows: each of them is refused, and the lines of the quote are named', async () => {
    const text =
      'item,name,price\nA1,"Glove,5.00\nA2,Mask,6.00\nA3,Box",7.00\nA4,5" pad,8.00\n"A5,Tape,9.00\nA6,Gauze,1.00"\n';
    const rows = await rowsOf(fileOf(text));
    const refused = (line: number, cells: string[], from: number, to: number) => ({
      line,
      cells,
      faults: [
        {
          at: null,
          reason: `A quote (") that opens in line ${from} and closes in line ${to} spans lines that look like rows. Remove it, or double it.`,
        },
      ],
    });
    expect(rows).toEqual([
      { line: 1, cells: ['item', 'name', 'price'] },
      refused(2, ['A1', 'Glove', '5.00'], 2, 4),
      refused(3, ['A2', 'Mask', '6.00'], 2, 4),
      refused(4, ['A3', 'Box', '7.00'], 2, 4),
      { line: 5, cells: ['A4', '5" pad', '8.00'] },
      refused(6, ['A5', 'Tape', '9.00'], 6, 7),
      refused(7, ['A6', 'Gauze', '1.00'], 6, 7),
    ]);
  });

  test.each([
    ['a text of two lines', 'a,b,c\n1,"two\nlines",3\n'],
    ['with commas in both', 'a,b,c\n1,"one, two,\nthree, four, five",3\n'],
    ['in the first column', 'a,b,c\n"two\nlines",2,3\n'],
    ['in the last column', 'a,b,c\n1,2,"two\nlines, and more"\n'],
    ['an address in two columns', 'a,b\n1,"1 Main St\nSuite 2, Boaz, AL"\n'],
  ])('%s is an ordinary cell', async (_what, text) => {
    const rows = await rowsOf(fileOf(text));
    expect(rows).toHaveLength(2);
    expect(rows.every(({ faults }) => !faults)).toBe(true);
  });

  test('a small file of ten million rows is refused early, with a sentence', async () => {
    const bomb = fileOf(Buffer.concat(Array.from({ length: 10 }, () => gzipSync(Buffer.alloc(4_000_000, '1,2\n')))));
    expect(fs.statSync(bomb).size).toBeLessThan(100_000);
    await expect(openTable(bomb)).rejects.toThrow(
      'The file has more than 2,000,000 rows, the most that one import can have. Split it into smaller files.',
    );
  });

  test('a line of very many columns is refused', async () => {
    await expect(rowsOf(fileOf(`a,b\n${','.repeat(20_000)}\n`))).rejects.toThrow('Line 2 has 20,001 columns');
  });

  test('a single late byte that is not UTF-8 makes the file Windows-1252', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`a,b\n${'1,2\n'.repeat(100_000)}`),
      Buffer.from([0x63, 0xe9, 0x2c, 0x31]),
    ]);
    const rows = await rowsOf(fileOf(bytes));
    expect(rows.at(-1)).toEqual({ line: 100_002, cells: ['cé', '1'] });
  });

  test.each([
    ['a,b,c\n1,2,3\n', ','],
    ['Prices, gloves, and more\nItem;Price\n1;2,50\n2;3,75\n', ';'],
    ['a|b\n"1,2,3"|x\n"4,5,6"|y\n', '|'],
    ['sep=;\na,b;c\n', ';'],
    ['only one column\n00501\n00544\n', ','],
    ['a\tb\n1, 2\t3\n', '\t'],
  ])('%j is split at %j', (sample, separator) => {
    expect(separatorOf(sample)).toBe(separator);
  });

  test.each<[string, () => Uint8Array | string, RegExp]>([
    ['nothing', () => '', /empty/],
    ['a quote that never closes', () => `a,b\n1,2\n3,"open\n${'x,y\n'.repeat(50)}`, /line 3/],
    ['a cut off .gz', () => gzipSync(`a,b\n${'1,2\n'.repeat(5000)}`).subarray(0, 60), /damaged/],
    ['an old Excel file', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /\.xls\)/],
    ['a picture', () => Buffer.from('89504e470d0a1a0a0000000d49484452000000010000', 'hex'), /neither text/],
    ['a ZIP of something else', () => zipOf({ 'readme.txt': 'hello' }), /not an Excel workbook/],
    ['a cut off workbook', () => zipOf({ 'readme.txt': 'hello' }).subarray(0, 40), /damaged/],
  ])('%s is refused with a sentence', async (_name, bytes, sentence) => {
    await expect(rowsOf(fileOf(bytes()))).rejects.toThrow(sentence);
  });

  test.each([
    [
      'X12',
      'ISA*00*          *00*          *01*111111111      *01*222222222      *260101*1053*U*00401*000000001*0*T*^~GS*SC*S*R*260101*1053*1*X*004010~ST*832*0001~LIN*1*MG*A-1~',
      'This is an EDI 832 file, a price catalog. EDI files are not supported: export it as CSV or Excel and upload that file.',
    ],
    [
      'X12 with line breaks and another separator',
      '\n\nISA|00|          |00|          |01|111111111      |01|222222222      |260101|1053|U|00401|000000001|0|T|^\nGS|PO|S|R|260101|1053|1|X|004010\nST|850|0001\n',
      'This is an EDI 850 file, a purchase order. EDI',
    ],
    ['X12 without its envelope', 'ST*867*0001\nBPT*00*1*20260101\nPTD*SD\n', 'This is an EDI 867 file. EDI files'],
    [
      'X12 whose message is unknown',
      'GS*SC*SENDER*RECEIVER*260101*1053*1*X*004010\n',
      'This is an EDI file (X12). EDI files',
    ],
    [
      'EDIFACT',
      "UNA:+.? 'UNB+UNOA:1+S+R+260101:1000+1'UNH+1+PRICAT:D:96A:UN'",
      'This is an EDI PRICAT file, a price catalog. EDI',
    ],
    ['EDIFACT without its separators', "UNB+UNOC:3+S+R+260101:1000+1'\n", 'This is an EDI file (EDIFACT). EDI files'],
  ])('%s is refused in a sentence', async (_what, text, sentence) => {
    await expect(openTable(fileOf(text))).rejects.toThrow(sentence);
    await expect(openTable(fileOf(`\ufeff${text}`))).rejects.toThrow(sentence);
  });

  test.each([
    'ISA Member,Price\n1,2\n',
    'ST,City\nCT,Hartford\n',
    'GS Number,Item\n1,2\n',
    'UNB,UNA\n1,2\n',
    'ST*Price\n1\n',
  ])('a table whose first heading begins like EDI is read: %j', async (text) => {
    await expect(openTable(fileOf(text))).resolves.toMatchObject({ separated: true });
  });

  test('a missing file and a folder are refused', async () => {
    await expect(openTable(path.join(folder, 'missing.csv'))).rejects.toThrow(/There is no file/);
    await expect(openTable(folder)).rejects.toThrow(/is a folder/);
  });
});

describe('workbooks', () => {
  test('a workbook of another library: texts, numbers, dates, formulas, rich text, gaps', async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('Disclaimer');
    const sheet = workbook.addWorksheet('Prices');
    sheet.addRow(['Code', 'Price', 'Day', 'Note', 'Flag']);
    sheet.addRow([
      '0012',
      1549.0900000000001,
      new Date(Date.UTC(2024, 1, 29)),
      { richText: [{ text: 'two ' }, { text: 'parts' }] },
      true,
    ]);
    sheet.addRow([
      27201347,
      { formula: '1+1', result: 2 },
      new Date(Date.UTC(2024, 0, 2, 13, 45)),
      'a & b <c>\n“d”',
      false,
    ]);
    sheet.getCell('A5').value = 12;
    sheet.getCell('A5').numFmt = '000000';
    sheet.getCell('D5').value = { text: 'a link', hyperlink: 'https://example.org' };
    sheet.getCell('E5').value = { formula: 'A1&"x"', result: 'Codex' };
    const file = fileOf(new Uint8Array(await workbook.xlsx.writeBuffer()));
    const table = await openTable(file);
    expect(table.format).toBe('Excel workbook');
    expect(table.sheets.map(({ name }) => name)).toEqual(['Disclaimer', 'Prices']);
    expect(await rowsOf(file, 1)).toEqual([
      { line: 1, cells: ['Code', 'Price', 'Day', 'Note', 'Flag'] },
      { line: 2, cells: ['0012', '1549.09', '2024-02-29', 'two parts', 'true'] },
      { line: 3, cells: ['27201347', '2', '2024-01-02T13:45:00', 'a & b <c>\n“d”', 'false'] },
      { line: 5, cells: ['000012', '', '', 'a link', 'Codex'] },
    ]);
    expect(await rowsOf(fileOf(gzipSync(fs.readFileSync(file))), 1)).toHaveLength(4);
  });

  test('percentages keep their sign, shortened numbers are marked, and a formula without a result is named', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('A');
    const cell = (place: string, value: ExcelJS.CellValue, numFmt = 'General') => {
      sheet.getCell(place).value = value;
      sheet.getCell(place).numFmt = numFmt;
    };
    cell('A1', 0.0825, '0.00%');
    cell('B1', 0.07, '0%');
    cell('C1', 1.5, '0.0"%"');
    cell('D1', 0.125, '0.00%;[Red]-0.00%');
    cell('E1', 100_000, '0.00E+00');
    cell('F1', 123_456_789_012_345_680);
    cell('G1', 123_456_789_012);
    cell('H1', { formula: 'A1*2' });
    cell('I1', { formula: 'A1&""', result: '' });
    cell('J1', new Date(Date.UTC(2026, 2, 10)), 'd-mmm');
    const [row] = await rowsOf(fileOf(new Uint8Array(await workbook.xlsx.writeBuffer())));
    expect(row?.cells).toEqual([
      '8.25%',
      '7%',
      '1.5',
      '12.5%',
      '1E+5',
      '1.23456789012346E+17',
      '123456789012',
      '',
      '',
      '2026-03-10',
    ]);
    expect(row?.faults).toEqual([
      {
        at: 7,
        value: '=A1*2',
        reason: 'is a formula without a stored result: open the file in Excel, save it, and upload it again',
      },
    ]);
  });

  test.for([
    ['<c r="A1"><f>B2*2</f></c>', '=B2*2'],
    ['<c r="A1"><f>B2*2</f><v/></c>', '=B2*2'],
    ['<c r="A1"><f>B2*2</f><v></v></c>', '=B2*2'],
    ['<c r="A1" t="str"><f>B2&amp;""</f></c>', '=B2&""'],
    ['<c r="A1" t="str"><f>B2&amp;""</f><v></v></c>', null],
    ['<c r="A1"><f>B2*2</f><v>0</v></c>', null],
    ['<c r="A1"><v/></c>', null],
  ] as const)('a formula whose result is not stored: %s', async ([cell, named]) => {
    const parts = {
      '_rels/.rels': '<r><Relationship Id="a" Type="x/officeDocument" Target="b.xml"/></r>',
      'b.xml': '<workbook><sheets><sheet name="S" r:id="a"/></sheets></workbook>',
      '_rels/b.xml.rels': '<r><Relationship Id="a" Type="x/worksheet" Target="s.xml"/></r>',
      's.xml': `<worksheet><sheetData><row r="1">${cell}<c r="B1"><v>1</v></c></row></sheetData></worksheet>`,
    };
    const [row] = await rowsOf(fileOf(zipOf(parts)));
    const reason = 'is a formula without a stored result: open the file in Excel, save it, and upload it again';
    expect(row?.faults).toEqual(named === null ? undefined : [{ at: 0, value: named, reason }]);
  });

  test('prefixed tags, targets from the root, other part names, inline and phonetic texts, dates of 1904, hidden sheets', async () => {
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const relationships = (list: [string, string, string][]): string =>
      `<?xml version="1.0"?><Relationships>${list
        .map(([id, type, target]) => `<Relationship Target='${target}' Type="${office}/${type}" Id="${id}"/>`)
        .join('')}</Relationships>`;
    const bytes = zipOf({
      '_rels/.rels': relationships([['r1', 'officeDocument', '/book/main.xml']]),
      'book/main.xml': `<x:workbook xmlns:x="${main}" xmlns:r="${office}"><!-- <x:sheet> --><x:workbookPr date1904="1"/><x:sheets>
        <x:sheet name="Hidden &amp; old" sheetId="1" state="hidden" r:id="a"/><x:sheet name="Shown" sheetId="2" r:id="b"/></x:sheets></x:workbook>`,
      'book/_rels/main.xml.rels': relationships([
        ['a', 'worksheet', 'one.xml'],
        ['b', 'worksheet', '/book/sheets/two.xml'],
        ['c', 'sharedStrings', 'texts.xml'],
        ['d', 'styles', 'styles.xml'],
      ]),
      'book/texts.xml': `<x:sst><x:si><x:t>first_x000A_line</x:t></x:si><x:si><x:r><x:t xml:space="preserve">a </x:t></x:r><x:rPh><x:t>no</x:t></x:rPh><x:r><x:t>b</x:t></x:r></x:si><x:si/></x:sst>`,
      'book/styles.xml':
        '<x:styleSheet><x:numFmts><x:numFmt numFmtId="170" formatCode="[$-409]d\\-mmm\\-yy;[>0]@"/></x:numFmts><x:cellXfs><x:xf numFmtId="0"/><x:xf numFmtId="170"/></x:cellXfs></x:styleSheet>',
      'book/one.xml': '<x:worksheet><x:sheetData/></x:worksheet>',
      'book/sheets/two.xml': `<x:worksheet><x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c><x:c t="s"><x:v>2</x:v></x:c></x:row>
        <x:row r='7'><x:c r='B7' s='1'><x:v>0.5</x:v></x:c><x:c r="AB7" t="inlineStr"><x:is><x:t>in&#x20AC;line</x:t></x:is></x:c><x:c r="AC7" s="1"><x:v>1</x:v></x:c>
        <x:c r="AD7" t="e"><x:v>#N/A</x:v></x:c><x:c r="AE7"><x:v>1E-3</x:v></x:c></x:row></x:sheetData><x:row><x:c><x:v>not a cell</x:v></x:c></x:row></x:worksheet>`,
    });
    const file = fileOf(bytes);
    const table = await openTable(file);
    expect(table.sheets.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['Hidden & old', true],
      ['Shown', false],
    ]);
    await table.close();
    const rows = await rowsOf(file, 1);
    expect(rows[0]).toEqual({ line: 1, cells: ['first\nline', 'a b', ''] });
    expect(rows[1]?.line).toBe(7);
    const filled = rows[1]?.cells.map((cell, at) => [at, cell]).filter(([, cell]) => cell !== '');
    expect(filled).toEqual([
      [1, '0.5'],
      [27, 'in€line'],
      [28, '1904-01-02'],
      [29, '#N/A'],
      [30, '0.001'],
    ]);
  });

  test('a sheet that breaks off is refused, not partly read', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('A');
    for (let row = 0; row < 3000; row++) sheet.addRow([row, 'text']);
    const whole = Buffer.from(await workbook.xlsx.writeBuffer());
    const parts = zipOf({
      '_rels/.rels': '<R><Relationship Id="1" Type="x/officeDocument" Target="w.xml"/></R>',
      'w.xml': '<workbook><sheets><sheet name="A" r:id="s"/></sheets></workbook>',
      '_rels/w.xml.rels': '<R><Relationship Id="s" Type="x/worksheet" Target="s.xml"/></R>',
      's.xml': '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2',
    });
    await expect(rowsOf(fileOf(parts))).rejects.toThrow(/damaged/);
    await expect(rowsOf(fileOf(whole.subarray(0, whole.length - 500)))).rejects.toThrow(/damaged/);
  });

  describe('that would fill the memory or never end are refused early', () => {
    const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    const workbook = (rows: string, more: Record<string, string> = {}) => ({
      '_rels/.rels': '<R><Relationship Id="1" Type="x/officeDocument" Target="w.xml"/></R>',
      'w.xml': '<workbook><sheets><sheet name="A" r:id="s"/></sheets></workbook>',
      '_rels/w.xml.rels':
        '<R><Relationship Id="s" Type="x/worksheet" Target="s.xml"/><Relationship Id="t" Type="x/sharedStrings" Target="t.xml"/></R>',
      's.xml': sheetOf(rows),
      ...more,
    });
    const sheets = (count: number, partOf: (at: number) => string) => {
      const all = Array.from({ length: count }, (_, at) => at);
      return {
        'w.xml': `<workbook><sheets>${all.map((at) => `<sheet name="${at}" r:id="s${at}"/>`).join('')}</sheets></workbook>`,
        '_rels/w.xml.rels': `<R>${all.map((at) => `<Relationship Id="s${at}" Type="x/worksheet" Target="${partOf(at)}"/>`).join('')}</R>`,
      };
    };
    const inlineCell = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
    const text = 'a'.repeat(9_000_000);

    test.each<[string, Record<string, string>, RegExp]>([
      ['a cell in a column far out', workbook('<row r="1"><c r="ZZZZZZZZ1"><v>1</v></c></row>'), /damaged/],
      ['a tag without an end', workbook(`<row r="1" a="${text}`), /does not end|damaged/],
      ['a text without an end', workbook(`<row r="1"><c r="A1" t="inlineStr"><is><t>${text}`), /does not end|damaged/],
      [
        'a text that nobody can index',
        workbook('<row r="1"><c r="A1" t="s"><v>99</v></c></row>', { 't.xml': '<sst/>' }),
        /damaged/,
      ],
      ['a text in very many pieces', workbook(inlineCell(`${'a'.repeat(9)}<!-- -->`.repeat(200_000))), /damaged/],
      [
        'a shared text in very many pieces',
        workbook('', { 't.xml': `<sst><si><t>${`${'a'.repeat(9)}<!-- -->`.repeat(200_000)}</t></si></sst>` }),
        /damaged/,
      ],
      ['elements that are nested without end', workbook('<a>'.repeat(1000)), /damaged/],
      ['a row far out', workbook('<row r="99999999999"><c r="A1"><v>1</v></c></row>'), /more than 2,000,000 rows/],
      ['a row that is no number', workbook('<row r="x"><c r="A1"><v>1</v></c></row>'), /damaged/],
      [
        'entities that stand for each other',
        {
          ...workbook(''),
          's.xml': `<!DOCTYPE z [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${sheetOf(inlineCell('&b;'))}`,
        },
        /damaged/,
      ],
      [
        'an entity that refers to a file',
        {
          ...workbook(''),
          's.xml': `<!DOCTYPE z [<!ENTITY a SYSTEM "file:///etc/hostname">]>${sheetOf(inlineCell('&a;'))}`,
        },
        /damaged/,
      ],
      [
        'very many sheets',
        workbook(
          '',
          sheets(256, (at) => `s${at}.xml`),
        ),
        /more than 255 sheets/,
      ],
      [
        'the same sheet again and again',
        workbook(
          '',
          sheets(2, () => 's.xml'),
        ),
        /damaged/,
      ],
      [
        'a directory of very many parts',
        { ...workbook(''), ...Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`part${at}`, ''])) },
        /too many parts/,
      ],
    ])('%s', async (_what, parts, message) => {
      await expect(rowsOf(fileOf(zipOf(parts)))).rejects.toThrow(message);
    });

    test('refuses a sheet with too many rows without reading them', async () => {
      const table = await openTable(fileOf(zipOf(workbook('<row/>'.repeat(2_010_000)))));
      await expect(table.sheets[0]?.countRows()).rejects.toThrow(/more than 2,000,000 rows/);
      await table.close();
    });

    test('overlapping parts, wrong lengths, a password', async () => {
      const whole = zipOf(workbook('<row r="1"><c r="A1"><v>1</v></c></row>'));
      const entry = whole.indexOf('s.xml', whole.indexOf('PK\x01\x02', 0, 'latin1')) - 46;
      const changed = (change: (bytes: Buffer) => void) => {
        const bytes = Buffer.from(whole);
        change(bytes);
        return rowsOf(fileOf(bytes));
      };
      expect(await changed(() => {})).toHaveLength(1);
      await expect(changed((bytes) => bytes.writeUInt32LE(0, entry + 42))).rejects.toThrow(/damaged/);
      await expect(changed((bytes) => bytes.writeUInt32LE(0x7fff_ffff, entry + 42))).rejects.toThrow(/damaged/);
      await expect(changed((bytes) => bytes.writeUInt32LE(7, entry + 24))).rejects.toThrow(/damaged/);
      const lock = (bytes: Buffer) => {
        bytes.writeUInt16LE(1, entry + 8);
        bytes.writeUInt32LE(bytes.readUInt32LE(entry + 20) - 12, entry + 24);
      };
      await expect(changed(lock)).rejects.toThrow(/password/);
    });

    test('parts of more than a gigabyte together', async () => {
      const bytes = Buffer.alloc(1000);
      const zip = aZip([1, 2, 3].map((at) => ({ name: `${at}.xml`, bytes, says: 400 * 2 ** 20 })));
      await expect(openTable(fileOf(zip))).rejects.toThrow(/unpacks to more than/);
    });

    test('a relationship without a valid target is ignored', async () => {
      const parts = workbook('<row r="1"><c r="A1"><v>1</v></c></row>');
      const odd =
        '<Relationship Id="x" Type="x/styles" Target="%"/><Relationship Id="y" Type="x/styles" Target="http://["/></R>';
      const file = fileOf(
        zipOf({
          ...parts,
          '_rels/w.xml.rels': parts['_rels/w.xml.rels'].replace('</R>', odd).replace('"x/sharedStrings"', '"x/none"'),
        }),
      );
      expect(await rowsOf(file)).toEqual([{ line: 1, cells: ['1'] }]);
    });
  });
});

/** A ZIP file whose parts are stored without compression. */
function zipOf(parts: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const bytes = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), bytes);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, Buffer.from(name));
    at += 30 + Buffer.byteLength(name) + bytes.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length / 4, 8);
  end.writeUInt16LE(directory.length / 4, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, list, end]);
}
