// Explains in a sentence why the database refused a change, for a whole call or for one row of a call with many rows.
import { isUnreachable } from '#platform/db/database.server.ts';
import { AmountOutOfRange } from '#platform/shared/money.ts';

/** Returns the status and the sentence, or undefined for any other error. */
export function databaseRefusal(error: unknown): [status: number, sentence: string] | undefined {
  if (error instanceof AmountOutOfRange) return [422, error.message];
  if (isUnreachable(error)) return [503, 'The database cannot be reached right now. Try again in a moment.'];
  const code = String((error as { code?: unknown } | null)?.code);
  if (code.startsWith('22')) return [422, 'A value is outside what can be stored.'];
  if (code === '55P03') {
    return [503, 'Someone else is changing this right now. Nothing was saved. Try again in a moment.'];
  }
  if (code === '57014') {
    return [503, 'This took too long and was stopped. Nothing was saved. Narrow the request or try again.'];
  }
  return undefined;
}
