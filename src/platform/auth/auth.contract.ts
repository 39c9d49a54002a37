// Signing in and out, refreshing, passwords: the Auth group of the specification (section 7) and design 6.
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { Text } from '#platform/shared/wire.ts';
import { NewPassword } from './passwords/new-password.ts';

const Role = z.enum(ROLES);

/** The signed-in user, read at each start of the application. */
export const SignedInUser = z.object({
  id: z.number().int(),
  userName: z.string(),
  fullName: z.string(),
  roles: z.array(Role),
  gpoTabHidden: z.boolean(),
  mustChangePassword: z.boolean(),
  /** A role requires a second factor, which this sign-in lacked. The user must set it up first. */
  mustEnroll: z.literal(true).optional(),
});
export type SignedInUser = z.infer<typeof SignedInUser>;

export const TokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number().int(),
  ...SignedInUser.shape,
  /** The device stores this and sends it with its next sign-in. Wrong passwords typed elsewhere then do not lock this device out. */
  device: z.string(),
  '.issued': z.string(),
  '.expires': z.string(),
});
export type TokenAnswer = z.infer<typeof TokenAnswer>;

export const Auth = {
  Token: post(
    '/Token',
    // The answer itself refuses missing fields, because this call has its own error format.
    z.object({
      UserName: Text(320).default(''),
      Password: z.string().max(1000).default(''),
      grant_type: z.string().max(40).default('').describe("'password'"),
      device: z.string().max(1000).default('').describe('what the last sign-in on this device returned'),
    }),
    TokenAnswer,
    {
      access: 'anyone',
      in: 'form',
      refusal: 'oauth',
      summary:
        'Signs in. Fails with {error, error_description}: 400, 403 while the public site is locked, 429 after too many attempts; 403 mfa_required with a mfa_token for ConfirmSignIn when a second factor is set up.',
      rateLimit: 120,
    },
  ),
  token: post(
    '/o/token/',
    z.object({
      grant_type: z.string().max(40).default('').describe("'refresh_token'"),
      refresh_token: z.string().max(200).default(''),
      client_id: z.string().max(200).optional(),
      client_secret: z.string().max(200).optional(),
    }),
    z.object({
      access_token: z.string(),
      refresh_token: z.string(),
      token_type: z.literal('bearer'),
      expires_in: z.number().int(),
      '.expires': z.string(),
    }),
    {
      access: 'anyone',
      refusal: 'detail',
      summary:
        'Rotates a refresh token (JSON or form); the client authenticates with Basic or with form fields. Fails with {detail}: 400, 401.',
    },
  ),
  ResetPassword: post(
    '/api/Account/ResetPassword',
    // A call without the field gets the same message as one with an empty field.
    z.object({ email: Text(320).min(1, 'Please enter your Email first!').prefault('') }),
    z.literal('successful'),
    {
      access: 'anyone',
      in: 'query',
      writes: true,
      rateLimit: 20,
      summary:
        'Emails a temporary password that works once within 30 minutes. The response is the same for an unknown address.',
    },
  ),
  ChangePassword: post(
    '/api/Account/ChangePassword',
    z.object({
      /** Optional while a change is forced, because the user has just signed in with the temporary password. */
      currentPassword: z.string().max(1000).optional(),
      newPassword: NewPassword,
    }),
    Nothing,
    { access: 'user', summary: 'Changes the password of the caller; signs out every other session.' },
  ),
  GetSignedInUser: post('/api/Account/GetSignedInUser', Nothing, SignedInUser, { access: 'user' }),
  SignOut: post('/api/Account/SignOut', Nothing, Nothing, {
    access: 'user',
    writes: true,
    summary: 'Ends this session.',
  }),
};
