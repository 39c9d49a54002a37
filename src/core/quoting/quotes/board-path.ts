// The address of a quote's board for a user (specification section 2, 'Opening a quote').
import { paths } from '#platform/shared/paths.ts';
import { opensInternalBoard, type Role } from '#platform/shared/roles.ts';

/** Internal users and sales quote managers go to the internal board, others to the public one. */
export function boardPath(user: { roles: readonly Role[] }, quoteId: number): string {
  return opensInternalBoard(user) ? paths.internalBoard(quoteId) : paths.publicBoard(quoteId);
}
