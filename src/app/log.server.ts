// Structured logs on standard output, one JSON object per line, without secrets or personal data.
import pino, { type DestinationStream, type Logger } from 'pino';

// No local part is longer (RFC 5321); without the limit a long text without an @ would take minutes.
const ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]+(\.[\w-]+)+/g;

/**
 * Opens the log. Lines are written by us with ids and counts only; what comes from outside is the text of errors, so their addresses
 * and values are taken out here. `level` as in pino.
 */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: describe, req: (request: { method: string }) => ({ method: request.method }) },
    redact: {
      paths: ['*.password', '*.Password', '*.token', '*.refresh_token', '*.authorization'],
      remove: true,
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

type Described = { type: string; message: string; stack: string; code?: string; constraint?: string; cause?: unknown };
type Told = {
  name?: string;
  message: string;
  stack?: string;
  code?: string | number;
  constraint?: string;
  cause?: unknown;
};

/** The fields that help to find a fault. Other fields are dropped: databases put rows there, mail servers recipients. */
function describe(error: unknown): Described | string {
  if (!isTold(error)) return typeof error === 'string' ? withoutValues(error, '') : typeof error;
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

/** An error or a copy of one, as the job queue passes on. */
function isTold(error: unknown): error is Told {
  return typeof error === 'object' && error !== null && typeof (error as { message?: unknown }).message === 'string';
}

/** Errors of class 22 ('data exception') of PostgreSQL quote the value they could not take. */
function withoutValues(text: string, code: string): string {
  const plain = text.replaceAll(ADDRESS, '<address>');
  return /^22\w{3}$/.test(code) ? plain.replaceAll(/"[^"\n]*"/g, '"…"') : plain;
}
