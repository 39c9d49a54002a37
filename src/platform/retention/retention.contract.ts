// Our own calls for how long growing data is kept: the settings, and what would be cleared.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Version } from '#platform/shared/wire.ts';
import { MAX_MONTHS, RETENTION, RETENTION_GROUPS, RETENTION_KINDS, type RetentionGroup } from './retention-groups.ts';

/** Null: forever. */
const monthsInput = (group: RetentionGroup) => {
  const { least } = RETENTION[group];
  return z
    .number('Enter a number of months, or leave the field empty.')
    .int('Enter a whole number of months.')
    .min(least, `Enter at least ${least} ${least === 1 ? 'month' : 'months'}.`)
    .max(MAX_MONTHS, `Enter at most ${MAX_MONTHS.toLocaleString('en-US')} months, or leave the field empty.`)
    .nullable();
};
const eachGroup = <T extends z.ZodType>(target: (group: RetentionGroup) => T) =>
  Object.fromEntries(RETENTION_GROUPS.map((group) => [group, target(group)])) as Record<RetentionGroup, T>;

const Months = z.object(eachGroup(monthsInput));
export type Months = z.infer<typeof Months>;

const KeptMonths = z.object(eachGroup(() => z.number().int().nullable()));

export const RetentionInput = Months.extend({ version: Version });

export const Preview = z.object({
  /** Records older than this day are cleared. Null: nothing is cleared. */
  before: z.string().nullable(),
  going: z.array(
    z.object({
      kind: z.enum(RETENTION_KINDS),
      /** At most 1,000. */
      rows: z.number().int(),
      /** There are more than `rows`. */
      more: z.boolean(),
    }),
  ),
});
export type Preview = z.infer<typeof Preview>;

export const Retention = {
  GetRetention: post(
    '/api/Retention/GetRetention',
    z.object({}),
    z.object({
      version: z.number().int(),
      months: KeptMonths,
      /** Nothing is cleared, because the database was restored from a backup and its mail is held. */
      held: z.boolean(),
    }),
    { access: ['systemadmin'], peopleOnly: true, summary: 'The number of months that each group of records is kept.' },
  ),
  SaveRetention: post(
    '/api/Retention/SaveRetention',
    z.object({
      version: Version,
      /** Omitted groups are not changed. */
      months: z.object(eachGroup((group) => monthsInput(group).optional())),
    }),
    z.object({ version: z.number().int(), months: KeptMonths }),
    {
      writes: true,
      access: ['systemadmin'],
      peopleOnly: true,
      summary: 'Sets the number of months that each group of records is kept.',
    },
  ),
  PreviewRetention: post(
    '/api/Retention/PreviewRetention',
    z
      .object({ group: z.enum(RETENTION_GROUPS), months: z.number().int().min(1).max(MAX_MONTHS).nullable() })
      .refine(({ group, months }) => months === null || months >= RETENTION[group].least, {
        path: ['months'],
        message: 'The number of months is below the minimum.',
      }),
    Preview,
    {
      access: ['systemadmin'],
      peopleOnly: true,
      summary: 'What would be deleted now with this number of months.',
    },
  ),
};
