// Talks to the company's sign-in provider: OpenID Connect by openid-client, and logout tokens by jose, because openid-client does not check them.
import {
  createRemoteJWKSet,
  customFetch,
  errors as joseErrors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import * as oidc from 'openid-client';
import { guardedFetch } from './guarded-fetch.server.ts';
import { AddressRefused, type Reach, wrongAddress } from './reachable-address.server.ts';

const TIMEOUT_SECONDS = 8;
const DISCOVERED_FOR_MS = 10 * 60_000;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** A logout token is used immediately. The limit allows for clocks that differ. */
const LOGOUT_MAX_AGE = '5 minutes';
const CLOCK_TOLERANCE = 60;
const SIGNATURES = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export type SignOnLogin = { issuer: string; clientId: string; clientSecret: string; scopes: string };
export type Claims = Record<string, unknown> & { iss: string; sub: string };
export type LogoutToken = { jti: string; sub: string | null; sid: string | null };

/** An error of the provider. The message is a sentence for the user and contains no secret. `down` means that a retry may work. */
export class SignOnError extends Error {
  override name = 'SignOnError';
  readonly kind: 'down' | 'refused';
  constructor(kind: 'down' | 'refused', message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Returns whether this may be an issuer, within reach of this server. A path is allowed, but no query or fragment. */
export function isIssuer(text: string, reach: Reach): boolean {
  return !wrongAddress(text, reach) && !text.includes('?') && !text.includes('#');
}

type Provider = { config: oidc.Configuration; keys: JWTVerifyGetKey; until: number };

export type SignOnClient = {
  /** Checks the provider's metadata, and whether its keys can be read. */
  test: () => Promise<{ keys: number; logout: boolean }>;
  authorizationUrl: (given: { redirectUri: string; state: string; nonce: string; verifier: string }) => Promise<string>;
  /** Returns the claims of the signed-in user, from the ID token and from the provider's userinfo if it has one. */
  complete: (given: { address: URL; state: string; nonce: string; verifier: string }) => Promise<Claims>;
  readLogoutToken: (token: string, now: Date) => Promise<LogoutToken>;
};

/** `kept` caches discovered providers by issuer and client. A change of the settings clears it. */
export function openSignOn(
  login: SignOnLogin,
  { reach, kept }: { reach: Reach; kept: Map<string, Provider> },
): SignOnClient {
  const key = JSON.stringify([login.issuer, login.clientId]);
  const get = guardedFetch(reach);

  async function provider(): Promise<Provider> {
    const known = kept.get(key);
    if (known && known.until > Date.now()) return known;
    const config = await withSentence(() =>
      oidc.discovery(
        new URL(login.issuer),
        login.clientId,
        { client_secret: login.clientSecret, redirect_uris: [] },
        (as, client, body, headers) => {
          const post = as.token_endpoint_auth_methods_supported?.includes('client_secret_post');
          const authenticate = post ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
          authenticate(login.clientSecret)(as, client, body, headers);
        },
        {
          timeout: TIMEOUT_SECONDS,
          [oidc.customFetch]: get as oidc.CustomFetch,
          execute: [
            // Also checks the signature of the ID token, because TLS does not prove its origin if plain http is allowed.
            oidc.enableNonRepudiationChecks,
            ...(reach.loopback || reach.networks.length > 0 ? [oidc.allowInsecureRequests] : []),
          ],
        },
      ),
    );
    const { jwks_uri: jwksUri } = config.serverMetadata();
    if (!jwksUri) throw new SignOnError('refused', 'The provider does not publish the address of its keys (jwks_uri).');
    const keys = createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: TIMEOUT_SECONDS * 1000, [customFetch]: get });
    const entry = { config, keys, until: Date.now() + DISCOVERED_FOR_MS };
    kept.set(key, entry);
    return entry;
  }

  return {
    test: async () => {
      kept.delete(key);
      const { config } = await provider();
      const metadata = config.serverMetadata();
      for (const [name, value] of [
        ['authorization_endpoint', metadata.authorization_endpoint],
        ['token_endpoint', metadata.token_endpoint],
      ])
        if (!value) throw new SignOnError('refused', `The provider does not publish its ${name}.`);
      const answer: unknown = await withSentence(async () => {
        const response = await get(metadata.jwks_uri ?? '', {
          signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
          redirect: 'error',
        });
        if (!response.ok)
          throw new SignOnError('refused', `The keys of the provider could not be loaded (${response.status}).`);
        return response.json().catch(() => null);
      });
      const { keys } = (answer ?? {}) as { keys?: unknown };
      if (!Array.isArray(keys) || keys.length === 0)
        throw new SignOnError('refused', 'The provider publishes no keys at its jwks_uri.');
      return { keys: keys.length, logout: metadata['backchannel_logout_supported'] === true };
    },

    authorizationUrl: async ({ redirectUri, state, nonce, verifier }) => {
      const { config } = await provider();
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: login.scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href;
    },

    complete: async ({ address, state, nonce, verifier }) => {
      const { config } = await provider();
      const tokens = await withSentence(() =>
        oidc.authorizationCodeGrant(config, address, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        }),
      );
      const claims = tokens.claims();
      if (!claims) throw new SignOnError('refused', 'The provider sent no ID token.');
      const more = config.serverMetadata().userinfo_endpoint
        ? await withSentence(() => oidc.fetchUserInfo(config, tokens.access_token, claims.sub))
        : {};
      return { ...more, ...claims };
    },

    readLogoutToken: async (token, now) => {
      const { config, keys } = await provider();
      const { payload } = await jwtVerify(token, keys, {
        issuer: config.serverMetadata().issuer,
        audience: login.clientId,
        algorithms: SIGNATURES,
        requiredClaims: ['iat', 'jti', 'events'],
        maxTokenAge: LOGOUT_MAX_AGE,
        clockTolerance: CLOCK_TOLERANCE,
        currentDate: now,
      }).catch((error: unknown) => {
        if (error instanceof joseErrors.JWKSTimeout || !(error instanceof joseErrors.JOSEError))
          throw new SignOnError('down', 'The keys of the provider cannot be loaded right now.', error);
        throw new SignOnError('refused', `This logout token is invalid: ${error.message}.`, error);
      });
      return logoutOf(payload);
    },
  };
}

function logoutOf({ events, nonce, jti, sub, sid }: JWTPayload): LogoutToken {
  const refuse = (what: string) => new SignOnError('refused', `This logout token is invalid: ${what}.`);
  const event = (events as Record<string, unknown> | null)?.[LOGOUT_EVENT];
  if (typeof event !== 'object' || event === null || Array.isArray(event)) throw refuse('it has no logout event');
  // A nonce means that this is an ID token, which must not end a session.
  if (nonce !== undefined) throw refuse('it has a nonce');
  if (typeof jti !== 'string' || jti === '') throw refuse('it has no jti');
  if ((sub !== undefined && typeof sub !== 'string') || (sid !== undefined && typeof sid !== 'string'))
    throw refuse('its sub or sid is not text');
  if (!sub && !sid) throw refuse('it has neither sub nor sid');
  return { jti, sub: sub || null, sid: sid || null };
}

/** Runs a request, and throws its error as a sentence for the user. */
async function withSentence<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SignOnError) throw error;
    throw signOnError(error);
  }
}

const REFUSALS: Record<string, string> = {
  access_denied: 'The sign-in was canceled, or the provider denied it.',
  login_required: 'Sign in with the provider first.',
  temporarily_unavailable: 'The provider is not accepting sign-ins right now. Try again in a moment.',
  server_error: 'The provider has a problem. Try again in a moment.',
  invalid_client:
    'The provider rejected the client ID and secret of this application. Contact your system administrator.',
  invalid_grant: 'This sign-in has expired. Sign in again.',
};

function signOnError(error: unknown): SignOnError {
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: { code?: unknown; name?: unknown } };
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    return new SignOnError(
      'refused',
      REFUSALS[error.error] ?? providerRefuses(error.error, error.error_description),
      error,
    );
  if (code === 'OAUTH_TIMEOUT' || name === 'TimeoutError' || cause?.name === 'TimeoutError')
    return new SignOnError('down', 'The provider did not answer in time. Try again in a moment.', error);
  const refused = [error, cause].find((candidate) => candidate instanceof AddressRefused);
  if (refused) return new SignOnError('refused', refused.message, error);
  if (error instanceof TypeError && code === undefined)
    return new SignOnError('down', 'The provider cannot be reached. Try again in a moment.', error);
  const status = (cause as { status?: unknown } | undefined)?.status;
  if (typeof status === 'number' && status >= 500)
    return new SignOnError('down', `The provider has a problem (${status}). Try again in a moment.`, error);
  return new SignOnError(
    'refused',
    `The provider sent an invalid response: ${clipped((error as Error).message)}.`,
    error,
  );
}

function providerRefuses(error: string, description: string | undefined): string {
  return `The provider rejected the sign-in: ${clipped(description || error)}`;
}

/** Cuts an external text to a reasonable length. */
function clipped(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}]/gu, ' ').trim();
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain;
}
