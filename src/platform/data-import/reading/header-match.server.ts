// Finds the header of a table among its first rows and matches each column to a field.
import { UnusableFile } from './table-file.server.ts';

export type FieldNames = {
  /** Its name in messages and on screens. */
  label: string;
  /** Its known headings in the form of `normalHeading`, the best first. */
  names: readonly string[];
  /** More headings in that form, tried after the names of every field. */
  alike?: RegExp;
};

export type Wanted = {
  /** What is imported, for messages: 'facilities'. */
  kind: string;
  fields: Readonly<Record<string, FieldNames>>;
  /** Sets of fields; at least one must be complete. */
  needs: readonly (readonly string[])[];
  /**
   * The columns that are ignored without a question, such as those that our own export adds: their headings, or 'ignored' for all unmatched columns.
   * 'ignored' is for kinds whose files have dozens of columns and that decide no prices.
   */
  otherColumns?: 'ignored' | readonly string[];
};

/** A heading of the file and the field of its column. An empty field ignores the column. */
export type Mapping = { heading: string; field: string };

/** What is stored about earlier files of a kind. */
export type Memory = {
  /** How the last file was read: its headings, the column (from 0) of each field, and the columns marked as not used. */
  headings: readonly string[];
  columns: Readonly<Record<string, number>>;
  unused: readonly number[];
  /** The user's answer for a heading (in the form of `normalHeading`) in any file: its field, or '' for not used. */
  answers?: ReadonlyMap<string, string>;
};

/** The column (from 0) of each field, the columns that are read or left out as in the last file, and those marked as not used. */
export type Match = { columns: Map<string, number>; remembered: number[]; unused: number[] };

export type Header = {
  line: number;
  /** The column (from 0) of each field. */
  columns: Map<string, number>;
  headings: string[];
  /** The columns that the user marked as not used. */
  unused?: readonly number[] | undefined;
};

export const HEADER_WITHIN = 30;

const WORDS: Record<string, string> = {
  '#': 'number',
  no: 'number',
  num: 'number',
  nbr: 'number',
  desc: 'description',
  descr: 'description',
  qty: 'quantity',
  tel: 'phone',
  telephone: 'phone',
  acct: 'account',
  cust: 'customer',
  amt: 'amount',
  ctlg: 'catalog',
  itm: 'item',
  purch: 'purchase',
  rcv: 'received',
  rcvd: 'received',
  recd: 'received',
  ccy: 'currency',
  crncy: 'currency',
  prc: 'price',
  std: 'standard',
  lvl: 'level',
  cd: 'code',
  dt: 'date',
  eff: 'effective',
  exp: 'expiration',
  addr: 'address',
  uom: 'unit',
  um: 'unit',
  moq: 'minimum order quantity',
  mfr: 'manufacturer',
  mfg: 'manufacturer',
  manuf: 'manufacturer',
  zipcode: 'zip',
  latitude: 'lat',
  longitude: 'lon',
  lng: 'lon',
};

/**
 * Normalizes a heading: lower case, single spaces, abbreviations spelled out. 'Item #', 'ITEM_NO' and 'itemNumber' all become 'item number', 'Addr1'
 * becomes 'address 1'.
 */
export function normalHeading(heading: string): string {
  return (
    heading
      .normalize('NFKD')
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
      .toLowerCase()
      .replaceAll('#', ' # ')
      .replace(/[^a-z0-9#]+/g, ' ')
      .replace(/\b([a-z]{3,})(\d)\b/g, '$1 $2')
      .trim()
      .split(' ')
      .map((word) => WORDS[word] ?? word)
      .join(' ')
      // The steps above split 'UoM' and 'U/M' into two words.
      .replace(/\b(?:uo m|u o m|u m)\b/g, 'unit')
      .replaceAll('zip code', 'zip')
      .replace(/\be mail\b/g, 'email')
  );
}

/** Parses the known headings of a field from a list with commas. */
export function headings(list: string): string[] {
  return list.split(',').map((heading) => heading.trim().replace(/\s+/g, ' '));
}

/** The headings of the first and the last day of a row. 'From' and 'to' alone are missing, because in a price list they can be quantities. */
export const FIRST_DAYS =
  'valid from, effective, effective date, effective from, start, start date, from date, begin, begins, begin date, first day';
export const LAST_DAYS =
  'valid to, effective to, end, ends, end date, expires, expiration, expiration date, expiry, expiry date, termination date, term date, to date, until, thru, through, last day';

/** Parses `heading=field`; an empty or missing right side ignores the column. Throws UnusableFile for an unknown field. */
export function mappingOf(text: string, wanted: Wanted): Mapping {
  const at = text.lastIndexOf('=');
  const heading = (at < 0 ? text : text.slice(0, at)).trim();
  const field = at < 0 ? '' : text.slice(at + 1).trim();
  if (field !== '' && !Object.hasOwn(wanted.fields, field)) {
    throw new UnusableFile(
      `'${text}' maps to '${field}', but ${wanted.kind} have these fields: ${Object.keys(wanted.fields).join(', ')}.`,
    );
  }
  return { heading, field };
}

/** Returns the columns of a header row. Mappings without a matching heading are ignored. */
export function matchHeadings(
  headings: readonly string[],
  wanted: Wanted,
  mappings: readonly Mapping[],
): Map<string, number> {
  const columns = new Map<string, number>();
  const taken = new Set<number>();
  const normal = headings.map(normalHeading);
  for (const { heading, field } of mappings) {
    const exact = headings.findIndex((candidate) => candidate.trim() === heading);
    const at = exact >= 0 ? exact : normal.indexOf(normalHeading(heading));
    if (at < 0) continue;
    taken.add(at);
    if (field) columns.set(field, at);
  }
  for (const [field, { names }] of Object.entries(wanted.fields)) {
    if (columns.has(field)) continue;
    for (const name of names) {
      const at = normal.findIndex((heading, index) => heading === name && !taken.has(index));
      if (at < 0) continue;
      columns.set(field, at);
      taken.add(at);
      break;
    }
  }
  for (const [field, { alike }] of Object.entries(wanted.fields)) {
    if (!alike || columns.has(field)) continue;
    const at = normal.findIndex((heading, index) => alike.test(heading) && !taken.has(index));
    if (at < 0) continue;
    columns.set(field, at);
    taken.add(at);
  }
  return columns;
}

/** The headings that a file of refused rows adds to those of the original. */
export const REFUSED_HEADINGS = ['Line', 'Why refused'];

/**
 * Matches the columns with the help of earlier files. A file with the headings of the last one is read like it. In any other file, a known heading
 * takes precedence over what is stored about it.
 */
export function matchOf(headings: readonly string[], wanted: Wanted, memory: Memory | null): Match {
  const fresh = matchHeadings(headings, wanted, []);
  if (!memory) return { columns: fresh, remembered: [], unused: [] };
  const normal = headings.map(normalHeading);
  const before = memory.headings.map(normalHeading);
  const answers = memory.answers ?? new Map<string, string>();
  const isLikeLast = layoutOf(normal) === layoutOf(before);
  const isKnown = (field: string): boolean => Object.hasOwn(wanted.fields, field);
  const ofLast = Object.entries(memory.columns).filter(([field]) => isKnown(field));
  const columns = new Map(isLikeLast ? ofLast : fresh);
  const taken = new Set(columns.values());
  const earlierAnswers = [
    ...(isLikeLast ? [] : ofLast.map(([field, at]) => [field, before[at] ?? ''] as const)),
    ...[...answers].filter(([, field]) => isKnown(field)).map(([heading, field]) => [field, heading] as const),
  ];
  for (const [field, known] of earlierAnswers) {
    const here = normal.findIndex((heading, at) => heading === known && heading !== '' && !taken.has(at));
    if (here < 0 || columns.has(field) || (isLikeLast && memory.unused.includes(here))) continue;
    columns.set(field, here);
    taken.add(here);
  }
  const unused = normal.flatMap((heading, at) => {
    if (taken.has(at)) return [];
    if (isLikeLast && memory.unused.includes(at)) return [at];
    // If two columns have one heading, it is unclear which one was meant.
    if (heading === '' || normal.indexOf(heading) !== normal.lastIndexOf(heading)) return [];
    const isUnused =
      answers.get(heading) === '' || (!isLikeLast && memory.unused.some((candidate) => before[candidate] === heading));
    return isUnused ? [at] : [];
  });
  const otherwise = [...columns].flatMap(([field, at]) => (fresh.get(field) === at ? [] : [at]));
  return { columns, unused, remembered: [...otherwise, ...unused].toSorted((a, b) => a - b) };
}

/** Returns the headings as one text. A file of refused rows has the layout of its original. */
function layoutOf(normal: readonly string[]): string {
  const added = REFUSED_HEADINGS.map(normalHeading).join('\n');
  const isRefused = normal.slice(-REFUSED_HEADINGS.length).join('\n') === added;
  return (isRefused ? normal.slice(0, -REFUSED_HEADINGS.length) : normal).join('\n');
}

/** Returns whether these columns contain a complete set of required fields. */
export function suffices(columns: ReadonlyMap<string, number>, wanted: Wanted): boolean {
  return wanted.needs.some((set) => set.every((field) => columns.has(field)));
}

/** Returns the best header row with its score, or null if no row is good enough. `match` finds the columns of a row. */
export function findHeader(
  rows: readonly { line: number; cells: string[] }[],
  wanted: Wanted,
  match: (cells: string[]) => Map<string, number>,
): (Header & { score: number }) | null {
  let best: (Header & { score: number }) | null = null;
  let hasRows = false;
  for (const { line, cells } of rows.slice(0, HEADER_WITHIN)) {
    const columns = match(cells);
    // A single column is not enough to describe a record.
    if (columns.size < 2 || !suffices(columns, wanted)) {
      hasRows ||= best !== null && [...best.columns.values()].every((at) => cells[at]?.trim());
      continue;
    }
    // Better headings below complete rows belong to a second table.
    if (hasRows) break;
    const score = columns.size;
    if (!best || score > best.score) best = { line, columns, headings: cells, score };
  }
  return best;
}

/** Returns the row with the most non-blank cells. */
export function fullestRow<R extends { cells: string[] }>(rows: readonly R[]): R | null {
  const filled = ({ cells }: R): number => cells.filter((cell) => cell.trim() !== '').length;
  return rows
    .slice(0, HEADER_WITHIN)
    .reduce<R | null>((best, row) => (!best || filled(row) > filled(best) ? row : best), null);
}

/**
 * Returns the table of a row: null for the table of the header, the header line of another table, or 'headings' if the row repeats the headings on a
 * later page.
 */
export type TableWatch = (line: number, cells: readonly string[]) => null | number | 'headings';

/** Watches rows below the header, in their order, for headings of another table, under which the columns have other meanings. */
export function tableWatch({ columns, headings: input }: Header, { fields, needs }: Omit<Wanted, 'kind'>): TableWatch {
  const normal = input.map(normalHeading);
  const known = new Set([...Object.values(fields).flatMap(({ names }) => names), ...normal]);
  known.delete('');
  // A unit may have the name 'Unit'.
  const needed = new Set(needs.flat().filter((field) => field !== 'unit'));
  const used = [...columns].map(([field, at]) => ({ field, at }));
  const keys = used.filter(({ field }) => needed.has(field));
  const answers = new Map<string, boolean>();
  const isHeading = (cell = ''): boolean => {
    // Item and account numbers are not headings, and looking each of them up would take a while.
    if (cell.length > 80 || !/[a-z]/i.test(cell) || /\d.*\d/.test(cell)) return false;
    const answer = answers.get(cell) ?? known.has(normalHeading(cell));
    if (answers.size < 1000) answers.set(cell, answer);
    return answer;
  };
  let other: number | null = null;
  let hasRows = false;
  const headingsIn = (cells: readonly string[]): 'these' | 'others' | null => {
    const key = keys.find(({ at }) => isHeading(cells[at]));
    if (!key || used.some(({ at }) => /\d/.test(cells[at] ?? '') && !isHeading(cells[at]))) return null;
    const headingAt = (at: number): string => normalHeading(cells[at] ?? '');
    if (used.every(({ at }) => headingAt(at) === normal[at])) return 'these';
    // A file may have two rows of headings, such as readable ones and those of a program.
    if (
      !hasRows &&
      used.every(({ field, at }) => headingAt(at) === normal[at] || fields[field]?.names.includes(headingAt(at)))
    )
      return 'these';
    return cells.filter(isHeading).length > 1 || headingAt(key.at) === normal[key.at] ? 'others' : null;
  };
  return (line, cells) => {
    const result = headingsIn(cells);
    if (result !== null) other = result === 'these' ? null : line;
    hasRows ||= result === null && keys.some(({ at }) => cells[at]?.trim());
    return result === 'these' ? 'headings' : other;
  };
}
