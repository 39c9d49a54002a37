// Streams Excel workbooks (.xlsx, .xlsm) as sheets of text rows. A cell contains its displayed value with all digits; a date is ISO.
import type { Readable } from 'node:stream';
import { columnOf } from './merged-cells.server.ts';
import { openZip, type ZipFile } from './read-zip.server.ts';
import { attribute, type XmlEvents, xmlScanner } from './scan-xml.server.ts';
import {
  DAMAGED,
  type Fault,
  MAX_COLUMNS,
  MAX_ROWS,
  type Row,
  type Sheet,
  tooManyRows,
  UnusableFile,
  unpackedOf,
} from './table-file.server.ts';

type Workbook = { zip: ZipFile; strings: Strings; styles: Styles; from1904: boolean };
type Strings = { text: (index: number) => string; isStruck: (index: number) => boolean };
type Styles = { of: Style[]; struck: ReadonlySet<number> };
/** What a number format produces: a date, a time, a percentage, scientific notation, or a pattern. */
type Style = 'number' | 'date' | 'time' | 'percent' | 'scientific' | Pattern;
/**
 * How a format shows a number: minimum decimals, the sign of a currency, and words before and after it (' /cs'); or digits between other characters
 * ('00000-0000-00').
 */
type Pattern = { decimals: number; sign: string; before?: string; after?: string } | { digits: readonly string[] };

/** The limit for the parts held in memory, in bytes. */
const MAX_IN_MEMORY = 256 * 2 ** 20;
/** Every visible sheet is searched. Workbooks of reports have a few dozen. */
const MAX_SHEETS = 255;
const tooManySheets = () =>
  new UnusableFile(`The workbook has more than ${MAX_SHEETS} sheets. Save the one to import as a separate file.`);
/** Excel's own limit is 32,767 characters. */
const MAX_TEXT_LENGTH = 1_000_000;

/** Opens a workbook and returns its sheets in the order of their tabs. Shared strings are held in memory, rows are not. */
export async function openXlsx(path: string): Promise<{ sheets: Sheet[]; close: () => void }> {
  const zip = await openZip(path);
  try {
    return { sheets: await sheetsOf(zip), close: zip.close };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function sheetsOf(zip: ZipFile): Promise<Sheet[]> {
  const top = await relationsOf(zip, '');
  const main = [...top.values()].find((relation) => relation.type === 'officeDocument')?.target;
  if (!main || !zip.has(main))
    throw new UnusableFile(
      'This is a ZIP file, but not an Excel workbook (.xlsx). Unpack it and choose the file inside.',
    );
  if (main.endsWith('.bin'))
    throw new UnusableFile('Binary workbooks (.xlsb) cannot be read: save the file as .xlsx or CSV.');
  const relations = await relationsOf(zip, main);
  const partOf = (type: string): string | undefined =>
    [...relations.values()].find((relation) => relation.type === type && zip.has(relation.target))?.target;

  const tabs: { name: string; part: string; hidden: boolean }[] = [];
  let from1904 = false;
  await scan(zip, main, {
    open: (tag, raw) => {
      if (tag === 'workbookPr') from1904 = /^(?:1|true)$/.test(attribute(raw, 'date1904') ?? '');
      if (tag !== 'sheet') return;
      const relation = relations.get(attribute(raw, 'id') ?? '');
      if (relation?.type !== 'worksheet') return;
      if (tabs.length === MAX_SHEETS) throw tooManySheets();
      // Each sheet must have its own part. Otherwise a hostile file could list one part endlessly.
      if (tabs.some(({ part }) => part === relation.target)) throw new UnusableFile(DAMAGED);
      const state = attribute(raw, 'state') ?? 'visible';
      tabs.push({ name: attribute(raw, 'name') ?? '', part: relation.target, hidden: state !== 'visible' });
    },
  });
  const strings = partOf('sharedStrings');
  const styles = partOf('styles');
  const workbook: Workbook = {
    zip,
    strings: strings ? await sharedStrings(zip, strings) : { text: () => '', isStruck: () => false },
    styles: styles ? await readStyles(zip, styles) : { of: [], struck: new Set() },
    from1904,
  };
  return tabs.map(({ name, part, hidden }) => ({
    name,
    hidden,
    rows: (onMerged, onHidden) => readRows(workbook, part, onMerged, onHidden),
    countRows: () => countRows(zip, part),
    comments: () => commentsOf(zip, part),
  }));
}

async function commentsOf(zip: ZipFile, sheet: string): ReturnType<NonNullable<Sheet['comments']>> {
  const match = [...(await relationsOf(zip, sheet)).values()].find(({ type }) => type === 'comments');
  if (!match || !zip.has(match.target)) return null;
  let count = 0;
  let isText = false;
  const first = { cell: '', text: '' };
  await scan(zip, match.target, {
    open: (tag, raw) => {
      if (tag === 'comment' && ++count === 1) first.cell = attribute(raw, 'ref') ?? '';
      isText = tag === 't' && count === 1;
    },
    text: (text) => {
      if (isText) first.text = longer(first.text, text);
    },
    close: () => void (isText = false),
  });
  // Excel puts an explanation for older versions before a threaded comment.
  const text = first.text.replace(/^\[Threaded comment\][\s\S]*?Comment:/, '').trim();
  return count === 0 ? null : { count, first: { ...first, text } };
}

/** Counts row tags in the raw bytes. The count is approximate, because a tag may be split between chunks. Reading the rows counts exactly. */
async function countRows(zip: ZipFile, part: string): Promise<number> {
  let rows = 0;
  for await (const bytes of wholeBytes(await zip.open(part))) {
    for (let at = bytes.indexOf('row'); at >= 0; at = bytes.indexOf('row', at + 3))
      if ('<:'.includes(charAt(bytes, at - 1)) && ' >/'.includes(charAt(bytes, at + 3)) && ++rows > MAX_ROWS)
        throw tooManyRows();
  }
  return rows;
}

const charAt = (bytes: Buffer, at: number): string => String.fromCharCode(bytes[at] ?? 0);

/** Returns the parts that a part refers to, by id. Targets start at the root ('/xl/…') or in the folder of the part. */
async function relationsOf(zip: ZipFile, part: string): Promise<Map<string, { type: string; target: string }>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const relations = new Map<string, { type: string; target: string }>();
  if (!zip.has(name)) return relations;
  await scan(zip, name, {
    open: (tag, raw) => {
      if (tag !== 'Relationship') return;
      const target = pathOf(attribute(raw, 'Target') ?? '', folder);
      if (target === null) return;
      const type = attribute(raw, 'Type') ?? '';
      relations.set(attribute(raw, 'Id') ?? '', {
        type: type.slice(type.lastIndexOf('/') + 1),
        target,
      });
    },
  });
  return relations;
}

function pathOf(target: string, folder: string): string | null {
  try {
    return decodeURIComponent(new URL(target, `file:///${folder}`).pathname.slice(1));
  } catch {
    return null;
  }
}

async function scan(zip: ZipFile, part: string, on: XmlEvents): Promise<void> {
  const feed = xmlScanner(on);
  for await (const piece of piecesOf(await zip.open(part), MAX_IN_MEMORY)) feed(piece);
}

async function* piecesOf(bytes: Readable, most?: number): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const chunk of wholeBytes(bytes, most)) {
    decoder ??= new TextDecoder(chunk[0] === 0xff ? 'utf-16le' : chunk[0] === 0xfe ? 'utf-16be' : 'utf-8');
    yield decoder.decode(chunk, { stream: true });
  }
}

async function* wholeBytes(bytes: Readable, most?: number): AsyncGenerator<Buffer> {
  try {
    yield* unpackedOf(bytes as AsyncIterable<Buffer>, most);
  } catch (error) {
    throw error instanceof UnusableFile ? error : new UnusableFile(DAMAGED, { cause: error });
  }
}

/** Reads the shared strings that cells refer to. They stay bytes, because a million JavaScript strings would need several times the memory. */
async function sharedStrings(zip: ZipFile, part: string): Promise<Strings> {
  let bytes = Buffer.alloc(64 * 1024);
  let used = 0;
  const ends: number[] = [];
  let text = '';
  let inText = false;
  let inPhonetic = false;
  const struck = new Set<number>();
  await scan(zip, part, {
    open: (tag, raw) => {
      if (tag === 'si') text = '';
      else if (tag === 'strike' && isOn(attribute(raw, 'val'))) struck.add(ends.length);
      else if (tag === 't') inText = !inPhonetic;
      else if (tag === 'rPh') inPhonetic = true;
    },
    text: (piece) => {
      if (inText) text = longer(text, piece);
    },
    close: (tag) => {
      if (tag === 't') inText = false;
      else if (tag === 'rPh') inPhonetic = false;
      else if (tag === 'si') {
        const plain = withoutEscapes(text);
        const needed = used + plain.length * 3;
        if (needed > bytes.length)
          bytes = Buffer.concat([bytes.subarray(0, used), Buffer.alloc(Math.max(needed, used))]);
        used += bytes.write(plain, used);
        ends.push(used);
      }
    },
  });
  return {
    text: (index) => {
      const end = ends[index];
      if (end === undefined) throw new UnusableFile(DAMAGED);
      return bytes.toString('utf8', index === 0 ? 0 : ends[index - 1], end);
    },
    isStruck: (index) => struck.has(index),
  };
}

/** Returns whether a tag such as `<strike/>` or `<strike val="0"/>` switches something on. */
const isOn = (val = ''): boolean => !/^(?:0|false)$/.test(val);

/** Appends a piece of text. Throws for a text that is longer than any real cell. */
function longer(text: string, piece: string): string {
  if (text.length + piece.length > MAX_TEXT_LENGTH) throw new UnusableFile(DAMAGED);
  return text + piece;
}

/** Decodes escapes such as `_x000D_`, which represent characters that XML cannot contain. */
function withoutEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

async function readStyles(zip: ZipFile, part: string): Promise<Styles> {
  const codes = new Map<string, string>();
  const styles: Style[] = [];
  const struck = new Set<number>();
  const struckFonts = new Set<string>();
  let fonts = -1;
  let inFonts = false;
  let inCells = false;
  await scan(zip, part, {
    open: (tag, raw) => {
      if (tag === 'numFmt') codes.set(attribute(raw, 'numFmtId') ?? '', attribute(raw, 'formatCode') ?? '');
      else if (tag === 'cellXfs') inCells = true;
      else if (tag === 'fonts') inFonts = true;
      else if (tag === 'font' && inFonts) fonts++;
      else if (tag === 'strike' && inFonts && isOn(attribute(raw, 'val'))) struckFonts.add(String(fonts));
      else if (tag === 'xf' && inCells) {
        if (struckFonts.has(attribute(raw, 'fontId') ?? '')) struck.add(styles.length);
        const id = attribute(raw, 'numFmtId') ?? '0';
        styles.push(styleOf(Number(id), codes.get(id)));
      }
    },
    close: (tag) => {
      if (tag === 'cellXfs') inCells = false;
      else if (tag === 'fonts') inFonts = false;
    },
  });
  return { of: styles, struck };
}

function styleOf(id: number, code: string | undefined): Style {
  if (code === undefined) return BUILT_IN.find(({ from, to }) => id >= from && id <= to)?.style ?? 'number';
  const letters = code.replace(/"[^"]*"|\[[^\][]*\]|\\.|[_*]./g, '');
  if (/[yd]/i.test(letters) || /m{3}/i.test(letters)) return 'date';
  if (/[hs]/i.test(letters) || /\[[hms]+\]/i.test(code)) return 'time';
  if (letters.includes('%')) return 'percent';
  if (/[0#?]E[+-]/i.test(letters)) return 'scientific';
  return patternOf(code.split(';')[0] ?? '') ?? 'number';
}

/** Returns the pattern of a format for numbers above zero, or null if it shows a number unchanged. */
function patternOf(code: string): Pattern | null {
  // A dollar sign is ignored, because any American workbook may have it in its formats. Other signs name the currency of the amount.
  const sign = /€|\bEUR\b/.test(code) ? '€' : (/[£¥]|\b(?:GBP|CHF|CAD|JPY)\b/.exec(code)?.[0] ?? '');
  const plain = code.replace(/\[[^\][]*\]|[_*]./g, '');
  const digits = /^(?:0|"[^"]*"|\\.|[-/ ()])+$/.test(plain) ? (plain.match(/0|"[^"]*"|\\.|./g) ?? []) : [];
  if (sign === '' && digits.filter((digit) => digit === '0').length > 1)
    return { digits: digits.map((digit) => digit.replace(/^"(.*)"$|^\\(.)$/, '$1$2')) };
  const decimals = /\.(0+)/.exec(plain.replace(/"[^"]*"/g, ''))?.[1]?.length ?? 0;
  const [, first = '', last = ''] =
    /^((?:"[^"]*"|\\.|[^0#?"\\G])*)(?:[0#?]|General)(?:.*(?:[0#?]|General))?(.*)$/.exec(plain) ?? [];
  const [before, after] = [wordsBeside(first), wordsBeside(last)];
  return decimals > 0 || sign !== '' || before !== '' || after !== '' ? { decimals, sign, before, after } : null;
}

/**
 * Returns the words that a part of a format shows beside a number, such as '/cs' or 'per M'. Currency signs are removed, because they are read
 * separately.
 */
function wordsBeside(part: string): string {
  const visible = (part.match(/"[^"]*"|\\./g) ?? []).map((entry) => entry.replace(/^"(.*)"$|^\\(.)$/, '$1$2')).join('');
  const words = visible.replace(/€|\bEUR\b|[£¥$]|\b(?:GBP|CHF|CAD|JPY|US|USD)\b/g, '');
  return /[\p{L}/]/u.test(words) ? words : '';
}

/** Built-in formats, which have a number but no code. */
const BUILT_IN: readonly { from: number; to: number; style: Style }[] = [
  { from: 2, to: 2, style: { decimals: 2, sign: '' } },
  { from: 4, to: 4, style: { decimals: 2, sign: '' } },
  { from: 9, to: 10, style: 'percent' },
  { from: 11, to: 11, style: 'scientific' },
  { from: 14, to: 17, style: 'date' },
  { from: 18, to: 21, style: 'time' },
  { from: 22, to: 22, style: 'date' },
  { from: 27, to: 36, style: 'date' },
  { from: 39, to: 40, style: { decimals: 2, sign: '' } },
  { from: 43, to: 44, style: { decimals: 2, sign: '' } },
  { from: 45, to: 47, style: 'time' },
  { from: 48, to: 48, style: 'scientific' },
  { from: 50, to: 58, style: 'date' },
];

async function* readRows(
  workbook: Workbook,
  part: string,
  onMerged?: (cells: string) => void,
  onHidden?: (first: number, last: number) => void,
): AsyncGenerator<Row> {
  let ready: Row[] = [];
  let line = 0;
  let column = -1;
  let cells: string[] = [];
  let faults: Fault[] = [];
  let type = 'n';
  let style: Style = 'number';
  let struck = false;
  let value: string | null = null;
  let formula: string | null = null;
  let within: 'nothing' | 'cell' | 'value' | 'formula' = 'nothing';
  let inPhonetic = false;
  let ended = false;
  let hasMerged = false;
  let hidden = false;
  const feed = xmlScanner({
    open: (tag, raw) => {
      if (tag === 'row') {
        const before = line;
        line = Number(attribute(raw, 'r') ?? line + 1);
        if (!Number.isInteger(line) || line <= before) throw new UnusableFile(DAMAGED);
        if (line > MAX_ROWS) throw tooManyRows();
        hidden = isTrue(attribute(raw, 'hidden'));
        column = -1;
        cells = [];
        faults = [];
      } else if (tag === 'c') {
        const place = attribute(raw, 'r');
        column = place ? columnOf(place) : column + 1;
        if (column < 0 || column >= MAX_COLUMNS) throw new UnusableFile(DAMAGED);
        type = attribute(raw, 't') ?? 'n';
        const at = Number(attribute(raw, 's') ?? 0);
        style = workbook.styles.of[at] ?? 'number';
        struck = workbook.styles.struck.has(at);
        value = null;
        formula = null;
        within = 'cell';
      } else if (tag === 'col' && isTrue(attribute(raw, 'hidden')))
        onHidden?.(Number(attribute(raw, 'min')) - 1, Number(attribute(raw, 'max')) - 1);
      else if (tag === 'strike') struck ||= isOn(attribute(raw, 'val'));
      else if (tag === 'rPh') inPhonetic = true;
      else if (within === 'cell' && (tag === 'v' || tag === 't') && !inPhonetic)
        [within, value] = ['value', value ?? ''];
      else if (within === 'cell' && tag === 'f') [within, formula] = ['formula', ''];
      else if (tag === 'mergeCell') onMerged?.(attribute(raw, 'ref') ?? '');
    },
    text: (text) => {
      if (within === 'value') value = longer(value ?? '', text);
      else if (within === 'formula') formula = longer(formula ?? '', text);
    },
    close: (tag) => {
      if (tag === 'v' || tag === 't' || tag === 'f') within = within === 'nothing' ? within : 'cell';
      else if (tag === 'rPh') inPhonetic = false;
      else if (tag === 'c') {
        within = 'nothing';
        // Only a formula that returns text can have an empty result.
        const hasResult = type === 'str' ? value !== null : Boolean(value);
        if (formula !== null && !hasResult) faults.push({ at: column, value: `=${formula}`, reason: NO_RESULT });
        if (!value) return;
        while (cells.length < column) cells.push('');
        cells[column] = cellText(workbook, type, style, value);
        if (struck || (type === 's' && workbook.strings.isStruck(Number(value))))
          faults.push({ at: column, value: cells[column] ?? '', reason: STRUCK });
      } else if (tag === 'row') {
        if (faults.length > 0) ready.push(hidden ? { line, cells, faults, hidden } : { line, cells, faults });
        else if (cells.length > 0) ready.push(hidden ? { line, cells, hidden } : { line, cells });
      } else if (tag === 'sheetData') ended = true;
      else if (tag === 'mergeCells') hasMerged = true;
    },
  });
  for await (const piece of piecesOf(await workbook.zip.open(part))) {
    feed(piece);
    yield* ready;
    ready = [];
    // Skips the rest after the cells (links, notes, drawings), or after the merged cells if the caller wants them.
    if (ended && (!onMerged || hasMerged)) return;
  }
  if (ended) return;
  throw new UnusableFile(DAMAGED);
}

const isTrue = (value = ''): boolean => /^(?:1|true)$/.test(value);

const STRUCK = 'is struck out, or a part of it is: leave the row out, or write the value without the strikethrough';
const NO_RESULT = 'is a formula without a stored result: open the file in Excel, save it, and upload it again';

function cellText(workbook: Workbook, type: string, style: Style, value: string): string {
  if (type === 's') return workbook.strings.text(Number(value));
  if (type === 'str' || type === 'inlineStr') return withoutEscapes(value);
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type !== 'n') return value;
  const number = Number(value);
  if (Number.isNaN(number)) return value;
  if (style === 'date') return dateShown(number, workbook.from1904) ?? value;
  // Excel stores 17 digits but shows at most 15: 1549.0900000000001 is 1549.09.
  const plain = (amount: number): number => Number(amount.toPrecision(15));
  if (style === 'time') return timeShown(number);
  if (style === 'percent') return `${plain(number * 100)}%`;
  // Shows such a number in scientific notation, which parsing refuses later: a user who typed 1E5 or too many digits did not mean it.
  if (style === 'scientific' || Math.abs(number) >= 1e15) return plain(number).toExponential().toUpperCase();
  const text = String(value.length > 15 ? plain(number) : number);
  return typeof style === 'object' ? patterned(text, style) : text;
}

/** Returns a time of day, or a duration in hours that may exceed a day. */
function timeShown(days: number): string {
  const seconds = Math.round(days * 86_400);
  const part = (target: number): string => String(Math.floor(target)).padStart(2, '0');
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}`;
}

/** Returns a number as its format shows it, but with all its decimals. */
function patterned(text: string, pattern: Pattern): string {
  if ('digits' in pattern) {
    if (!/^\d+$/.test(text)) return text;
    const places = pattern.digits.filter((digit) => digit === '0').length;
    const digits = [...text.padStart(places, '0')];
    const first = digits.splice(0, digits.length - places + 1).join('');
    let isFirst = true;
    return pattern.digits
      .map((digit) => {
        if (digit !== '0') return digit;
        if (!isFirst) return digits.shift() ?? '';
        isFirst = false;
        return first;
      })
      .join('');
  }
  const [whole = '', part = ''] = text.split('.');
  const cellText = pattern.decimals > part.length ? `${whole}.${part.padEnd(pattern.decimals, '0')}` : text;
  const visible = cellText.startsWith('-') ? `-${pattern.sign}${cellText.slice(1)}` : pattern.sign + cellText;
  return `${pattern.before ?? ''}${visible}${pattern.after ?? ''}`;
}

/** Converts days since 1899-12-30 (or 1904-01-01) to an ISO date, with the time if there is one. Excel has a day 1900-02-29. */
function dateShown(serial: number, from1904: boolean): string | null {
  if (serial < 1 || serial > 2_958_465) return null;
  const days = from1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const iso = new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19);
}
