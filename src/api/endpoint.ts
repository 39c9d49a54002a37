// Declares a call: its path, input, output, and who may make it. A contract is a record of calls.
import { z } from 'zod';
import type { Role } from '#shared/roles.ts';

export type Access = 'anyone' | 'user' | readonly Role[];

/** Where the input travels. 'upload' is multipart: the fields are the input, and the one file comes beside them. */
export type InputPlace = 'body' | 'form' | 'query' | 'path' | 'upload';

type Options = {
  access: Access;
  /** Default 'body'. */
  in?: InputPlace;
  /** What the call does, for the OpenAPI document. */
  summary?: string;
  /** The answer runs in one transaction that rolls back when it throws. Omit for calls that only read. */
  writes?: boolean;
  /** Changes something without a transaction of its own: whoever may only read may not call it. */
  changes?: boolean;
  /** A call that answers bytes instead of JSON: its media type. Its answer returns a `FileAnswer`. */
  file?: string;
  /** Per address and minute, when it differs from the server's default. */
  rateLimit?: number;
  /** Largest body in bytes, when it differs from the server's default. */
  bodyLimit?: number;
  /** An 'upload' call that also takes its fields without a file. */
  fileOptional?: boolean;
  /** Writes the file of an 'upload' call to disk as it arrives, for files that are too large for memory. */
  toDisk?: boolean;
  /** Refuses with `{error, error_description}` or `{detail}`, and 400 instead of 422, as sign-in clients expect (design 6). */
  refusal?: 'oauth' | 'detail';
};

export type Endpoint<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  P extends Options = Options,
> = P & {
  path: string;
  /** What the server checks by; the build of the browser's half takes it out (vite.config.ts). */
  schemas?: { input: I; output: O };
};

export type Contract = Record<string, Endpoint>;
/** What a caller gives. */
export type InputOf<E extends Endpoint> = z.input<Schemas<E>['input']>;
/** What the answer receives, parsed. */
export type ParsedInputOf<E extends Endpoint> = z.output<Schemas<E>['input']>;
export type OutputOf<E extends Endpoint> = z.output<Schemas<E>['output']>;
type Schemas<E extends Endpoint> = NonNullable<E['schemas']>;

/** The input of calls that need none: an empty body, `null`, and `{}` are equal (design 6). */
export const Nothing = z.object({});

/** The output of a call that answers a file; see `file` in the options. */
export const Bytes = z.unknown();

/**
 * Declares a call; all are POST (specification section 7). Its key in the contract is the last segment of `path` that is no
 * parameter, verbatim. A screen that checks by a schema imports it by name.
 */
export function post<I extends z.ZodType, O extends z.ZodType, const P extends Options>(
  path: string,
  input: I,
  output: O,
  options: P,
): Endpoint<I, O, P> {
  return { ...options, path, schemas: { input, output } };
}

/** The group that a call is documented under and that API keys name: the part of its path after /api. */
export function groupOf(path: string): string {
  return /^\/api\/(\w+)/.exec(path)?.[1] ?? 'Auth';
}

/** Whether a call may change something. */
export function isChanging({ writes, changes, in: place }: Options): boolean {
  return writes === true || changes === true || place === 'upload';
}

/** The schemas of a call, on the server. */
export function schemasOf<E extends Endpoint>({ path, schemas }: E): Schemas<E> {
  if (!schemas) throw new Error(`${path} has no schemas: this is the browser's half`);
  return schemas;
}
