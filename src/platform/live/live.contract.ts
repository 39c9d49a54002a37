// The stream of changes: the kind, id and version of each changed record. The usual calls then read the record.
import { QUOTING_ROLES, type Role } from '#platform/shared/roles.ts';

/** GET with a bearer token; answers `text/event-stream`. People only. */
export const LIVE_PATH = '/api/live';

/** The kinds of records, and who receives their changes. `inSight`: all who can see the quote. `own`: the user whose id the fact has. */
export const FACT_KINDS = {
  quote: 'inSight',
  notification: 'own',
  eligibility: ['systemadmin', 'contractdept'],
  order: ['systemadmin', 'salesadmin'],
  import: ['systemadmin', 'salesadmin', 'contractdept'],
  savings: QUOTING_ROLES,
} as const satisfies Record<string, 'inSight' | 'own' | readonly Role[]>;
export type FactKind = keyof typeof FACT_KINDS;

/** A change of a record; of a notification, the id of its person. Id 0: of many records at once. Version 0: of what belongs to it (a quote's approval, questions, mail) and leaves its version as it is. */
export type Fact = { kind: FactKind; id: number; version: number };

/** Somebody else who has a quote open: the line that has their focus, and whether they typed in it. */
export type Other = { id: number; name: string; itemId: number | null; typing: boolean };
/** Who else has a quote open now. */
export type Here = { quoteId: number; others: readonly Other[] };

/**
 * The events of the stream. `hello`: from now on the listener hears everything; it reads again what it shows. `facts`: a JSON list of facts. `here`:
 * who else has a quote open that this browser has open, too. `bye`: the server ends the stream; its data says why: `stopping`, `lost` (the database was out of reach), or `ended` (the session or its rights).
 */
export type LiveEvent = 'hello' | 'facts' | 'here' | 'bye';
export type Farewell = 'stopping' | 'lost' | 'ended';
