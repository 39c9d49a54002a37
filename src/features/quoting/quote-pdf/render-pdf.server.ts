// Makes the PDF of a quote in a separate process; a process that dies or hangs is replaced, and its caller gets a plain message.
import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Services } from '#api/services.server.ts';
import { logoPicture } from '#features/company/company/logo.server.ts';
import type { PdfAnswer, PdfJob } from './pdf-process.server.ts';
import type { QuoteDocument } from './quote-document.ts';

export type RenderedPdf = { pdf: Buffer; pages: number };

/**
 * The PDF of a quote: Letter, DRAFT across each page of a draft. The same document gives the same bytes.
 * Rejects with an Error in plain words when it cannot be made; the reason is its `cause`.
 */
export async function renderQuotePdf(document: QuoteDocument, job: Omit<PdfJob, 'document'>): Promise<Buffer> {
  return (await pool.render({ document, ...job })).pdf;
}

/** `whole`: false when its logo could not be read just now, which another time may mend: not to be kept. */
export type QuotePdf = { pdf: Buffer; whole: boolean };

/** As `renderQuotePdf`, with the document's logo. Where that cannot be had, the company's initial stands in its place. */
export async function quotePdf(
  services: Pick<Services, 'database' | 'files' | 'log'>,
  document: QuoteDocument,
  { draft }: { draft: boolean },
): Promise<QuotePdf> {
  const { logo: named } = document.company;
  let whole = true;
  const logo =
    named &&
    (await logoPicture(services.database.db, services, named.id).catch((error: unknown) => {
      services.log.warn({ logo: named.id, err: error }, 'a logo could not be read just now');
      whole = false;
    }));
  return { pdf: await renderQuotePdf(document, { draft, ...(logo ? { logo } : {}) }), whole };
}

type Waiting = { job: PdfJob; resolve: (rendered: RenderedPdf) => void; reject: (error: Error) => void };
type Limits = {
  /** Processes at the same time. */
  size: number;
  /** Milliseconds that one PDF may take. */
  timeout: number;
  /** Milliseconds after which a process without work ends. */
  idle?: number;
  /** MB above which a process ends when its PDF is done. */
  memory?: number;
};

/** A pool of processes that start when there is work; each does one job at a time, and other jobs wait in line. */
export class PdfPool {
  readonly #file: string;
  readonly #limits: Required<Limits>;
  readonly #line: Waiting[] = [];
  /** Each process with its current job or, when idle, the timer that ends it. */
  readonly #processes = new Map<ChildProcess, { waiting?: Waiting; timer: NodeJS.Timeout }>();

  constructor(file: URL, limits: Limits) {
    this.#file = fileURLToPath(file);
    this.#limits = { idle: 10_000, memory: 400, ...limits };
  }

  render(job: PdfJob): Promise<RenderedPdf> {
    const rendered = new Promise<RenderedPdf>((resolve, reject) => this.#line.push({ job, resolve, reject }));
    this.#next();
    return rendered;
  }

  /** The current number of processes. */
  get size(): number {
    return this.#processes.size;
  }

  #next(): void {
    const idle = [...this.#processes].find(([, { waiting }]) => !waiting)?.[0];
    if (this.#line.length === 0 || (!idle && this.#processes.size >= this.#limits.size)) return;
    const waiting = this.#line.shift();
    if (!waiting) return;
    const child = idle ?? this.#start();
    clearTimeout(this.#processes.get(child)?.timer);
    const { timeout } = this.#limits;
    const timer = setTimeout(() => this.#lost(child, new Error(`took longer than ${timeout} ms`)), timeout);
    this.#processes.set(child, { waiting, timer });
    // A job keeps the server alive until it is done, a process without one does not.
    keepAlive(child, true);
    child.send(waiting.job, (error) => error && this.#lost(child, error));
  }

  #start(): ChildProcess {
    const child = fork(this.#file, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      // None of the server's secrets; and its output goes where the server's goes.
      env: {},
    });
    lowerPriority(child);
    child.on('message', (answer: PdfAnswer) => this.#done(child, answer));
    child.on('error', (error) => this.#lost(child, error));
    child.on('exit', (code, signal) => this.#lost(child, new Error(`the process ended with ${code ?? signal}`)));
    return child;
  }

  #done(child: ChildProcess, answer: PdfAnswer): void {
    const busy = this.#processes.get(child);
    if (!busy?.waiting) return;
    clearTimeout(busy.timer);
    const { resolve, reject } = busy.waiting;
    const timer = setTimeout(() => this.#end(child), this.#limits.idle).unref();
    this.#processes.set(child, { timer });
    keepAlive(child, false);
    if ('error' in answer) reject(failed(new Error(answer.error)));
    else {
      if (answer.memory > this.#limits.memory) this.#end(child);
      resolve({ pdf: Buffer.from(answer.pdf), pages: answer.pages });
    }
    this.#next();
  }

  /** Ends a broken or hanging process: its job fails, and the next job starts another process. */
  #lost(child: ChildProcess, cause: unknown): void {
    const waiting = this.#processes.get(child)?.waiting;
    this.#end(child);
    waiting?.reject(failed(cause));
    this.#next();
  }

  #end(child: ChildProcess): void {
    clearTimeout(this.#processes.get(child)?.timer);
    this.#processes.delete(child);
    child.kill('SIGKILL');
  }
}

function keepAlive(child: ChildProcess, alive: boolean): void {
  const way = alive ? 'ref' : 'unref';
  child[way]();
  child.channel?.[way]();
}

/** Where PDFs and other requests want the same processor, the PDFs wait. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It may be gone already, or the system may not allow it.
  }
}

function failed(cause: unknown): Error {
  return new Error('The PDF could not be made. Try again in a moment.', { cause });
}

const pool = new PdfPool(new URL('./pdf-process.server.ts', import.meta.url), { size: 2, timeout: 20_000 });
