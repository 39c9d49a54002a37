// The calls about the company's defaults for notifications. They are separate because their screen validates with the schema.
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { Version } from '#platform/shared/wire.ts';
import { NOTIFICATION_KINDS, type NotificationKind, Way } from './notification-kinds.ts';

const Ways = z.object(
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, Way.nullable()])) as Record<
    NotificationKind,
    z.ZodNullable<typeof Way>
  >,
);
/** Null: by role. */
export const CompanyWaysInput = Ways.extend({ version: Version });
const StoredCompanyWays = Ways.extend({ version: z.number().int() });

export const NotificationSettings = {
  GetCompanyWays: post('/api/Notification/GetCompanyWays', Nothing, StoredCompanyWays, {
    access: ['systemadmin'],
    peopleOnly: true,
  }),
  SaveCompanyWays: post('/api/Notification/SaveCompanyWays', CompanyWaysInput, StoredCompanyWays, {
    access: ['systemadmin'],
    writes: true,
    peopleOnly: true,
    summary: 'Sets how people who have not chosen themselves are notified about each kind.',
  }),
};
