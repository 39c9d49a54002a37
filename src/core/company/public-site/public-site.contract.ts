// The lock of the public site (specification sections 4 and 7, design 3).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { RequiredText, Text } from '#platform/shared/wire.ts';

export const PublicSiteStatus = z.object({
  locked: z.boolean(),
  /** The message for public users while the site is locked. */
  message: z.string(),
  lockedAt: z.string().nullable(),
  lockedBy: z.string().nullable(),
  /** When it opens automatically. Null: it stays locked until a user unlocks it. */
  lockedUntil: z.string().nullable(),
  /** The number of public users who are signed in now and would be signed out. */
  signedIn: z.number().int(),
});
export type PublicSiteStatus = z.infer<typeof PublicSiteStatus>;

export const LockInput = z.object({
  message: RequiredText(500),
  /** An instant, ISO 8601. */
  until: z.iso.datetime({ offset: true, error: 'Not a date and time' }).nullish(),
});

/** The toggle of the specification: the requested state of the site. Without a state the site is unlocked. */
const ToggleInput = z.object({
  locked: z.boolean().default(false),
  /** The message for public users while the site is locked. Empty keeps the message of the last lock. */
  message: Text(500).default(''),
  /** An instant, ISO 8601. */
  until: LockInput.shape.until,
});

export const PublicSiteAdmin = {
  GetPublicSiteStatus: post('/api/PublicSiteAdmin/GetPublicSiteStatus', Nothing, PublicSiteStatus, {
    access: ['systemadmin'],
  }),
  LockPublicSite: post('/api/PublicSiteAdmin/LockPublicSite', LockInput, PublicSiteStatus, {
    access: ['systemadmin'],
    writes: true,
    summary: 'Signs out sales representatives and sales support and shows them a message. Everyone else keeps working.',
  }),
  UnlockPublicSite: post('/api/PublicSiteAdmin/UnlockPublicSite', ToggleInput, PublicSiteStatus, {
    access: ['systemadmin'],
    writes: true,
    peopleOnly: true,
    summary: 'Sets the state of the public site: unlocked, or locked with {"locked": true}.',
  }),
};
