// Writes a small Excel workbook with texts, numbers and headings. Texts are stored as texts, so that Excel never evaluates them.
import { crc32, deflateRawSync } from 'node:zlib';

/** The format of a column: money has cents, a price up to four decimals. */
export type Look = 'text' | 'count' | 'money' | 'price' | 'percent';
export type Cell = string | number | null;
export type SheetColumn = { title: string; width: number; look: Look };
/** `before`: lines above the headings, the first one bold. */
export type WorkSheet = {
  name: string;
  before: readonly string[];
  columns: readonly SheetColumn[];
  rows: readonly (readonly Cell[])[];
};

const STYLE: Record<Look, number> = { text: 0, count: 2, money: 3, price: 4, percent: 5 };
const BOLD = 1;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAX_TEXT_LENGTH = 32_000;

export function writeXlsx(sheets: readonly WorkSheet[]): Buffer {
  const parts: [string, string][] = [
    ['[Content_Types].xml', contentTypes(sheets.length)],
    ['_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbook(sheets)],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map((_, at): [string, string] => ['worksheet', `worksheets/sheet${at + 1}.xml`]),
        ['styles', 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', STYLES],
    ...sheets.map((sheet, at): [string, string] => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(sheet)]),
  ];
  return zipped(parts.map(([name, text]) => [name, Buffer.from(text, 'utf8')]));
}

function sheetXml({ before, columns, rows }: WorkSheet): string {
  const above = before.map((text, at) => rowXml(at + 1, [text], [at === 0 ? BOLD : 0]));
  const first = before.length + (before.length > 0 ? 2 : 1);
  const titles = rowXml(
    first,
    columns.map(({ title }) => title),
    columns.map(() => BOLD),
  );
  const styles = columns.map(({ look }) => STYLE[look]);
  const body = rows.map((cells, at) => rowXml(first + 1 + at, cells, styles));
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const pane = `<pane ySplit="${first}" topLeftCell="A${first + 1}" activePane="bottomLeft" state="frozen"/>`;
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${[...above, titles, ...body].join('')}</sheetData></worksheet>`;
}

function rowXml(number: number, cells: readonly Cell[], styles: readonly number[]): string {
  return `<row r="${number}">${cells.map((cell, at) => cellXml(cell, `${lettersOf(at)}${number}`, styles[at] ?? 0)).join('')}</row>`;
}

/** The name of a column, from 0: A to Z, then AA. */
const lettersOf = (at: number): string =>
  (at >= 26 ? lettersOf(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26));

function cellXml(value: Cell, place: string, style: number): string {
  const look = `r="${place}"${style === 0 ? '' : ` s="${style}"`}`;
  if (value === null || value === '') return '';
  if (typeof value === 'number') return `<c ${look}><v>${value}</v></c>`;
  return `<c ${look} t="inlineStr"><is><t xml:space="preserve">${escaped(value.slice(0, MAX_TEXT_LENGTH))}</t></is></c>`;
}

/** Removes control characters, because XML cannot represent most of them. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function workbook(sheets: readonly WorkSheet[]): string {
  const names = sheets.map(
    ({ name }, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.join('')}</sheets></workbook>`;
}

function relations(targets: readonly [kind: string, target: string][]): string {
  const all = targets.map(
    ([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}

function contentTypes(sheets: number): string {
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const part = (name: string, alias: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${kind}.${alias}+xml"/>`;
  const all = Array.from({ length: sheets }, (_, at) => part(`worksheets/sheet${at + 1}`, 'worksheet'));
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('workbook', 'sheet.main')}${part('styles', 'styles')}${all.join('')}</Types>`;
}

/** In the order of STYLE: plain, bold, counts, money, prices, percent. */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="#,##0.00##"/><numFmt numFmtId="165" formatCode="0.0"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6"><xf/><xf fontId="1" applyFont="1"/>${[3, 4, 164, 165].map((format) => `<xf numFmtId="${format}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`;

/** A ZIP archive of the parts. Their date is fixed, so that the same content always has the same bytes. */
function zipped(parts: readonly (readonly [string, Buffer])[]): Buffer {
  const DATE = 0x21; // January 1, 1980
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of parts) {
    const packed = deflateRawSync(content);
    const path = Buffer.from(name, 'utf8');
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt16LE(DATE, 8);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(path.length, 22);
    local.push(Buffer.from('PK\u0003\u0004', 'latin1'), facts, path, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), facts, rest, path);
    offset += 4 + facts.length + path.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
