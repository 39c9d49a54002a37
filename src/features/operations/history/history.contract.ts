// The history of a record (our own call): the 'History' of every administration screen.
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { Id } from '#shared/wire.ts';
import { RECORD_TYPE_IDS } from './record-types.ts';

export const FieldChange = z.object({ field: z.string(), before: z.string(), after: z.string() });
/** A changed field, its name and values in words. */
export type FieldChange = z.infer<typeof FieldChange>;

export const RecordEvent = z.object({
  id: z.number().int(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  comment: z.string(),
  changes: z.array(FieldChange),
});
export type RecordEvent = z.infer<typeof RecordEvent>;

/** What blocks the save of a record (409): who changed what since it was read, and the record as it is now. */
export const RecordConflict = z.object({
  changedBy: z.string(),
  changedAt: z.string().nullable(),
  changes: z.array(FieldChange),
  current: z.record(z.string(), z.unknown()),
});
export type RecordConflict = z.infer<typeof RecordConflict>;

export const History = {
  GetHistory: post(
    '/api/History/GetHistory',
    z.object({ type: z.enum(RECORD_TYPE_IDS), id: Id }),
    z.array(RecordEvent),
    { access: ['systemadmin', 'salesadmin'], summary: 'What was done to a record, newest first, the last 200.' },
  ),
};
