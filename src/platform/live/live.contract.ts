// The stream of changes: the kind, id and version of each changed record. The usual calls then read the record.
import { QUOTING_ROLES, type Role } from '#platform/shared/roles.ts';

/** GET with a bearer token; answers `text/event-stream`. Not for API keys. */
export const LIVE_PATH = '/api/live';

/** The kinds of records, and who receives their changes. `inSight`: all users who may see the quote. `own`: the user whose id the fact contains. */
export const FACT_KINDS = {
  quote: 'inSight',
  notification: 'own',
  eligibility: ['systemadmin', 'contractdept'],
  order: ['systemadmin', 'salesadmin'],
  import: ['systemadmin', 'salesadmin', 'contractdept'],
  savings: QUOTING_ROLES,
} as const satisfies Record<string, 'inSight' | 'own' | readonly Role[]>;
export type FactKind = keyof typeof FACT_KINDS;

/**
 * A change of a record. For a notification, the id is that of its user. Id 0 means many records at once. Version 0 means a change of something that
 * belongs to the record (a quote's approval, questions, mail) and does not change its version.
 */
export type Fact = { kind: FactKind; id: number; version: number };

/** Another user who has a quote open: the line with their focus, and whether they typed in it. */
export type Other = { id: number; name: string; itemId: number | null; typing: boolean };
/** The other users who have a quote open now. */
export type Here = { quoteId: number; others: readonly Other[] };

/**
 * The events of the stream. `hello`: the listener receives every change from now on, and reads again what it shows. `facts`: a JSON list of facts.
 * `here`: who else has a quote open that this browser has open, too. `bye`: the server ends the stream; the data contains the reason: `stopping`,
 * `lost` (the database was unreachable), or `ended` (the session or its permissions).
 */
export type LiveEvent = 'hello' | 'facts' | 'here' | 'bye';
export type Farewell = 'stopping' | 'lost' | 'ended';
