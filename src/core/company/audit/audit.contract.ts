// Our own calls that list every change: administration records, quotes, sign-ins.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { FieldChange } from '#platform/shared/conflict.ts';
import { RECORD_TYPE_IDS } from '#platform/history/record-types.ts';
import { Person } from '#platform/users/users.contract.ts';
import type { Role } from '#platform/shared/roles.ts';
import { DAYS_IN_ORDER, FilterDay, Id, Text } from '#platform/shared/wire.ts';

/** The list contains data for system administrators only, such as the history of users. */
const READERS: readonly Role[] = ['systemadmin'];

export const AUDIT_KINDS = ['quote', ...RECORD_TYPE_IDS, 'signIn'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Counting stops here, and the list shows 'more than'. */
export const MAX_COUNTED = 10_000;
/** The maximum number of events in one file. */
export const MAX_EXPORTED = 100_000;
/** The maximum length of the searched text. */
export const MAX_TEXT_LENGTH = 100;

/** A position in the list: the event's time in microseconds, its source table, and its id there. */
const Place = z
  .string()
  .regex(
    /^\d{1,16}\.(?:(?:quote|record)\.\d{1,18}|signIn\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/,
    'This place in the list does not exist',
  )
  .nullish();

const Criteria = z.object({
  from: FilterDay,
  /** The last day, inclusive. */
  to: FilterDay,
  userId: Id.nullish(),
  kind: z.enum(AUDIT_KINDS).nullish(),
  /** The stored name: 'Edit', 'Submit', … */
  action: Text(40).nullish(),
  /** Each word must be the beginning of a word in the record's name, the comment or a change, or be the number of a quote. */
  text: Text(MAX_TEXT_LENGTH).nullish(),
});
export type AuditCriteria = z.output<typeof Criteria>;

export const AuditEvent = z.object({
  /** The event's position in the list. */
  place: z.string(),
  at: z.string(),
  /** Null for a customer or the program itself. */
  userId: z.number().int().nullable(),
  actor: z.string(),
  kind: z.enum(AUDIT_KINDS),
  /** The id of the record; for a sign-in, the id of the user. */
  recordId: z.number().int(),
  name: z.string(),
  action: z.string(),
  comment: z.string(),
  changes: z.array(FieldChange),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const Audit = {
  SearchAudit: post(
    '/api/Audit/SearchAudit',
    Criteria.extend({
      /** Returns events that are older than this one, or newer; without either, the newest. */
      older: Place,
      newer: Place,
      pageSize: z.number().int().min(1).max(200).default(50),
    }).refine(...DAYS_IN_ORDER),
    z.object({
      records: z.array(AuditEvent),
      /** The start of the next page, or null if there is none. */
      older: z.string().nullable(),
      newer: z.string().nullable(),
      /** At most 10,000. */
      total: z.number().int(),
      more: z.boolean(),
      /** The user whose events are requested, even one who has left. */
      person: Person.nullable(),
      timeZone: z.string(),
    }),
    { access: READERS, summary: 'What was changed, newest first: records, quotes, sign-ins.' },
  ),
  ExportAudit: post('/api/Audit/ExportAudit', Criteria.refine(...DAYS_IN_ORDER), Bytes, {
    access: READERS,
    file: 'text/csv',
    summary: 'What was changed as CSV, the newest 100,000.',
  }),
};
