// Runs work in separate processes, so that work that blocks, hangs or crashes does not affect the server.
import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';

/** A process's answer to a job. `memory` is the process's memory after the job, in MB. */
export type PoolAnswer<Result> = (Result & { memory: number }) | { error: string };

type Waiting<Job, Result> = { job: Job; resolve: (result: Result) => void; reject: (error: Error) => void };
type Limits = {
  /** The most processes at the same time. */
  size: number;
  /** Milliseconds that one job may take, without the start of its process and its time in line. */
  timeout: number;
  /** Milliseconds after which a process without work ends. */
  idle?: number;
  /** As many processes as do not end for want of work. After `keepWarm` they wait for the first job, and another replaces one that is lost. */
  warm?: number;
  /** MB above which a process ends when its job is done. */
  memory?: number;
  /** The only environment variables of the processes. */
  env?: Record<string, string>;
  /** The message of the error for the caller of a failed job. The reason is its `cause`. */
  says: string;
};

/** Loading a program takes seconds, on a busy computer minutes. One that takes longer than this hangs. */
const STARTING = 300_000;

/** A process, whether it has started, its current job, or none, and the timer that ends it. */
type Worker<Job, Result> = { isReady: boolean; waiting?: Waiting<Job, Result>; timer?: NodeJS.Timeout };

/**
 * A pool of processes that start when there is work; each does one job at a time, and other jobs wait in line. The processes run files that
 * call `answerJobs`.
 */
export class ProcessPool<Job extends object, Result> {
  readonly #file: string;
  readonly #limits: Required<Limits>;
  readonly #line: Waiting<Job, Result>[] = [];
  readonly #processes = new Map<ChildProcess, Worker<Job, Result>>();
  #keepsWarm = false;

  constructor(file: URL, limits: Limits) {
    this.#file = fileURLToPath(file);
    this.#limits = { idle: 10_000, warm: 0, memory: 400, env: {}, ...limits };
  }

  run(job: Job): Promise<Result> {
    const done = new Promise<Result>((resolve, reject) => this.#line.push({ job, resolve, reject }));
    this.#next();
    return done;
  }

  /** Starts the warm processes before there is work, and replaces them. */
  keepWarm(): void {
    this.#keepsWarm = true;
    while (this.#processes.size < this.#limits.warm) keepAlive(this.#start(), false);
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
    this.#give(child, waiting);
    // A process with a job keeps the server alive, and an idle process does not.
    keepAlive(child, true);
    child.send(waiting.job, (error) => error && this.#lost(child, error));
  }

  /** Gives the process a job. Its time begins once the process has started. */
  #give(child: ChildProcess, waiting: Waiting<Job, Result>): void {
    const worker = this.#processes.get(child);
    if (!worker) return;
    clearTimeout(worker.timer);
    const limit = worker.isReady ? this.#limits.timeout : STARTING;
    const timer = setTimeout(() => this.#lost(child, new Error(`took longer than ${limit} ms`)), limit);
    this.#processes.set(child, { ...worker, waiting, timer });
  }

  #start(): ChildProcess {
    const child = fork(this.#file, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      // The process gets none of the server's secrets and shares the server's output.
      env: this.#limits.env,
    });
    this.#processes.set(child, { isReady: false });
    lowerPriority(child);
    child.on('message', (answer: PoolAnswer<Result> | 'ready') => {
      if (answer === 'ready') this.#ready(child);
      else this.#done(child, answer);
    });
    child.on('error', (error) => this.#lost(child, error));
    child.on('exit', (code, signal) => this.#lost(child, new Error(`the process ended with ${code ?? signal}`)));
    return child;
  }

  #ready(child: ChildProcess): void {
    const worker = this.#processes.get(child);
    if (!worker) return;
    worker.isReady = true;
    if (worker.waiting) this.#give(child, worker.waiting);
  }

  #done(child: ChildProcess, answer: PoolAnswer<Result>): void {
    const busy = this.#processes.get(child);
    if (!busy?.waiting) return;
    clearTimeout(busy.timer);
    const { resolve, reject } = busy.waiting;
    const rest = () => this.#processes.size > this.#limits.warm && this.#end(child);
    this.#processes.set(child, { isReady: true, timer: setTimeout(rest, this.#limits.idle).unref() });
    keepAlive(child, false);
    if ('error' in answer) reject(this.#failed(new Error(answer.error)));
    else {
      if (answer.memory > this.#limits.memory) this.#end(child);
      resolve(answer);
    }
    this.#next();
  }

  /** Ends a broken or hanging process: its job fails, and the next job starts another process. */
  #lost(child: ChildProcess, cause: unknown): void {
    const waiting = this.#processes.get(child)?.waiting;
    this.#end(child);
    waiting?.reject(this.#failed(cause));
    this.#next();
  }

  #failed(cause: unknown): Error {
    return new Error(this.#limits.says, { cause });
  }

  #end(child: ChildProcess): void {
    const worker = this.#processes.get(child);
    clearTimeout(worker?.timer);
    this.#processes.delete(child);
    child.kill('SIGKILL');
    // One that cannot start is not replaced, or it would be for ever.
    if (this.#keepsWarm && worker?.isReady) this.keepWarm();
  }
}

function keepAlive(child: ChildProcess, alive: boolean): void {
  const way = alive ? 'ref' : 'unref';
  child[way]();
  child.channel?.[way]();
}

/** Lets this work wait when requests want the same processor. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process may be gone already, or the system may not allow this.
  }
}
