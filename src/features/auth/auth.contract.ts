// Signing in and out, refreshing, passwords: the Auth group of the specification (section 7) and design 6.
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import { ROLES } from '#shared/roles.ts';

const Role = z.enum(ROLES);

export const TokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number().int(),
  id: z.number().int(),
  userName: z.string(),
  fullName: z.string(),
  roles: z.array(Role),
  '.issued': z.string(),
  '.expires': z.string(),
});
export type TokenAnswer = z.infer<typeof TokenAnswer>;

/** The signed-in person as the screens need it, read anew at each start of the application. */
export const SignedInUser = z.object({
  id: z.number().int(),
  userName: z.string(),
  fullName: z.string(),
  roles: z.array(Role),
  gpoTabHidden: z.boolean(),
  mustChangePassword: z.boolean(),
});
export type SignedInUser = z.infer<typeof SignedInUser>;

/** At least 12 characters; anything goes in them. */
export const NewPassword = z.string().min(12, 'At least 12 characters').max(200, 'At most 200 characters');

export const Auth = {
  Token: post(
    '/Token',
    z.object({ UserName: z.string().max(320), Password: z.string().max(1000), grant_type: z.literal('password') }),
    TokenAnswer,
    { access: 'anyone', in: 'form', summary: 'Signs in. Fails with 400 {error, error_description}.', rateLimit: 120 },
  ),
  token: post(
    '/o/token/',
    z.object({
      grant_type: z.literal('refresh_token'),
      refresh_token: z.string().max(200),
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
    { access: 'anyone', summary: 'Rotates a refresh token; the client proves itself by Basic or fields. Fails with {detail}.' },
  ),
  ResetPassword: post('/api/Account/ResetPassword', z.object({ email: z.string().max(320) }), z.literal('successful'), {
    access: 'anyone',
    in: 'query',
    writes: true,
    rateLimit: 20,
    summary: 'Mails a temporary password, good once for 30 minutes. Answers the same for an unknown address.',
  }),
  ChangePassword: post(
    '/api/Account/ChangePassword',
    z.object({ currentPassword: z.string().max(1000), newPassword: NewPassword }),
    Nothing,
    { access: 'user', writes: true, summary: 'Changes the own password; signs out every other session.' },
  ),
  GetSignedInUser: post('/api/Account/GetSignedInUser', Nothing, SignedInUser, { access: 'user' }),
  SignOut: post('/api/Account/SignOut', Nothing, Nothing, { access: 'user', writes: true, summary: 'Ends this session.' }),
};
