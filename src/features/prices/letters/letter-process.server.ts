// The process in which Typst typesets letters of commitment. quote-pdf has a similar process for quotes.
import path from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { PoolAnswer } from '#outside/process-pool.server.ts';

export type LetterContent = {
  number: string;
  /** Year, month, day. */
  date: [number, number, number];
  company: { name: string; lines: string[] };
  facts: { label: string; value: string }[];
  text: string[];
  /** `name` is the name of the signer, if it is known. */
  signers: { party: string; name: string }[];
};
export type LetterPdf = { pdf: Uint8Array };

const here = import.meta.dirname;
const fonts = path.join(here, '../../quoting/quote-pdf/fonts');
const compiler = NodeCompiler.create({ workspace: here, fontArgs: [{ fontPaths: [fonts] }] });

process.on('message', (content: LetterContent) => process.send?.(setLetter(content)));
// A stop signal can reach all processes at once. Ignore it here: this process exits when the server disconnects.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit());

function setLetter(content: LetterContent): PoolAnswer<LetterPdf> {
  try {
    compiler.mapShadow(path.join(here, 'letter.json'), Buffer.from(JSON.stringify(content)));
    const compiled = compiler.compile({ mainFilePath: path.join(here, 'letter.typ') });
    const document = compiled.result;
    if (!document) return { error: JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? 'no reason given') };
    const created = Date.UTC(content.date[0], content.date[1] - 1, content.date[2]) / 1000;
    const pdf = compiler.pdf(document, { creationTimestamp: created, pdfTags: true });
    return { pdf, memory: Math.round(process.memoryUsage.rss() / 1024 / 1024) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    compiler.evictCache(0);
  }
}
