// The process in which MuPDF reads the usage files that are PDFs: their text with its places, and from it the table.
import { readFileSync } from 'node:fs';
import { answerJobs } from '#outside/pool-worker.server.ts';
import { MOST_USAGE_ROWS } from '../savings.contract.ts';
import { type PdfPage, type PdfTable, type PdfWord, tableOf } from './pdf-table.server.ts';

const MOST_PAGES = 2000;
/** Far more than the longest list has on its lines. */
const MOST_WORDS = MOST_USAGE_ROWS * 30;
/** In parts of the size of the letters: a gap that ends a word. */
const WORD_GAP = 0.2;

const INSTEAD = 'Ask for the list as Excel or CSV, or copy its rows and paste them.';
const UNREADABLE = `The PDF cannot be read. It is damaged or made in an unusual way. ${INSTEAD}`;
const PASSWORD = 'The PDF has a password. Save it without one, and upload it again.';
const SCANNED = `The PDF has no text, only pictures of pages: it is a scan. ${INSTEAD} A scanner's text recognition (OCR) also makes a PDF that can be read.`;
const SIDEWAYS = `The text of the PDF runs sideways. Turn its pages and save it, or ask for the list as Excel or CSV.`;
const TOO_MANY = `The PDF has more than ${MOST_PAGES.toLocaleString('en-US')} pages or too much text. Split it into smaller files.`;

// Faults of a file are its owner's matter, not the server's.
Object.assign(globalThis, { $libmupdf_wasm_Module: { print: () => {}, printErr: () => {} } });
const { Document } = await import('mupdf');

answerJobs(({ path }: { path: string }): PdfTable => {
  const read = pagesOf(readFileSync(path));
  return typeof read === 'string'
    ? { fault: read, rows: [], notes: [] }
    : { fault: '', ...tableOf(read.pages, read.notes) };
});

/** The pages with text, or why there are none. */
function pagesOf(bytes: Uint8Array): { pages: PdfPage[]; notes: string[] } | string {
  try {
    const document = Document.openDocument(bytes, 'application/pdf');
    if (document.needsPassword()) return PASSWORD;
    const count = document.countPages();
    if (count === 0) return UNREADABLE;
    if (count > MOST_PAGES) return TOO_MANY;
    const pages: PdfPage[] = [];
    const blank: number[] = [];
    const turned: number[] = [];
    let words = 0;
    for (let at = 0; at < count; at++) {
      const page = document.loadPage(at);
      const { found, sideways } = pageWords(page);
      page.destroy();
      words += found.length;
      if (words > MOST_WORDS) return TOO_MANY;
      if (found.length > 0) pages.push({ number: at + 1, words: found });
      else if (sideways > 0) turned.push(at + 1);
      else blank.push(at + 1);
    }
    document.destroy();
    if (pages.length === 0) return turned.length > 0 ? SIDEWAYS : SCANNED;
    return {
      pages,
      notes: [
        ...(blank.length > 0
          ? [`${pagesInWords(blank)} no text and ${blank.length > 1 ? 'are' : 'is'} not read.`]
          : []),
        ...(turned.length > 0
          ? [`${pagesInWords(turned)} only sideways text and ${turned.length > 1 ? 'are' : 'is'} not read.`]
          : []),
      ],
    };
  } catch {
    return UNREADABLE;
  }
}

const SHOWN = 10;
function pagesInWords(numbers: readonly number[]): string {
  if (numbers.length === 1) return `Page ${numbers[0]} has`;
  const more = numbers.length - SHOWN;
  return `Pages ${numbers.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''} have`;
}

type Page = ReturnType<InstanceType<typeof Document>['loadPage']>;

function pageWords(page: Page): { found: PdfWord[]; sideways: number } {
  const found: PdfWord[] = [];
  let sideways = 0;
  let isLevel = true;
  let word: PdfWord | null = null;
  const text = page.toStructuredText('preserve-whitespace');
  text.walk({
    beginLine: (_box, _mode, [, slope]) => {
      isLevel = Math.abs(slope) < 0.1;
      word = null;
    },
    onChar: (letter, [, y], _font, size, quad) => {
      if (!isLevel) return void sideways++;
      if (/^[\s\u00a0\ufffd]?$/.test(letter)) return void (word = null);
      const [x0, , x1] = quad;
      if (word && x0 - word.x1 <= WORD_GAP * size && x0 >= word.x0) {
        word.text += letter;
        word.x1 = x1;
      } else found.push((word = { text: letter, x0, x1, y, size }));
    },
  });
  text.destroy();
  return { found, sideways };
}
