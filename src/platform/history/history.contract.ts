// The history of a record (our own call): the 'History' of every administration screen.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { FieldChange } from '#platform/shared/conflict.ts';
import { Id } from '#platform/shared/wire.ts';
import { RECORD_TYPE_IDS } from './record-types.ts';

export const RecordEvent = z.object({
  id: z.number().int(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  comment: z.string(),
  changes: z.array(FieldChange),
});
export type RecordEvent = z.infer<typeof RecordEvent>;

export const History = {
  GetHistory: post(
    '/api/History/GetHistory',
    z.object({ type: z.enum(RECORD_TYPE_IDS), id: Id }),
    z.array(RecordEvent),
    {
      access: ['systemadmin', 'salesadmin', 'contractdept'],
      summary: 'What was done to a record, newest first, the last 200.',
    },
  ),
  GetCleared: post(
    '/api/History/GetCleared',
    z.object({}),
    z.array(
      z.object({
        /** One of the kinds of PreviewRetention. */
        kind: z.string(),
        /** The first day that is kept. */
        before: z.string(),
      }),
    ),
    { access: ['systemadmin', 'salesadmin', 'contractdept'], summary: 'Before which day old entries were cleared.' },
  ),
};
