// Reads a configurator's file: separated text, Excel or JSON. The content decides the format, not the file name.
import fs from 'node:fs/promises';
import { recordReader } from '#platform/data-import/reading/read-records.server.ts';
import { cleaned, cut } from '#platform/data-import/reading/cell-values.server.ts';
import {
  matchHeadings,
  findHeader,
  type Header,
  HEADER_WITHIN,
  type Wanted,
} from '#platform/data-import/reading/header-match.server.ts';
import { isJson } from '#platform/data-import/reading/read-geojson.server.ts';
import { openTable, type TableFile } from '#platform/data-import/reading/read-table.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { type Row, type Sheet, UnusableFile } from '#platform/data-import/reading/table-file.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { fieldsFor, type FileConfiguration, type FileRow, NEEDED, textIn } from './file-rows.server.ts';
import { parseQuoteNumber } from './quote-number.server.ts';
import { MAX_STAGED } from './stage-items.server.ts';

type Quote = Pick<QuoteRecord, 'num' | 'currn_idx'>;

/** The content of a file for a quote. */
type ItemsFile = {
  configurations: FileConfiguration[];
  /** Headings of columns that the reader does not recognize. */
  ignored: string[];
};

/** Throws UnusableFile with a sentence if nothing can be read. A configuration without a name in the file gets the file's name. */
export async function readItemsFile(path: string, fileName: string, quote: Quote): Promise<ItemsFile> {
  const ownName = cut(cleaned(fileName.replace(/^.*[/\\]/, '').replace(/\.\w{1,5}$/, '')), 100);
  const bytes = await firstBytes(path);
  if (isJson(bytes.toString('utf8').replace(/^\ufeff/, ''))) return ofJson(await jsonIn(path), ownName, quote);
  const table = await openTable(path);
  try {
    return await ofTable(table, ownName, quote);
  } finally {
    await table.close();
  }
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await fs.open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function jsonIn(path: string): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await fs.readFile(path)));
  } catch (error) {
    throw new UnusableFile('The file is not valid JSON. It may be damaged, incomplete or not in UTF-8.', {
      cause: error,
    });
  }
}

const SHAPE =
  'A JSON file must contain one configuration, {"configId", "name", "items": [{"position", "itemNumber", "qty", …}]}, or a list of them.';

function ofJson(content: unknown, ownName: string, quote: Quote): ItemsFile {
  const entries = Array.isArray(content) ? (content as unknown[]) : [content];
  const configurations = entries.map((entry): FileConfiguration => {
    const { configId, name, items, quoteNumber } = recordOf(entry);
    if (!Array.isArray(items)) throw new UnusableFile(SHAPE);
    if (quoteNumber !== undefined && parseQuoteNumber(textIn(quoteNumber, 40)) !== quote.num) {
      throw new UnusableFile(`The file is for quote ${textIn(quoteNumber, 40)}, not for this quote.`);
    }
    const rows = (items as unknown[]).map((item, index): FileRow => {
      const isItem = typeof item === 'object' && item !== null && !Array.isArray(item);
      const place = `Item ${index + 1}`;
      return { place, given: recordOf(item), problem: isItem ? '' : `${place} is not an object with fields.` };
    });
    return { configId: textIn(configId, 101) || (entries.length === 1 ? ownName : ''), name: textIn(name, 201), rows };
  });
  return { configurations: checked(configurations), ignored: [] };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function checked(configurations: FileConfiguration[]): FileConfiguration[] {
  const ids = configurations.map(({ configId }) => configId);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (ids.includes('')) throw new UnusableFile('Each configuration in the file needs a configId.');
  if (twice !== undefined) throw new UnusableFile(`Configuration ${twice} appears twice in the file.`);
  if (ids.some((id) => id.length > 100)) throw new UnusableFile('The configId can have at most 100 characters.');
  if (configurations.some(({ name }) => name.length > 200)) {
    throw new UnusableFile('The name of a configuration can have at most 200 characters.');
  }
  if (configurations.length > MAX_CONFIGURATIONS) {
    throw new UnusableFile(`A file can contain at most ${MAX_CONFIGURATIONS} configurations.`);
  }
  if (configurations.reduce((sum, { rows }) => sum + rows.length, 0) > MAX_STAGED) throw tooMany();
  return configurations;
}

const MAX_CONFIGURATIONS = 100;

const tooMany = () =>
  new UnusableFile(
    `The file has too many items. A quote can have at most ${MAX_STAGED.toLocaleString('en-US')} waiting configurator items.`,
  );

type Found = { sheet: Sheet; header: Header };

async function ofTable(table: TableFile, ownName: string, quote: Quote): Promise<ItemsFile> {
  const fields = fieldsFor(currencyOf(quote.currn_idx));
  const { sheet, header } = await theSheet(table, { kind: 'items of a configurator', fields, needs: [NEEDED] });
  const reader = recordReader(
    {
      kind: 'configurator',
      fields,
      needs: [NEEDED],
      everyRow: null,
      toRecords: (values) => {
        const missing = NEEDED.find((field) => values[field] === undefined);
        return missing ? { field: missing, refusal: new Refusal('is empty') } : [values];
      },
    },
    header,
    { noteCorrection: () => {}, isText: table.separated },
  );
  const rows: TableRow[] = [];
  for await (const row of sheet.rows()) {
    if (row.line <= header.line) continue;
    const read = fileRow(row, reader.read(row), header, quote);
    if (read && rows.push(read) > MAX_STAGED) throw tooMany();
  }
  const [comma] = reader.commaColumns();
  if (comma) {
    // Beside 12,50, the text 1,250 may mean 1.25, so every number of the column is ambiguous.
    throw new UnusableFile(
      `Line ${comma.line}, ${comma.heading}: '${comma.value}' is written with a decimal comma. Write numbers as 1,234.50.`,
    );
  }
  if (rows.length === 0) throw new UnusableFile('The file has no rows below the headings.');
  const used = new Set(header.columns.values());
  return {
    configurations: checked(grouped(rows, ownName)),
    ignored: header.headings
      .filter((_heading, at) => !used.has(at))
      .map((heading) => cut(cleaned(heading), 100))
      .filter(Boolean),
  };
}

/** The only sheet with the headings. */
async function theSheet({ sheets }: TableFile, wanted: Wanted): Promise<Found> {
  const results: Found[] = [];
  for (const sheet of sheets) {
    if (sheet.hidden) continue;
    const header = findHeader(await firstRows(sheet), wanted, (cells) => matchHeadings(cells, wanted, []));
    if (header) results.push({ sheet, header });
  }
  const [only] = results;
  if (!only) {
    throw new UnusableFile(
      'The file does not start with a row of headings that includes Position, Item number and Quantity.',
    );
  }
  if (results.length > 1) {
    const names = results.map(({ sheet }) => `'${sheet.name}'`).join(' and ');
    throw new UnusableFile(`The sheets ${names} both contain items. Save the sheet to import as a separate file.`);
  }
  return only;
}

async function firstRows(sheet: Sheet): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of sheet.rows()) {
    rows.push(row);
    if (rows.length === HEADER_WITHIN) break;
  }
  return rows;
}

type TableRow = FileRow & { configId: string; name: string };

function fileRow(
  row: Row,
  read: ReturnType<ReturnType<typeof recordReader>['read']>,
  { columns }: Header,
  quote: Quote,
): TableRow | null {
  if (read === 'skipped') return null;
  const place = `Line ${row.line}`;
  const written = Object.fromEntries([...columns].map(([field, at]) => [field, textIn(row.cells[at], 4000)]));
  const own = { place, configId: written['configId'] ?? '', name: written['name'] ?? '' };
  const { quoteNumber } = written;
  if ('refused' in read) {
    const [first] = read.refused;
    const value = first?.value ? `'${cut(first.value, 100)}' ` : '';
    const reason = (first?.reason ?? '').replace(/\.$/, '');
    return { ...own, given: written, problem: `${place}${comma(first?.column)}: ${value}${reason}.` };
  }
  if (quoteNumber && parseQuoteNumber(quoteNumber) !== quote.num) {
    return { ...own, given: written, problem: `${place}: This row is for quote ${quoteNumber}, not for this quote.` };
  }
  const values = { ...read.records[0] };
  const input = {
    ...values,
    qty: Number(values['qty']),
    ...(values['price'] === undefined ? {} : { price: Number(values['price']) }),
  };
  return { ...own, given: input, problem: '' };
}

const comma = (column: string | undefined): string => (column ? `, ${column}` : '');

/** Groups the rows by their configuration. A row without one becomes a problem in the first configuration. */
function grouped(rows: readonly TableRow[], ownName: string): FileConfiguration[] {
  const first = rows.find(({ configId }) => configId !== '')?.configId;
  const known = rows.map((row) =>
    first === undefined || row.configId !== ''
      ? row
      : { ...row, problem: row.problem || `${row.place}: This row has no configuration.` },
  );
  const groups = Map.groupBy(known, ({ configId }) => configId || (first ?? ownName));
  return [...groups].map(([configId, own]) => ({
    configId,
    name: own.find(({ name }) => name !== '')?.name ?? '',
    rows: own.map(({ place, given, problem }) => ({ place, given, problem })),
  }));
}
