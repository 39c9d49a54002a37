// Writes structured logs to standard output, one JSON object per line, without secrets or personal data.
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { createOutageFilter } from './outage.server.ts';

// RFC 5321 limits the local part to 64 characters. Without the limit, a long text without an @ would take minutes.
const ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]+(\.[\w-]+)+/g;

/**
 * Opens the log. Our own lines contain only ids and counts. Texts of errors come from outside, so their addresses and values are removed. `level` is
 * a level of pino.
 */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const isToWrite = createOutageFilter();
  const options: LoggerOptions = {
    level,
    hooks: {
      logMethod(args, write) {
        if (isToWrite(this, args[0], args[1])) write.apply(this, args);
      },
    },
    serializers: { err: describe, req: (request: { method: string }) => ({ method: request.method }) },
    redact: {
      paths: ['*.password', '*.Password', '*.token', '*.refresh_token', '*.authorization'],
      remove: true,
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

type Described = { type: string; message: string; stack: string; code?: string; constraint?: string; cause?: unknown };
type ErrorLike = {
  name?: string;
  message: string;
  stack?: string;
  code?: string | number;
  constraint?: string;
  cause?: unknown;
};

/** Keeps the fields that help to find a fault, and drops the others: databases put rows there, and mail servers recipients. */
function describe(error: unknown): Described | string {
  if (!isErrorLike(error)) return typeof error === 'string' ? withoutValues(error, '') : typeof error;
  const { name, message, stack, code, constraint, cause } = error;
  const text = (value: string) => withoutValues(value, String(code ?? ''));
  return {
    type: name ?? 'Error',
    message: text(message),
    stack: text(stack ?? ''),
    ...(code === undefined ? {} : { code: String(code) }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(cause === undefined ? {} : { cause: describe(cause) }),
  };
}

/** Returns whether this is an error or a copy of one. The job queue passes copies. */
function isErrorLike(error: unknown): error is ErrorLike {
  return typeof error === 'object' && error !== null && typeof (error as { message?: unknown }).message === 'string';
}

/** Removes addresses and quoted values. PostgreSQL's errors of class 22 ('data exception') quote the value that they reject. */
function withoutValues(text: string, code: string): string {
  const plain = text.replaceAll(ADDRESS, '<address>');
  return /^22\w{3}$/.test(code) ? plain.replaceAll(/"[^"\n]*"/g, '"…"') : plain;
}
