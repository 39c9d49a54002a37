// A program in the place of the one that makes PDFs: it hangs, dies or fails on command.
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { pdfPool } from '#core/quoting/quote-pdf/render-pdf.server.ts';
import { aDocument } from './a-document.ts';

/** Sends a pool the PDF of a quote with this message. */
export const ask = (pool: ReturnType<typeof pdfPool>, message: string) =>
  pool.run({ document: aDocument({ message }), draft: false });

/** A process that does what the message of the quote says, once it has started for so many milliseconds. */
export function aPdfProcess(startsFor = 0): URL {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'quoteboard-test-pdf-')), 'process.mjs');
  writeFileSync(
    file,
    `import { answerJobs } from ${JSON.stringify(import.meta.resolve('#platform/outside/pool-worker.server.ts'))};
    // Holds up the whole process, without taking the processor from the tests.
    const block = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    block(${startsFor});
    answerJobs(({ document: { message } }) => {
      if (message === 'hang') block(Infinity);
      if (message === 'die') process.exit(3);
      if (message === 'throw') setImmediate(() => { throw new Error('broken'); });
      if (message === 'throw') return new Promise(() => {});
      if (message === 'fail') throw new Error('unknown font');
      const pages = message === 'environment' && !process.env.SECRET_OF_THE_SERVER ? 0 : 1;
      return { pdf: new Uint8Array([1, 2, 3]), pages };
    });`,
  );
  return pathToFileURL(file);
}
