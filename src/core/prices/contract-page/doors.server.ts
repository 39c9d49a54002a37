// The door of a contract's page on the server, where add-ons extend it (docs/addons.md).
import { door } from '#platform/addons/door.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Viewer } from '#core/quoting/quotes/sight.server.ts';

/** Counts the quotes at risk of a contract that a user can see. */
export const riskCount = door<(db: Db, user: Viewer, contractId: number) => Promise<number>>();
