// Declares a call: its path, input, output, and who may make it. A contract is a record of calls.
import { z } from 'zod';
import type { Role } from '#platform/shared/roles.ts';

export type Access = 'anyone' | 'user' | readonly Role[];

/** Where the input travels. 'upload' is multipart: the fields are the input, followed by one file. */
export type InputPlace = 'body' | 'form' | 'query' | 'path' | 'upload';

type Options = {
  access: Access;
  /** Default 'body'. */
  in?: InputPlace;
  /** What the call does, for the OpenAPI document. */
  summary?: string;
  /** The answer runs in one transaction, which rolls back if the answer throws. Omit for calls that only read. */
  writes?: boolean;
  /** The call changes something but opens its own transactions, or none. Users with read-only access may not make it. */
  changes?: boolean;
  /** No API key may make this call, because it decides who may do what, who sees which quotes, or where data is sent. */
  peopleOnly?: boolean;
  /**
   * The group whose records this call shows or copies, if it is not the group of the call. An API key without the scope to read that group gets a
   * reduced answer.
   */
  answersOf?: string;
  /** Copies stored content to where other users see it, so an API key also needs the scope to read that content. */
  copies?: boolean;
  /** The answer may be a 202: the work continues after it (`isAccepted` of the request). */
  mayWait?: boolean;
  /** The media type of a call that answers bytes instead of JSON. Its handler returns a `FileAnswer`. */
  file?: string;
  /** Calls per address and minute, if the limit differs from the server's default. */
  rateLimit?: number;
  /** Largest body in bytes, if it differs from the server's default. */
  bodyLimit?: number;
  /** An 'upload' call also accepts its fields without a file. */
  fileOptional?: boolean;
  /** Streams the file of an 'upload' call to disk. For files that are too large for memory. */
  toDisk?: boolean;
  /** Refuses with `{error, error_description}` or `{detail}`, and with 400 instead of 422, as sign-in clients expect (design 6). */
  refusal?: 'oauth' | 'detail';
};

export type Endpoint<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  P extends Options = Options,
> = P & {
  path: string;
  /** The server validates calls with these. The browser build removes them and some options (vite.config.ts). */
  schemas?: { input: I; output: O };
};

export type Contract = Record<string, Endpoint>;
/** The input as a caller sends it. */
export type InputOf<E extends Endpoint> = z.input<Schemas<E>['input']>;
/** The input as the answer receives it, parsed. */
export type ParsedInputOf<E extends Endpoint> = z.output<Schemas<E>['input']>;
export type OutputOf<E extends Endpoint> = z.output<Schemas<E>['output']>;
type Schemas<E extends Endpoint> = NonNullable<E['schemas']>;

/** The input of calls that need none: an empty body, `null`, and `{}` are equivalent (design 6). */
export const Nothing = z.object({});

/** The output of a call that answers a file; see `file` in the options. */
export const Bytes = z.unknown();

/**
 * Declares a call. All calls are POST (specification section 7). Its key in the contract is the last segment of `path` that is not a parameter,
 * verbatim. A screen that validates with a schema imports the schema by name.
 */
export function post<I extends z.ZodType, O extends z.ZodType, const P extends Options>(
  path: string,
  input: I,
  output: O,
  options: P,
): Endpoint<I, O, P> {
  return { ...options, path, schemas: { input, output } };
}

/** Returns the group of a call, as used in the documentation and in API keys: the part of its path after /api. */
export function groupOf(path: string): string {
  return /^\/api\/(\w+)/.exec(path)?.[1] ?? 'Auth';
}

/** Returns whether a call may change something. */
export function isChanging({ writes, changes, in: place }: Options): boolean {
  return writes === true || changes === true || place === 'upload';
}

/** Returns the schemas of a call. Only the server has them. */
export function schemasOf<E extends Endpoint>({ path, schemas }: E): Schemas<E> {
  if (!schemas) throw new Error(`${path} has no schemas: this is the browser's half`);
  return schemas;
}
