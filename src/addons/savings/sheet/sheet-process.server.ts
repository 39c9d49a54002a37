// The process in which Typst typesets savings sheets, so that the server spends neither time nor memory on them.
import path from 'node:path';
import { answerJobs } from '#platform/outside/pool-worker.server.ts';
import { typstIn } from '#platform/outside/typst/typst.server.ts';

type Cell = { main: string; small: string };

/** The content of the template, word for word. */
export type SheetContent = {
  title: string;
  company: string;
  date: string;
  /** Year, month and day: the date of the PDF itself. It is fixed, so that the same sheet always has the same bytes. */
  day: [number, number, number];
  result: string;
  sums: { label: string; value: string }[];
  assumptions: string[];
  /** Name, rows, theirs, ours, difference, percent. */
  classes: string[][];
  headings: string[];
  rows: Cell[][];
};
export type SheetPdf = { pdf: Uint8Array };

const here = import.meta.dirname;
const compiler = typstIn(here);

answerJobs((content: SheetContent): SheetPdf => {
  try {
    compiler.mapShadow(path.join(here, 'sheet.json'), Buffer.from(JSON.stringify(content)));
    const compiled = compiler.compile({ mainFilePath: path.join(here, 'sheet.typ') });
    const document = compiled.result;
    if (!document) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? 'no reason given'));
    const [year, month, day] = content.day;
    // Tags for assistive technology would make the PDF of many rows much larger.
    return {
      pdf: compiler.pdf(document, {
        creationTimestamp: Date.UTC(year, month - 1, day) / 1000,
        pdfTags: content.rows.length <= 200,
      }),
    };
  } finally {
    compiler.evictCache(0);
  }
});
