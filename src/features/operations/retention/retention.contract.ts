// Defines our own calls for how long what grows is kept: the settings, what there is, and what would go.
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { Version } from '#shared/wire.ts';
import { MOST_DAYS, RETENTION, RETENTION_KINDS, type RetentionKind } from './retention-limits.ts';

/** Null: forever. */
const daysInput = (kind: RetentionKind) => {
  const { least } = RETENTION[kind];
  return z
    .number('Type a number of days, or leave it empty.')
    .int('Type a whole number of days.')
    .min(least, `Keep it for at least ${least} days.`)
    .max(MOST_DAYS, `Keep it for at most ${MOST_DAYS.toLocaleString('en-US')} days, or leave it empty.`)
    .nullable();
};
const eachKind = <T extends z.ZodType>(of: (kind: RetentionKind) => T) =>
  Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, of(kind)])) as Record<RetentionKind, T>;

const Days = z.object(eachKind(daysInput));
export type Days = z.infer<typeof Days>;

const Rows = z.object({
  /** At most 1,000. */
  rows: z.number().int(),
  /** There are more than `rows`. */
  more: z.boolean(),
  /** When the oldest was sent, made or last used. */
  oldest: z.string().nullable(),
});

export const RetentionInput = Days.extend({ version: Version });

export const Preview = Rows.extend({
  /** What is older than this day goes. Null: nothing goes. */
  before: z.string().nullable(),
  /** The oldest three. */
  examples: z.array(z.object({ name: z.string(), at: z.string() })),
});
export type Preview = z.infer<typeof Preview>;

export const Retention = {
  GetRetention: post(
    '/api/Retention/GetRetention',
    z.object({}),
    z.object({
      version: z.number().int(),
      days: z.object(eachKind(() => z.number().int().nullable())),
      kinds: z.array(
        Rows.extend({
          kind: z.enum(RETENTION_KINDS),
          /** The day before which rows were cleared; null: none ever were. */
          clearedBefore: z.string().nullable(),
        }),
      ),
      /** Nothing is cleared, because the database was restored from a backup and its mail is held. */
      held: z.boolean(),
    }),
    { access: ['systemadmin'], peopleOnly: true, summary: 'How long what grows is kept, and how much of it there is.' },
  ),
  SaveRetention: post(
    '/api/Retention/SaveRetention',
    z.object({
      version: Version,
      /** A kind that is left out stays as it is. */
      days: z.object(eachKind((kind) => daysInput(kind).optional())),
    }),
    z.object({ version: z.number().int(), days: z.object(eachKind(() => z.number().int().nullable())) }),
    { writes: true, access: ['systemadmin'], peopleOnly: true, summary: 'Says how long what grows is kept.' },
  ),
  PreviewRetention: post(
    '/api/Retention/PreviewRetention',
    z
      .object({ kind: z.enum(RETENTION_KINDS), days: z.number().int().min(1).max(MOST_DAYS).nullable() })
      .refine(({ kind, days }) => days === null || days >= RETENTION[kind].least, {
        path: ['days'],
        message: 'That is less than the least number of days.',
      }),
    Preview,
    {
      access: ['systemadmin'],
      peopleOnly: true,
      summary: 'What would be cleared now if it were kept for so many days.',
    },
  ),
};
