// The process in which Typst finds the letters that no font has, neither a bundled one nor one of the system.
import path from 'node:path';
import { answerJobs } from '../pool-worker.server.ts';
import { typstIn } from './typst.server.ts';

export type LettersJob = { letters: string[] };
export type LettersAnswer = { missing: string[] };

const compiler = typstIn(import.meta.dirname);
/** The last code point for private use, which no font of our documents has. */
const NOWHERE = '\u{10fffd}';

/** Sets each letter on a separate line, in the fonts of the documents. */
const SOURCE = `#set page(width: 90pt, height: auto, margin: 0pt)
  #set text(font: ("Inter", "Noto Sans Arabic", "Noto Sans Hebrew"), size: 9pt)
  #for letter in json("letters.json") { box(letter); linebreak() }`;

answerJobs(({ letters }: LettersJob): LettersAnswer => {
  compiler.mapShadow(
    path.join(import.meta.dirname, 'letters.json'),
    Buffer.from(JSON.stringify([NOWHERE, ...letters])),
  );
  try {
    const compiled = compiler.compile({ mainFileContent: SOURCE });
    if (!compiled.result) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics));
    // Each text refers to the outlines of its letters. All letters without a font have the same outline, a box.
    const texts = [...compiler.svg(compiled.result).matchAll(/class="typst-text"(.*?)<h5:div[^>]*>([^<]*)</gs)];
    const [box, ...others] = texts.map(([, outlines = '', text = '']) => ({
      outlines: [...outlines.matchAll(/href="#([^"]+)"/g)].map(([, outline = '']) => outline),
      text,
    }));
    const missing = others.filter(({ outlines }) => outlines.some((outline) => box?.outlines.includes(outline)));
    const boxed = new Set(missing.map(({ text }) => text));
    return { missing: letters.filter((letter) => boxed.has(letter)) };
  } finally {
    compiler.evictCache(0);
  }
});
