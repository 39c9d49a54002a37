// The common error format: a problem document (design 6) that the server throws and the browser reads.
import { z } from 'zod';
import { Conflict } from '#platform/shared/conflict.ts';
import { isPassingStatus } from '#platform/shared/passing-status.ts';
import type { Role } from '#platform/shared/roles.ts';

export const FieldError = z.object({ path: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldError>;

/** application/problem+json. `ExceptionMessage` repeats `detail` because the specification's clients read it. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  ExceptionMessage: z.string(),
  requestId: z.string().optional(),
  errors: z.array(FieldError).optional(),
  conflict: Conflict.optional(),
});
export type Problem = z.infer<typeof Problem>;

/** Thrown by an answer; the server turns it into a Problem. `detail` is a sentence for the user. */
export class HttpError extends Error {
  override name = 'HttpError';
  declare readonly status: number;
  declare readonly errors?: FieldError[];
  declare readonly conflict?: Conflict;
  declare readonly retryAfter?: number;
  /** The error code in the answer of /Token (RFC 6749, 5.2). */
  declare readonly code?: string;
  /** The roles that may make the call. */
  declare readonly openTo?: readonly Role[];
  /** The token that the second step of a sign-in sends together with its code. /Token calls it `mfa_token`. */
  declare readonly challenge?: string;

  constructor(status: number, detail: string, more: Omit<Partial<HttpError>, keyof Error | 'status'> = {}) {
    super(detail);
    Object.assign(this, { status, ...more });
  }
}

/** Returns whether an automatic retry is worthwhile: no network, a starting server, or an ended session. */
export function isPassing(error: unknown): error is HttpError {
  return error instanceof HttpError && isPassingStatus(error.status);
}

/** Whether the server refused the call because this user lacks the permission. */
export function isForbidden(error: unknown): error is HttpError {
  return error instanceof HttpError && error.status === 403;
}

/** Reveals only that this user can find nothing here, not whether it exists (design 3). */
export function notFound(what = 'record'): HttpError {
  return new HttpError(404, `This ${what} does not exist.`);
}

/** `openTo` names the roles that may make the call. */
export function forbidden(openTo?: readonly Role[]): HttpError {
  return new HttpError(403, 'You do not have permission to do this.', openTo ? { openTo } : {});
}

/** Refuses input that has the right shape but unacceptable content. Each error names its field. */
export function invalid(errors: FieldError[]): HttpError {
  return new HttpError(422, errors.map((error) => error.message).join(' '), { errors });
}

/**
 * Returns the part of an error that no field shows: the whole error, the messages of other fields, or null. `isShown` returns whether the form shows
 * errors of a path.
 */
export function withoutFieldErrors(error: Error | null, isShown: (path: string) => boolean): Error | null {
  if (!(error instanceof HttpError) || !error.errors || error.errors.length === 0) return error;
  const left = error.errors.filter(({ path }) => !isShown(path));
  return left.length === 0 ? null : invalid(left);
}
