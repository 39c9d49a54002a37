// Says in words why the database refused a change, for whole calls and for each row of a call about many.
import { isUnreachable } from '#platform/db/database.server.ts';
import { AmountOutOfRange } from '#platform/shared/money.ts';

/** The status and the sentence; undefined for any other error. */
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
