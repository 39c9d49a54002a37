// The settings of the company's sign-in, and who is linked with it (docs/decisions/0217).
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import { ROLES } from '#shared/roles.ts';
import { Id, Named, RequiredText, Version } from '#shared/wire.ts';

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
  /** Empty: the one that is kept. */
  secret: z.string().max(2000).default(''),
  scopes: RequiredText(500).refine((text) => text.split(/\s+/).includes('openid'), 'openid must be among them'),
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
  /** Whether one is kept; nothing ever answers it. */
  hasSecret: z.boolean(),
  /** Why nobody can sign in by what is kept. */
  problem: z.string(),
  /** What the provider has to know of us. */
  redirectUri: z.string(),
  logoutUri: z.string(),
  /** Active system administrators with a password. */
  administrators: z.array(Named),
});
export type SignOnSettings = z.infer<typeof Settings>;

const UserSignOn = z.object({
  /** Empty: no provider is set up. */
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
    summary: 'Sets up the sign-in at a provider, or changes it. The secret is kept sealed and never answered.',
  }),
  RemoveSignOn: post('/api/SignIn/RemoveSignOn', z.object({ version: Version }), Settings, {
    access,
    writes: true,
    summary:
      'Forgets the provider and its secret, ends the sessions that came from it, and lets everybody sign in by password again.',
  }),
  TestSignOn: post('/api/SignIn/TestSignOn', SignOnInput, z.object({ ok: z.boolean(), sentence: z.string() }), {
    access,
    summary: 'Reads what the provider says of itself, and its keys. Changes nothing.',
  }),
  GetUserSignOn: post('/api/UserEdit/GetUserSignOn', z.object({ id: Id }), UserSignOn, {
    access,
    summary: 'With which people of providers a user is linked.',
  }),
  LinkUserSignOn: post('/api/UserEdit/LinkUserSignOn', z.object({ id: Id, subject: Subject }), UserSignOn, {
    access,
    writes: true,
    summary:
      'Links a user with the person whom the provider calls so (the claim sub). 409 for a subject of somebody else.',
  }),
  UnlinkUserSignOn: post(
    '/api/UserEdit/UnlinkUserSignOn',
    z.object({ id: Id, issuer: RequiredText(500), subject: Subject }),
    UserSignOn,
    { access, writes: true, summary: 'Takes a link away and ends the sessions that came by it.' },
  ),
};
