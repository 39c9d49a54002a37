// The process in which Typst typesets letters of commitment. quote-pdf has a similar process for quotes.
import path from 'node:path';
import { answerJobs } from '#platform/outside/pool-worker.server.ts';
import { typstIn } from '#platform/outside/typst/typst.server.ts';

export type LetterContent = {
  number: string;
  /** Year, month, day. */
  date: [number, number, number];
  company: { name: string; lines: string[] };
  facts: { label: string; value: string }[];
  text: string[];
  /** `name` is the name of the signer, if known. */
  signers: { party: string; name: string }[];
};
export type LetterPdf = { pdf: Uint8Array };

const here = import.meta.dirname;
const compiler = typstIn(here);

answerJobs(setLetter);

function setLetter(content: LetterContent): LetterPdf {
  try {
    compiler.mapShadow(path.join(here, 'letter.json'), Buffer.from(JSON.stringify(content)));
    const compiled = compiler.compile({ mainFilePath: path.join(here, 'letter.typ') });
    const document = compiled.result;
    if (!document) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? 'no reason given'));
    const created = Date.UTC(content.date[0], content.date[1] - 1, content.date[2]) / 1000;
    return { pdf: compiler.pdf(document, { creationTimestamp: created, pdfTags: true }) };
  } finally {
    compiler.evictCache(0);
  }
}
