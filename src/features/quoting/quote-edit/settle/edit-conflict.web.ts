// Somebody else's change in the way of a save, as the server told it.
import { HttpError } from '#api/http-error.ts';
import type { EditConflict } from '../quote-edit.contract.ts';

/** What stands in the way of the save that failed so; undefined when it failed for another reason. */
export function editConflictOf(error: Error | null | undefined): EditConflict | undefined {
  if (!(error instanceof HttpError) || error.status !== 409) return undefined;
  const conflict = (error.conflict ?? {}) as Partial<EditConflict>;
  return 'quote' in conflict && 'item' in conflict ? (conflict as EditConflict) : undefined;
}
