// A quote as a PDF, set in a worker thread; a worker that dies or hangs is replaced and its caller told in plain words.
import { Worker } from 'node:worker_threads';
import { pdfContent } from './pdf-content.ts';
import type { PdfAnswer, PdfJob } from './pdf-worker.server.ts';
import type { QuoteDocument } from './quote-document.ts';

export type RenderedPdf = { pdf: Buffer; pages: number };

/**
 * The PDF of a quote: Letter, DRAFT across each page of a draft. The same document gives the same bytes.
 * Rejects with an Error in plain words when it cannot be made; the reason is its `cause`.
 */
export async function renderQuotePdf(document: QuoteDocument, options: { draft: boolean }): Promise<Buffer> {
  return (await pool.render({ content: pdfContent(document, options.draft) })).pdf;
}

type Waiting = { job: PdfJob; resolve: (rendered: RenderedPdf) => void; reject: (error: Error) => void };
type Busy = { worker: Worker; waiting: Waiting; timer: NodeJS.Timeout };

/** Workers that are started when there is work, at most `size`, each doing one job at a time, the others' jobs in line. */
export class PdfPool {
  readonly #file: URL;
  readonly #size: number;
  readonly #timeout: number;
  readonly #line: Waiting[] = [];
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Busy>();

  constructor(
    file: URL,
    { size, timeout }: { size: number /** Milliseconds that one PDF may take. */; timeout: number },
  ) {
    this.#file = file;
    this.#size = size;
    this.#timeout = timeout;
  }

  render(job: PdfJob): Promise<RenderedPdf> {
    const rendered = new Promise<RenderedPdf>((resolve, reject) => this.#line.push({ job, resolve, reject }));
    this.#next();
    return rendered;
  }

  #next(): void {
    if (this.#line.length === 0 || this.#busy.size >= this.#size) return;
    const waiting = this.#line.shift();
    if (!waiting) return;
    const worker = this.#idle.pop() ?? this.#start();
    const timer = setTimeout(
      () => this.#lost(worker, new Error(`took longer than ${this.#timeout} ms`)),
      this.#timeout,
    );
    this.#busy.set(worker, { worker, waiting, timer });
    // A job keeps the process alive until it is done, a worker without one does not.
    worker.ref();
    worker.postMessage(waiting.job);
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    worker.on('message', (answer: PdfAnswer) => this.#done(worker, answer));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', (code) => this.#lost(worker, new Error(`the worker ended with ${code}`)));
    return worker;
  }

  #done(worker: Worker, answer: PdfAnswer): void {
    const waiting = this.#release(worker);
    if (!waiting) return;
    worker.unref();
    this.#idle.push(worker);
    if ('error' in answer) waiting.reject(failed(new Error(answer.error)));
    else waiting.resolve({ pdf: Buffer.from(answer.pdf.buffer), pages: answer.pages });
    this.#next();
  }

  /** A worker that broke or hangs: its job fails, and the next job starts another. */
  #lost(worker: Worker, cause: unknown): void {
    const idle = this.#idle.indexOf(worker);
    if (idle >= 0) this.#idle.splice(idle, 1);
    const waiting = this.#release(worker);
    void worker.terminate();
    waiting?.reject(failed(cause));
    this.#next();
  }

  #release(worker: Worker): Waiting | undefined {
    const busy = this.#busy.get(worker);
    if (!busy) return undefined;
    clearTimeout(busy.timer);
    this.#busy.delete(worker);
    return busy.waiting;
  }
}

function failed(cause: unknown): Error {
  return new Error('The PDF could not be made. Try again in a moment.', { cause });
}

const pool = new PdfPool(new URL('./pdf-worker.server.ts', import.meta.url), { size: 2, timeout: 20_000 });
