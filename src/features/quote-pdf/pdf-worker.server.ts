// The worker thread in which Typst sets a quote: one job at a time, so that long quotes do not hold up the server.
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { PdfContent } from './pdf-content.ts';

export type PdfJob = { content: PdfContent };
export type PdfAnswer = { pdf: Uint8Array<ArrayBuffer>; pages: number } | { error: string };

const here = import.meta.dirname;
const template = path.join(here, 'quote.typ');
// The pinned fonts come first. A letter that none of them has (Chinese, say) is taken from the machine's fonts rather than lost.
const compiler = NodeCompiler.create({ workspace: here, fontArgs: [{ fontPaths: [path.join(here, 'fonts')] }] });

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

parentPort?.on('message', ({ content }: PdfJob) => {
  const answer = setQuote(content);
  parentPort?.postMessage(answer, 'pdf' in answer ? [answer.pdf.buffer] : []);
  // Set pages live outside the heap, where their size (35 MB for 1,000 lines) does not bring the collector round.
  setImmediate(collectGarbage);
});

function setQuote(content: PdfContent): PdfAnswer {
  try {
    compiler.mapShadow(path.join(here, 'quote.json'), Buffer.from(JSON.stringify(content)));
    const compiled = compiler.compile({ mainFilePath: template });
    const document = compiled.result;
    if (!document) return { error: JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? 'no reason given') };
    const created = Date.UTC(content.date[0], content.date[1] - 1, content.date[2]) / 1000;
    // The structure that a reading aid follows makes the PDF of a thousand lines thirteen times as large: too large for a mail.
    const pdfTags = content.rows.length <= 200;
    // A copy of its own, whose memory can be handed over to the server's thread.
    const pdf = new Uint8Array(compiler.pdf(document, { creationTimestamp: created, pdfTags }));
    return { pdf, pages: document.numOfPages };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    // Kept is only what this quote was set of: the same one again, a draft looked at twice, takes a tenth of the time.
    compiler.evictCache(1);
  }
}
