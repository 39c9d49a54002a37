// Signing in at the company's provider (OpenID Connect), and linking one's own account with it (docs/decisions/0217).
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import { TokenAnswer } from '../auth.contract.ts';

const Begun = z.object({
  /** Where the browser goes. */
  address: z.string(),
  /** Stays in this browser: without it nobody finishes what began here. */
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
      'Begins a sign-in at the provider: authorization code with PKCE, state and nonce. 409 when none is set up.',
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
      summary: 'Begins to link the own account with the one at the provider; needs the password.',
    },
  ),
  CompleteLink: post('/api/SignOn/CompleteLink', Returned, Nothing, {
    access: 'user',
    changes: true,
    rateLimit: 60,
    summary: 'Links the own account: from then on it is signed in at the provider, too.',
  }),
  GetOwnSignOn: post(
    '/api/SignOn/GetOwnSignOn',
    Nothing,
    z.object({
      /** The words on the button; empty: none is set up. */
      button: z.string(),
      linkedAt: z.string().nullable(),
      hasPassword: z.boolean(),
    }),
    { access: 'user', summary: 'Whether the own account is linked with the provider.' },
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
        'The provider ends sessions (OpenID Connect Back-Channel Logout 1.0). 400 for a token that is not good, or came before.',
    },
  ),
};
