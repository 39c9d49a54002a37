// Finds the letters of a text that a PDF shows as boxes, because none of its fonts has them: mostly Chinese, Japanese, Korean, and emoji.
import { ProcessPool } from '../process-pool.server.ts';
import type { LettersAnswer, LettersJob } from './letters-process.server.ts';

/** Letters that the bundled fonts have, and those that draw nothing. Only other letters start a process. */
const KNOWN =
  /[ -~\u00a0-\u017e\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122\u2212\s\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** The maximum number of different letters of one text that are checked. */
const MOST = 3000;

const pool = new ProcessPool<LettersJob, LettersAnswer>(new URL('./letters-process.server.ts', import.meta.url), {
  size: 1,
  timeout: 20_000,
  says: 'The characters in the PDF could not be checked. Try again in a moment.',
});

/** Whether a font has the letter. The fonts do not change while the server runs. */
const hasFont = new Map<string, boolean>();

/** Returns the letters without a font, without duplicates, in the order of the text. */
export async function lettersWithoutFont(text: string): Promise<string[]> {
  const letters = [...new Set(text.replace(KNOWN, ''))].slice(0, MOST);
  const unknown = letters.filter((letter) => !hasFont.has(letter));
  if (unknown.length > 0) {
    const missing = new Set((await pool.run({ letters: unknown })).missing);
    for (const letter of unknown) hasFont.set(letter, !missing.has(letter));
  }
  return letters.filter((letter) => hasFont.get(letter) === false);
}
