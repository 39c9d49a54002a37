// What one call is: its path, what goes in and out, who may make it. A contract is a record of calls.
import { z } from 'zod';
import type { Role } from '#shared/roles.ts';

export type Access = 'anyone' | 'user' | readonly Role[];

/** Where the input travels. 'upload' is multipart: the fields are the input, the one file comes beside it. */
export type InputPlace = 'body' | 'form' | 'query' | 'path' | 'upload';

type Options = {
  access: Access;
  /** Default 'body'. */
  in?: InputPlace;
  /** What the call does, for the OpenAPI document. */
  summary?: string;
  /** The answer runs in one transaction, rolled back when it throws. Leave out for calls that only read. */
  writes?: boolean;
  /** A call that answers bytes instead of JSON: its media type. Its answer returns a `FileAnswer`. */
  file?: string;
  /** Per address and minute, when it differs from the server's default. */
  rateLimit?: number;
  /** Largest body in bytes, when it differs from the server's default. */
  bodyLimit?: number;
};

export type Endpoint<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  P extends Options = Options,
> = Omit<P, 'in'> & {
  path: string;
  input: I;
  output: O;
  in: P extends { in: infer Place extends InputPlace } ? Place : Options extends P ? InputPlace : 'body';
};

export type Contract = Record<string, Endpoint>;
/** What a caller gives. */
export type InputOf<E extends Endpoint> = z.input<E['input']>;
/** What the answer receives, parsed. */
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>;
export type OutputOf<E extends Endpoint> = z.output<E['output']>;

/** The input of calls that need none: an empty body, `null` and `{}` are the same (design 6). */
export const Nothing = z.object({});

/** The output of a call that answers a file; see `file` in the options. */
export const Bytes = z.unknown();

/**
 * Declares a call. All calls are POST (specification section 7). It is filed in its contract under the last segment of `path` that
 * is not a parameter, verbatim.
 *
 * In the browser the endpoint is without its two schemas (vite.config.ts): a screen that checks what is typed imports the schema by name.
 */
export function post<I extends z.ZodType, O extends z.ZodType, const P extends Options>(
  path: string,
  input: I,
  output: O,
  options: P,
): Endpoint<I, O, P> {
  return { in: 'body', ...options, path, input, output } as unknown as Endpoint<I, O, P>;
}
