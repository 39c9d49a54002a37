// The process in which Typst sets quotes, one after the other, so that they cost the server neither time nor memory.
import fs from 'node:fs';
import path from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { collectRecent } from '#outside/memory.server.ts';
import type { PoolAnswer } from '#outside/process-pool.server.ts';
import { type PdfContent, pdfContent, pictureName } from './pdf-content.ts';
import type { QuoteDocument } from './quote-document.ts';

/**
 * `logo`: the PNG that the document names; without it the company's initial stands in its place. `pictures`: files of pictures by their
 * id, JPEG on the disk; the place of one that is missing stays empty.
 */
export type PdfJob = { document: QuoteDocument; draft: boolean; logo?: Uint8Array; pictures?: Record<number, string> };
export type RenderedPdf = { pdf: Uint8Array; pages: number };

const here = import.meta.dirname;
const template = path.join(here, 'quote.typ');
// The pinned fonts come first. Letters they lack (Chinese, for example) come from the machine's fonts.
const compiler = NodeCompiler.create({ workspace: here, fontArgs: [{ fontPaths: [path.join(here, 'fonts')] }] });

process.on('message', ({ document, draft, logo, pictures = {} }: PdfJob) => {
  if (logo) compiler.mapShadow(path.join(here, 'logo.png'), Buffer.from(logo));
  const placed = Object.entries(pictures).map(([id, file]) => ({ id: Number(id), file }));
  const shadowOf = (id: number) => path.join(here, pictureName(id));
  for (const { id, file } of placed) compiler.mapShadow(shadowOf(id), fs.readFileSync(file));
  const answer = setQuote(pdfContent(document, draft, logo !== undefined, new Set(placed.map(({ id }) => id))));
  for (const { id } of placed) compiler.unmapShadow(shadowOf(id));
  // Set pages live outside the heap, where their size (35 MB for 1,000 lines) does not bring the collector round.
  process.send?.(answer, collectRecent);
});
// This process ends with the server, which stops all its processes at once.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit());

function setQuote(content: PdfContent): PoolAnswer<RenderedPdf> {
  const long = content.rows.length > 200;
  try {
    compiler.mapShadow(path.join(here, 'quote.json'), Buffer.from(JSON.stringify(content)));
    const compiled = compiler.compile({ mainFilePath: template });
    const document = compiled.result;
    if (!document) return { error: JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? 'no reason given') };
    const created = Date.UTC(content.date[0], content.date[1] - 1, content.date[2]) / 1000;
    // The structure that a reading aid follows makes the PDF of a thousand lines thirteen times as large: too large for a mail.
    const pdf = compiler.pdf(document, { creationTimestamp: created, pdfTags: !long });
    return { pdf, pages: document.numOfPages, memory: Math.round(process.memoryUsage.rss() / 1024 / 1024) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    // Kept is only what this quote was set of: the same one again, a draft looked at twice, takes a tenth of the time. What a long one or
    // pictures leave is too much to be kept.
    compiler.evictCache(long || content.rows.some((row) => row.kind === 'line' && row.file !== null) ? 0 : 1);
  }
}
