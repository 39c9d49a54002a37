// The calls for signing in at the company's provider (OpenID Connect) and for linking the user's own account with it (docs/decisions/0042).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { TokenAnswer } from '../auth.contract.ts';

const Begun = z.object({
  /** The address of the provider that the browser opens. */
  address: z.string(),
  /** A secret that stays in this browser. Only this browser can finish the sign-in. */
  browser: z.string(),
});

const Returned = z.object({
  /** The query with which the provider sent the browser back. */
  search: z.string().max(8000),
  browser: z.string().max(200),
});

export const SignOn = {
  BeginSignOn: post('/api/SignOn/BeginSignOn', Nothing, Begun, {
    access: 'anyone',
    changes: true,
    rateLimit: 60,
    summary:
      'Starts a sign-in at the provider: authorization code with PKCE, state and nonce. 409 when none is set up.',
  }),
  CompleteSignOn: post('/api/SignOn/CompleteSignOn', Returned, TokenAnswer, {
    access: 'anyone',
    changes: true,
    rateLimit: 60,
    summary: 'Finishes a sign-in at the provider, once and within ten minutes; the roles come from its claims.',
  }),
  BeginLink: post(
    '/api/SignOn/BeginLink',
    z.object({ password: z.string().min(1, 'This field is required').max(1000) }),
    Begun,
    {
      access: 'user',
      changes: true,
      rateLimit: 60,
      summary: 'Starts linking the account of the caller with the one at the provider; needs the password.',
    },
  ),
  CompleteLink: post('/api/SignOn/CompleteLink', Returned, Nothing, {
    access: 'user',
    changes: true,
    rateLimit: 60,
    summary: 'Links the account of the caller: from then on the provider signs it in, too.',
  }),
  GetOwnSignOn: post(
    '/api/SignOn/GetOwnSignOn',
    Nothing,
    z.object({
      /** The label of the button. Empty when no provider is set up. */
      button: z.string(),
      linkedAt: z.string().nullable(),
      hasPassword: z.boolean(),
    }),
    { access: 'user', summary: 'Whether the account of the caller is linked with the provider.' },
  ),
  BackchannelLogout: post(
    '/api/SignOn/BackchannelLogout',
    z.object({ logout_token: z.string().max(20_000).default('') }),
    Nothing,
    {
      access: 'anyone',
      in: 'form',
      refusal: 'oauth',
      changes: true,
      rateLimit: 600,
      summary:
        'The provider ends sessions (OpenID Connect Back-Channel Logout 1.0). 400 for a token that is invalid or was used before.',
    },
  ),
};
