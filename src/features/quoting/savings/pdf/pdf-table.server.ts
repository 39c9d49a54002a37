// Makes a table of the words of a PDF: the line of headings says which columns there are, and empty strips of the page part them.
import { cleaned } from '#features/operations/data-import/reading/cell-values.server.ts';
import { matchOf, normalHeading, suffices } from '#features/operations/data-import/reading/header-match.server.ts';
import { countOf } from '#shared/count-of.ts';
import { USAGE } from '../reading/usage-columns.server.ts';

/** A word with its place, in points from the top left of the page. */
export type PdfWord = { text: string; x0: number; x1: number /** The base line. */; y: number; size: number };
export type PdfPage = { number: number; words: PdfWord[] };

/** A table found in a PDF, and what a person should know about how it was read. `fault` says why there is none; else it is ''. */
export type PdfTable = { fault: string; rows: string[][]; notes: string[] };

/** Words without a gap between them that parts columns. */
type Run = { words: PdfWord[]; x0: number; x1: number };
type Line = { page: number; y: number; size: number; runs: Run[] };
type Heading = { text: string; x0: number; x1: number };
/** Headings that stand on `lines` lines from `at`. */
type Head = { headings: Heading[]; at: number; lines: number; fields: Map<string, number> };

/** In parts of the size of the letters. A space is 0.3, in a typewriter's font 0.6. */
const COLUMN_GAP = 0.75;
const SAME_LINE = 0.35;
/** The most distance of lines that belong together. */
const NEXT_LINE = 1.8;
/** What a word that begins or ends beside a strip counts, against one that crosses it: it decides between strips that equally many cross. */
const ALIGNED = 0.05;
/** In points: wider than any paper. */
const MOST_WIDTH = 20_000;
const MOST_HEADING_LINES = 3;
const MOST_HEADING_WORDS = 30;
/** Pages on which the headings may stand first, behind a letter. */
const HEAD_WITHIN_PAGES = 10;

const KNOWN = new Set(Object.values(USAGE.fields).flatMap(({ names }) => names));
/** A row has one of these; a line with none of them may go on with a row. */
const VALUES = new Set(['unit', 'eachesPerUnit', 'qty', 'qtyPerYear', 'price', 'pricePerEach', 'spend']);
/** Numbers that wrap are put together without a space. */
const NUMBERS = new Set(['itemNo', 'catalogNo', 'makerNo', 'gtin', 'ndc', 'hcpcs']);

/** The rows from the first line on, as wide as the headings. Without headings that are known, columns are what empty strips part. */
export function tableOf(
  pages: readonly PdfPage[],
  notes: readonly string[] = [],
): { rows: string[][]; notes: string[] } {
  const { lines, dropped } = withoutRunningHeads(pages.map(pageLines));
  const head = headOf(lines);
  const said = [...notes];
  if (dropped > 0)
    said.push(
      `${countOf(dropped, 'line', 'lines')} at the head or foot of pages ${dropped > 1 ? 'are' : 'is'} left out.`,
    );
  const { rows, joined, across } = head ? rowsUnder(head, lines) : rowsWithout(lines);
  if (joined > 0)
    said.push(
      `${countOf(joined, 'line', 'lines')} that ${joined > 1 ? 'go' : 'goes'} on with a row ${joined > 1 ? 'are' : 'is'} joined to it.`,
    );
  if (across > 0)
    said.push(
      `In ${countOf(across, 'row', 'rows')} of the PDF text runs from one column into the next. Compare ${across > 1 ? 'them' : 'it'} with the file.`,
    );
  return { rows, notes: said };
}

function pageLines({ number, words }: PdfPage): Line[] {
  const lines: { y: number; size: number; words: PdfWord[] }[] = [];
  for (const word of words.toSorted((a, b) => a.y - b.y)) {
    const last = lines.at(-1);
    if (last && word.y - last.y <= SAME_LINE * Math.max(last.size, word.size)) last.words.push(word);
    else lines.push({ y: word.y, size: word.size, words: [word] });
  }
  return lines.map(({ y, size, words: all }) => ({ page: number, y, size, runs: runsOf(all) }));
}

function runsOf(words: readonly PdfWord[]): Run[] {
  const runs: Run[] = [];
  for (const word of words.toSorted((a, b) => a.x0 - b.x0)) {
    const last = runs.at(-1);
    if (last && word.x0 - last.x1 <= COLUMN_GAP * word.size) {
      last.words.push(word);
      last.x1 = Math.max(last.x1, word.x1);
    } else runs.push({ words: [word], x0: word.x0, x1: word.x1 });
  }
  return runs;
}

const wordsText = (words: readonly PdfWord[]): string => words.map(({ text }) => text).join(' ');
const lineText = ({ runs }: Line): string => runs.map(({ words }) => wordsText(words)).join('  ');

const PAGE_NUMBER = /^(?:page|pg\.?|p\.)?\s*\d{1,4}(?:\s*(?:of|\/)\s*\d{1,4})?$/i;

/** A row that two pages have at the same height has more cells. */
const MOST_RUNNING_RUNS = 3;

/** Drops what stands apart at the top or bottom of a page and is a page number, or stands there on another page word by word. */
function withoutRunningHeads(pages: readonly Line[][]): { lines: Line[]; dropped: number } {
  const key = (line: Line): string => `${Math.round(line.y / 2)} ${lineText(line)}`;
  const seen = new Map<string, number>();
  for (const of of pages.flat().map(key)) seen.set(of, (seen.get(of) ?? 0) + 1);
  const isRunning = (line: Line): boolean =>
    PAGE_NUMBER.test(lineText(line)) ||
    ((seen.get(key(line)) ?? 0) > 1 && line.runs.length <= MOST_RUNNING_RUNS && !headingsOf([line]).some(isKnown));
  const kept = pages.flatMap((lines) => {
    let from = 0;
    let to = lines.length;
    for (let at = 0; at < lines.length && isRunning(lines[at] as Line); at++) if (isApart(lines, at + 1)) from = at + 1;
    for (let at = lines.length - 1; at >= from && isRunning(lines[at] as Line); at--) if (isApart(lines, at)) to = at;
    return lines.slice(from, Math.max(from, to));
  });
  return { lines: kept, dropped: pages.flat().length - kept.length };
}

/** Whether a line stands far below the one before it. */
const isApart = (lines: readonly Line[], at: number): boolean => !isTogether(lines.slice(Math.max(0, at - 1), at + 1));

const isKnown = ({ text }: { text: string }): boolean => KNOWN.has(normalHeading(text));

/** The headings of lines that stand below each other: what overlaps is one heading. */
function headingsOf(lines: readonly Line[]): Heading[] {
  const headings: Heading[] = [];
  for (const line of lines)
    for (const part of line.runs.flatMap(knownParts)) {
      const above = headings.filter((one) => one.x0 < part.x1 && part.x0 < one.x1);
      const [first] = above;
      if (above.length === 1 && first) {
        first.text += ` ${part.text}`;
        first.x0 = Math.min(first.x0, part.x0);
        first.x1 = Math.max(first.x1, part.x1);
      } else headings.push({ ...part });
    }
  return headings.toSorted((a, b) => a.x0 - b.x0);
}

/** A run, or the known headings that stand in it side by side with narrow gaps. */
function knownParts({ words, x0, x1 }: Run): Heading[] {
  const whole = { text: wordsText(words), x0, x1 };
  if (words.length < 2 || words.length > MOST_HEADING_WORDS || isKnown(whole)) return [whole];
  const parts: Heading[] = [];
  for (let from = 0; from < words.length; ) {
    let to = words.length;
    while (to > from && !isKnown({ text: wordsText(words.slice(from, to)) })) to--;
    if (to === from) return [whole];
    parts.push({ text: wordsText(words.slice(from, to)), x0: words[from]?.x0 ?? x0, x1: words[to - 1]?.x1 ?? x1 });
    from = to;
  }
  return parts;
}

function headOf(lines: readonly Line[]): Head | null {
  const last = (lines[0]?.page ?? 1) + HEAD_WITHIN_PAGES;
  let best: Head | null = null;
  for (const [at, line] of lines.entries()) {
    if (line.page >= last) break;
    for (let count = 1; count <= MOST_HEADING_LINES; count++) {
      const stack = lines.slice(at, at + count);
      if (!isTogether(stack)) break;
      const headings = headingsOf(stack);
      const fields = matchOf(
        headings.map(({ text }) => text),
        USAGE,
        null,
      ).columns;
      if (fields.size < 2 || !suffices(fields, USAGE) || fields.size <= (best?.fields.size ?? 0)) continue;
      best = { headings, at, lines: count, fields };
    }
  }
  return best;
}

function isTogether(stack: readonly Line[]): boolean {
  return stack.every((line, at) => {
    const above = stack[at - 1];
    return !above || (above.page === line.page && line.y - above.y <= NEXT_LINE * line.size);
  });
}

/** Headings that stand at the same places, but for a few points. */
const headingPlaces = ({ headings }: { headings: readonly Heading[] }): string =>
  headings.map(({ x0 }) => Math.round(x0 / 4)).join();

type Read = { rows: string[][]; joined: number; across: number };
type Cells = { line: Line; cells: string[]; isAcross: boolean };

function rowsUnder(head: Head, lines: readonly Line[]): Read {
  const titles = head.headings.map(({ text }) => text);
  const before = lines.slice(0, head.at).map((line) =>
    padded(
      line.runs.map(({ words }) => wordsText(words)),
      titles.length,
    ),
  );
  // Where the headings stand again, the columns may stand elsewhere.
  const tables: { headings: Heading[]; lines: Line[] }[] = [{ headings: head.headings, lines: [] }];
  const first = lines
    .slice(head.at, head.at + head.lines)
    .map(lineText)
    .join('\n');
  for (let at = head.at + head.lines; at < lines.length; at++) {
    const stack = lines.slice(at, at + head.lines);
    if (stack.map(lineText).join('\n') === first) {
      tables.push({ headings: headingsOf(stack), lines: [] });
      at += head.lines - 1;
    } else tables.at(-1)?.lines.push(...lines.slice(at, at + 1));
  }
  const byPlace = Map.groupBy(tables, headingPlaces);
  const cuts = new Map(
    [...byPlace].map(([place, [first, ...others]]) => [
      place,
      cutsBetween(
        first?.headings ?? [],
        [first, ...others].flatMap((one) => one?.lines ?? []),
      ),
    ]),
  );
  const columnsOf = (fields: ReadonlySet<string>): number[] =>
    [...head.fields].flatMap(([field, column]) => (fields.has(field) ? [column] : []));
  const values = columnsOf(VALUES);
  const numbers = columnsOf(NUMBERS);
  const read: Read = { rows: [...before, titles], joined: 0, across: 0 };
  for (const table of tables) {
    const between = cuts.get(headingPlaces(table)) ?? [];
    const { rows, joined, across } = joinedRows(
      table.lines.map((line) => splitAtCuts(line, between)),
      values.length > 0 ? [...values, ...numbers.filter((column) => column === 0)] : numbers,
      numbers,
    );
    for (const row of rows) read.rows.push(row);
    read.joined += joined;
    read.across += across;
  }
  return read;
}

const padded = (cells: readonly string[], width: number): string[] =>
  cells.length > width
    ? [...cells.slice(0, width - 1), cells.slice(width - 1).join(' ')]
    : [...cells, ...Array<string>(width - cells.length).fill('')];

/** Between each two headings the middle of the strip that the fewest rows cross; of several, of the one that most words begin or end at. */
function cutsBetween(headings: readonly Heading[], lines: readonly Line[]): number[] {
  // A line of one run, such as the name of a department, says nothing about columns.
  const rows = lines.filter(({ runs }) => runs.length > 1);
  const cover = coverOf(rows);
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { x0, x1 } of rows.flatMap(({ runs }) => runs.flatMap(({ words }) => words))) {
    starts[Math.round(x0)] = (starts[Math.round(x0)] ?? 0) + 1;
    ends[Math.round(x1)] = (ends[Math.round(x1)] ?? 0) + 1;
  }
  const near = (counts: readonly number[], x: number): number =>
    [-1, 0, 1, 2].reduce((sum, by) => sum + (counts[x + by] ?? 0), 0);
  return headings.slice(1).map((right, at) => {
    const left = headings[at] ?? right;
    const first = Math.round((left.x0 + left.x1) / 2);
    const last = Math.max(first, Math.round((right.x0 + right.x1) / 2));
    let best = { cost: Infinity, from: first, to: last };
    for (let from = first; from <= last; ) {
      const covered = cover[from] ?? 0;
      let to = from;
      while (to < last && (cover[to + 1] ?? 0) === covered) to++;
      const cost = covered - ALIGNED * Math.max(near(starts, to), near(ends, from - 1));
      if (cost < best.cost || (cost === best.cost && to - from > best.to - best.from)) best = { cost, from, to };
      from = to + 1;
    }
    return (best.from + best.to) / 2;
  });
}

/** How many rows have a word at each point of the width; a narrow gap between words counts half. */
function coverOf(lines: readonly Line[]): number[] {
  const steps: number[] = [];
  const add = (from: number, to: number): void => {
    const [first, last] = [Math.max(0, Math.ceil(from)), Math.min(Math.floor(to), MOST_WIDTH)];
    if (last < first) return;
    steps[first] = (steps[first] ?? 0) + 0.5;
    steps[last + 1] = (steps[last + 1] ?? 0) - 0.5;
  };
  for (const { words, x0, x1 } of lines.flatMap(({ runs }) => runs)) {
    add(x0, x1);
    for (const word of words) add(word.x0, word.x1);
  }
  const cover: number[] = [];
  let now = 0;
  for (let x = 0; x < steps.length; x++) cover.push((now += steps[x] ?? 0));
  return cover;
}

function splitAtCuts(line: Line, cuts: readonly number[]): Cells {
  const cells: PdfWord[][] = Array.from({ length: cuts.length + 1 }, () => []);
  const columnAt = (x: number): number => cuts.filter((cut) => cut < x).length;
  const [first, ...others] = line.runs;
  // A line of words that reach over a few columns is a title within the table.
  const isTitle =
    first !== undefined && others.length === 0 && columnAt(first.x1) - columnAt(first.x0) < cuts.length / 2;
  let isAcross = false;
  for (const { words, x0 } of line.runs)
    for (const word of words) {
      isAcross ||= !isTitle && cuts.some((cut) => word.x0 < cut - 1 && cut + 1 < word.x1);
      cells[columnAt(isTitle ? x0 : (word.x0 + word.x1) / 2)]?.push(word);
    }
  return { line, cells: cells.map((words) => cleaned(wordsText(words))), isAcross };
}

/** Joins a line without a value in the columns `keys` to the nearer row above or below it. */
function joinedRows(all: readonly Cells[], keys: readonly number[], numbers: readonly number[]): Read {
  const read: Read = { rows: [], joined: 0, across: all.filter(({ isAcross }) => isAcross).length };
  const isWhole = ({ cells }: Cells): boolean => keys.length === 0 || keys.some((column) => cells[column] !== '');
  const gap = (above: Cells | undefined, below: Cells | undefined): number => {
    if (!above || !below || above.line.page !== below.line.page) return Infinity;
    const between = below.line.y - above.line.y;
    return between <= NEXT_LINE * below.line.size ? between : Infinity;
  };
  let waiting: string[][] = [];
  let isRow = false;
  for (const [at, one] of all.entries()) {
    const [up, down] = [gap(all[at - 1], one), gap(one, all[at + 1])];
    if (isWhole(one)) {
      read.rows.push(together([...waiting, one.cells], numbers));
      read.joined += waiting.length;
      waiting = [];
      isRow = true;
      continue;
    }
    const last = read.rows.at(-1);
    if (down < Infinity && (waiting.length > 0 || down < up * 0.95)) waiting.push(one.cells);
    else if (up < Infinity && isRow && last && waiting.length === 0) {
      read.rows[read.rows.length - 1] = together([last, one.cells], numbers);
      read.joined++;
    } else {
      read.rows.push(...waiting, one.cells);
      waiting = [];
      isRow = false;
    }
  }
  read.rows.push(...waiting);
  return read;
}

function together(parts: readonly string[][], numbers: readonly number[]): string[] {
  const [first = []] = parts;
  return first.map((_, column) =>
    parts
      .map((cells) => cells[column] ?? '')
      .filter((text) => text !== '')
      .join(numbers.includes(column) ? '' : ' '),
  );
}

/** A table whose headings nobody knows: a person says which column is which. */
function rowsWithout(lines: readonly Line[]): Read {
  const rows = lines.filter(({ runs }) => runs.length > 1);
  const cover = coverOf(rows);
  const most = rows.length * 0.02;
  const cuts: number[] = [];
  let start: number | null = null;
  let hadText = false;
  for (const [x, covered] of cover.entries()) {
    if (covered > most) {
      if (start !== null && hadText) cuts.push((start + x - 1) / 2);
      start = null;
      hadText = true;
    } else start ??= x;
  }
  const all = lines.map((line) => splitAtCuts(line, cuts));
  return { rows: all.map(({ cells }) => cells), joined: 0, across: all.filter(({ isAcross }) => isAcross).length };
}
