// Defines the calls for the settings of the company's sign-in, and for linked users (docs/decisions/0042).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { Id, Named, RequiredText, Version } from '#platform/shared/wire.ts';

const access = ['systemadmin'] as const;

const RoleRow = z.object({
  claim: RequiredText(200),
  value: RequiredText(200),
  roles: z.array(z.enum(ROLES)).min(1, 'Choose at least one role').max(ROLES.length),
});

export const SignOnInput = z.object({
  version: Version,
  issuer: RequiredText(500),
  clientId: RequiredText(500),
  /** Empty keeps the stored one. */
  secret: z.string().max(2000).default(''),
  scopes: RequiredText(500).refine((text) => text.split(/\s+/).includes('openid'), 'Include openid'),
  button: RequiredText(60),
  makesPeople: z.boolean(),
  localOff: z.boolean(),
  localAdminId: Id.nullable(),
  rows: z.array(RoleRow).max(200),
});

const Settings = SignOnInput.omit({ secret: true }).extend({
  issuer: z.string(),
  clientId: z.string(),
  scopes: z.string(),
  button: z.string(),
  /** Whether a secret is stored. No call ever returns it. */
  hasSecret: z.boolean(),
  /** Why no one can sign in with the stored settings. */
  problem: z.string(),
  /** Our addresses to register at the provider. */
  redirectUri: z.string(),
  logoutUri: z.string(),
  /** Active system administrators with a password. */
  administrators: z.array(Named),
});
export type SignOnSettings = z.infer<typeof Settings>;

const UserSignOn = z.object({
  /** Empty if no provider is set up. */
  issuer: z.string(),
  links: z.array(
    z.object({ issuer: z.string(), subject: z.string(), linkedAt: z.string(), lastUsedAt: z.string().nullable() }),
  ),
});
export type UserSignOn = z.infer<typeof UserSignOn>;
const Subject = RequiredText(300);

export const SignOnAdmin = {
  GetSignOnSettings: post('/api/SignIn/GetSignOnSettings', Nothing, Settings, { access }),
  SaveSignOnSettings: post('/api/SignIn/SaveSignOnSettings', SignOnInput, Settings, {
    access,
    writes: true,
    summary: 'Sets up or changes single sign-on. The secret is stored encrypted and never returned.',
  }),
  RemoveSignOn: post('/api/SignIn/RemoveSignOn', z.object({ version: Version }), Settings, {
    access,
    writes: true,
    summary:
      'Deletes the provider and its secret, ends the sessions that began with it, and lets everyone sign in with a password again.',
  }),
  TestSignOn: post('/api/SignIn/TestSignOn', SignOnInput, z.object({ ok: z.boolean(), sentence: z.string() }), {
    access,
    summary: 'Reads the metadata and the keys of the provider. Changes nothing.',
  }),
  GetUserSignOn: post('/api/UserEdit/GetUserSignOn', z.object({ id: Id }), UserSignOn, {
    access,
    summary: 'The provider accounts that a user is linked with.',
  }),
  LinkUserSignOn: post('/api/UserEdit/LinkUserSignOn', z.object({ id: Id, subject: Subject }), UserSignOn, {
    access,
    writes: true,
    summary:
      'Links a user with a provider account, identified by the sub claim. Returns 409 if the subject is linked with another user.',
  }),
  UnlinkUserSignOn: post(
    '/api/UserEdit/UnlinkUserSignOn',
    z.object({ id: Id, issuer: RequiredText(500), subject: Subject }),
    UserSignOn,
    { access, writes: true, summary: 'Removes a link and ends its sessions.' },
  ),
};
