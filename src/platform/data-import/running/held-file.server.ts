// Writes held rows as a file whose Decision column the user fills in, and reads the decisions back.
import fs from 'node:fs/promises';
import { csvLine } from '#platform/shared/csv.ts';
import type { HeldImportRow } from '../data-import.contract.ts';
import { openTable } from '../reading/read-table.server.ts';
import { UnusableFile } from '../reading/table-file.server.ts';

/** The user's decision on a held row: yes, no, or one of its choices in words. */
export type Decision = { line: number; key: string; answer: string };

const HEADINGS = ['Line', 'Record', 'Stored', 'In the file', 'Note', 'Choices', 'Decision'];

export async function writeHeldFile(file: string, rows: readonly HeldImportRow[]): Promise<void> {
  const lines = rows.map(({ line, key, was, now, hint, ways, decision, wayLabel }) => {
    const choices = [...(ways.length > 0 ? ways.map(({ label }) => label) : ['yes']), 'no'];
    const answer = { open: '', accepted: wayLabel || 'yes', applied: 'yes', rejected: 'no' }[decision];
    return csvLine([line, key, was, now, hint, choices.join(' | '), answer]);
  });
  await fs.writeFile(file, `\ufeff${csvLine(HEADINGS)}${lines.join('')}`);
}

/** Returns the decisions in a file of held rows, even if a spreadsheet has saved it as a workbook. Throws UnusableFile. */
export async function readDecisions(file: string): Promise<Decision[]> {
  const table = await openTable(file);
  try {
    const decisions: Decision[] = [];
    let places: number[] | undefined;
    for await (const { cells } of table.sheets[0]?.rows() ?? []) {
      if (!places) {
        places = ['Line', 'Record', 'Decision'].map((heading) => cells.indexOf(heading));
        if (places.includes(-1)) break;
        continue;
      }
      const [line = '', key = '', answer = ''] = places.map((at) => (cells[at] ?? '').trim());
      if (answer !== '') decisions.push({ line: Number(line.replaceAll(',', '')), key: withoutGuard(key), answer });
    }
    if (!places || places.includes(-1))
      throw new UnusableFile(`${file} is not a file of held rows: it needs the columns Line, Record and Decision.`);
    return decisions;
  } finally {
    await table.close();
  }
}

/** Removes the apostrophe that keeps a spreadsheet from evaluating a text. */
const withoutGuard = (text: string): string => text.replace(/^'(?=\s*[=+\-@])/, '');

/**
 * Returns the choice that an answer names by its label or by the number at the start of the label, even if a spreadsheet removed its leading zeros.
 */
export function choiceOf(ways: HeldImportRow['ways'], answer: string): HeldImportRow['ways'][number] | undefined {
  const plain = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/^0+(?=\d)/, '');
  const fitting = (text: (label: string) => string) => ways.filter(({ label }) => plain(text(label)) === plain(answer));
  const [whole, first] = [fitting((label) => label), fitting((label) => label.split(' ')[0] ?? '')];
  return whole[0] ?? (first.length === 1 ? first[0] : undefined);
}
