// The process in which Typst typesets quotes one after another, so that this takes no time or memory from the server.
import fs from 'node:fs';
import path from 'node:path';
import { answerJobs } from '#platform/outside/pool-worker.server.ts';
import { typstIn } from '#platform/outside/typst/typst.server.ts';
import { type PdfContent, pdfContent, pictureName } from './pdf-content.server.ts';
import type { QuoteDocument } from './quote-document.ts';

/**
 * `logo` is the PNG that the document names. Without it, the PDF shows the company's initial. `pictures` maps ids to JPEG files on disk.
 * The place of a missing picture stays empty.
 */
export type PdfJob = { document: QuoteDocument; draft: boolean; logo?: Uint8Array; pictures?: Record<number, string> };
export type RenderedPdf = { pdf: Uint8Array; pages: number };

const here = import.meta.dirname;
const template = path.join(here, 'quote.typ');
const compiler = typstIn(here);

answerJobs(({ document, draft, logo, pictures = {} }: PdfJob) => {
  if (logo) compiler.mapShadow(path.join(here, 'logo.png'), Buffer.from(logo));
  const placed = Object.entries(pictures).map(([id, file]) => ({ id: Number(id), file }));
  const shadowOf = (id: number) => path.join(here, pictureName(id));
  for (const { id, file } of placed) compiler.mapShadow(shadowOf(id), fs.readFileSync(file));
  try {
    return setQuote(pdfContent(document, draft, logo !== undefined, new Set(placed.map(({ id }) => id))));
  } finally {
    for (const { id } of placed) compiler.unmapShadow(shadowOf(id));
  }
});

function setQuote(content: PdfContent): RenderedPdf {
  const long = content.rows.length > 200;
  try {
    compiler.mapShadow(path.join(here, 'quote.json'), Buffer.from(JSON.stringify(content)));
    const compiled = compiler.compile({ mainFilePath: template });
    const document = compiled.result;
    if (!document) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? 'no reason given'));
    const created = Date.UTC(content.date[0], content.date[1] - 1, content.date[2]) / 1000;
    // Accessibility tags would make the PDF of a thousand lines thirteen times as large, which is too large for a mail.
    const pdf = compiler.pdf(document, { creationTimestamp: created, pdfTags: !long });
    return { pdf, pages: document.numOfPages };
  } finally {
    // Keeps only the cache of this quote. Rendering the same draft again then takes a tenth of the time. A long quote, or one with pictures, would
    // leave too much in memory.
    compiler.evictCache(long || content.rows.some((row) => row.kind === 'line' && row.file !== null) ? 0 : 1);
  }
}
