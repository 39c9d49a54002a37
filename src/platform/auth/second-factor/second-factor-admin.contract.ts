// Administration of second factors: resetting one, and the roles that must have one (docs/decisions/0042).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { Id, Version } from '#platform/shared/wire.ts';

export const SecondFactorRules = z.object({
  roles: z.array(z.enum(ROLES)).max(ROLES.length),
  /** Every user must sign in again after this many days, however often the session was used. */
  sessionDays: z.number('A number of days').int('Whole days').min(1, 'At least 1').max(365, 'At most 365'),
  version: Version,
});
export type SecondFactorRules = z.infer<typeof SecondFactorRules>;

const access = ['systemadmin'] as const;

export const SecondFactorAdmin = {
  ResetSecondFactor: post('/api/UserEdit/ResetSecondFactor', z.object({ id: Id }), Nothing, {
    access,
    writes: true,
    summary: 'Removes the second factor of a person who has lost it. 409 for a person who has none.',
  }),
  GetSecondFactorRules: post('/api/SignIn/GetSecondFactorRules', Nothing, SecondFactorRules, {
    access,
    summary: 'The roles that must have a second factor, and how many days a sign-in lasts at most.',
  }),
  SaveSecondFactorRules: post('/api/SignIn/SaveSecondFactorRules', SecondFactorRules, SecondFactorRules, {
    access,
    writes: true,
    summary:
      'Sets which roles must have a second factor (a person without one sets it up at the next sign-in by password), and how many days a sign-in lasts at most.',
  }),
};
