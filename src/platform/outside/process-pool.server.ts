// Runs work in separate processes, so that work that blocks, hangs or crashes does not affect the server.
import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';

/** The answer of a process to a job. `memory` is the memory of the process after the job, in MB. */
export type PoolAnswer<Result> = (Result & { memory: number }) | { error: string };

type Waiting<Job, Result> = { job: Job; resolve: (result: Result) => void; reject: (error: Error) => void };
type Limits = {
  /** The maximum number of simultaneous processes. */
  size: number;
  /** The time limit of one job in milliseconds, without the start of its process and its wait in the queue. */
  timeout: number;
  /** The time in milliseconds after which an idle process ends. */
  idle?: number;
  /** The number of processes that do not end when idle. After `keepWarm` they wait for the first job, and a lost one is replaced. */
  warm?: number;
  /** The memory in MB above which a process ends after its job. */
  memory?: number;
  /** The only environment variables of the processes. */
  env?: Record<string, string>;
  /** The message of the error that the caller of a failed job gets. The reason is its `cause`. */
  says: string;
};

/** Loading a program takes seconds, or minutes on a busy computer. A process that takes longer than this hangs. */
const STARTING = 300_000;

/** A process: whether it has started, its current job, if any, and the timer that ends it. */
type Worker<Job, Result> = { isReady: boolean; waiting?: Waiting<Job, Result>; timer?: NodeJS.Timeout };

/**
 * A pool of processes that start when there is work. Each runs one job at a time; other jobs wait in a queue. The processes run files that call
 * `answerJobs`.
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
    // A process with a job keeps the server alive; an idle process does not.
    keepAlive(child, true);
    child.send(waiting.job, (error) => error && this.#lost(child, error));
  }

  /** Assigns a job to the process. The time of the job begins once the process has started. */
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
      // The process gets no secrets of the server and shares its output.
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

  /** Ends a broken or hanging process. Its job fails, and the next job starts another process. */
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
    // A process that cannot start is not replaced, because the replacement would fail as well, endlessly.
    if (this.#keepsWarm && worker?.isReady) this.keepWarm();
  }
}

function keepAlive(child: ChildProcess, alive: boolean): void {
  const way = alive ? 'ref' : 'unref';
  child[way]();
  child.channel?.[way]();
}

/** Makes this work yield to requests that need the same processor. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process may be gone already, or the system may not allow this.
  }
}
