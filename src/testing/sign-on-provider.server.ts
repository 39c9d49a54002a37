// A real OpenID Connect provider on loopback (oidc-provider), which fails, hangs, answers late and forges on command.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export type Person = { sub: string; name: string; email: string; groups: string[] } & Record<string, unknown>;
type Client = { id: string; secret: string; redirectUri: string; logoutUri: string };
type Fault = 'none' | 'down' | 'hang' | 'late' | 'broken' | 'garbage';

/** Signatures that are not the provider's: those by a secret take the client's, or the provider's public key, for one. */
export type ForgedSignature = 'another key' | 'an unknown key' | 'none' | 'the client secret' | 'the public key';

export type SignOnProvider = {
  issuer: string;
  client: Client;
  people: Person[];
  /** How the provider treats calls of our server and of browsers from now on. */
  fault: Fault;
  /** Changes the content of the next ID tokens, or how they are signed. */
  forge: { claims?: (claims: JWTPayload) => JWTPayload; signature?: ForgedSignature } | null;
  /** Signs a person in without a browser, starting at the address that a browser would open. Returns the address it ends at. */
  signIn: (address: string, sub: string) => Promise<URL>;
  /** A logout token of this provider. `claims` override the default claims, and undefined removes one. */
  logoutToken: (claims: Record<string, unknown>, signature?: ForgedSignature) => Promise<string>;
  close: () => Promise<void>;
};

const LATE_MS = 1500;

export async function startSignOnProvider(overrides: {
  client: Partial<Client> & { redirectUri: string };
  people: Person[];
  port?: number;
}): Promise<SignOnProvider> {
  const [own, other] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')];
  const client: Client = {
    id: 'quoteboard',
    secret: 'provider-secret-of-quoteboard',
    logoutUri: '',
    ...overrides.client,
  };
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> = () => Promise.resolve();
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(overrides.port ?? 0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configurationOf(client, overrides.people, await exportJWK(own.privateKey)));
  const callback = provider.callback();
  answer = async (request, response) => {
    if (request.url?.startsWith('/choose/')) await choose(provider, state.people, request, response);
    else await callback(request, response);
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { fault, forge } = state;
    if (fault === 'down') return void response.destroy();
    if (fault === 'hang') return;
    if (fault === 'broken') return void response.writeHead(500).end('{}');
    if (fault === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    if (fault === 'late') await setTimeout(LATE_MS);
    if (forge && request.url === '/token') {
      // Replaces the ID token in the provider's answer.
      const end = response.end.bind(response) as (text: string, encoding: 'utf8') => void;
      response.end = ((body: unknown) => {
        void forged(String(body), forge).then((text) => {
          response.setHeader('content-length', Buffer.byteLength(text));
          end(text, 'utf8');
        });
        return response;
      }) as typeof response.end;
    }
    await answer(request, response);
  }

  async function forged(body: string, { claims = (same) => same, signature }: NonNullable<SignOnProvider['forge']>) {
    const tokens = JSON.parse(body) as { id_token?: string };
    if (!tokens.id_token) return body;
    return JSON.stringify({ ...tokens, id_token: await signed(claims(decodeJwt(tokens.id_token)), 'JWT', signature) });
  }

  async function signed(claims: JWTPayload, typ: string, signature?: ForgedSignature): Promise<string> {
    const token = (alg: string, kid = 'own') => new SignJWT(claims).setProtectedHeader({ alg, kid, typ });
    switch (signature) {
      case 'another key':
        return token('RS256').sign(other.privateKey);
      case 'an unknown key':
        return token('RS256', 'unknown').sign(other.privateKey);
      case 'the client secret':
        return token('HS256').sign(Buffer.from(client.secret.padEnd(32, '0')));
      case 'the public key':
        return token('HS256').sign(Buffer.from(await exportSPKI(own.publicKey)));
      case 'none':
        return `${[{ alg: 'none', typ }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
      default:
        return token('RS256').sign(own.privateKey);
    }
  }

  const state: SignOnProvider = {
    issuer,
    client,
    people: overrides.people,
    fault: 'none',
    forge: null,
    signIn: (address, sub) => walk(address, sub, client.redirectUri),
    logoutToken: (claims, signature) => {
      const payload = {
        iss: issuer,
        aud: client.id,
        iat: Math.floor(Date.now() / 1000),
        exp: Math.floor(Date.now() / 1000) + 120,
        jti: crypto.randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      };
      const input = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
      return signed(input, 'logout+jwt', signature);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return state;
}

function configurationOf(client: Client, people: Person[], key: object) {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        ...(client.logoutUri
          ? { backchannel_logout_uri: client.logoutUri, backchannel_logout_session_required: true }
          : {}),
      },
    ],
    jwks: { keys: [{ ...key, kid: 'own', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['only for trying'] },
    claims: { openid: ['sub', 'groups', 'sid'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    // Drops the provider's guard, which refuses calls to this computer.
    fetch: (url: string, { dispatcher: _guard, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, options),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/choose/${uid}` },
    findAccount: (_context: unknown, sub: string) => {
      const person = people.find((candidate) => candidate.sub === sub);
      return person && { accountId: sub, claims: () => ({ email_verified: true, ...person }) };
    },
    // Skips the question of consent.
    loadExistingGrant: async (context: {
      oidc: { provider: Provider; session: { accountId: string }; client: { clientId: string } };
    }) => {
      const { provider, session, client: target } = context.oidc;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: target.clientId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ttl: { Session: 3600, Interaction: 3600, Grant: 3600, AccessToken: 600, IdToken: 600 },
  };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The provider's own page, where people choose who they are instead of typing a password. */
async function choose(provider: Provider, people: Person[], request: IncomingMessage, response: ServerResponse) {
  const { uid, prompt } = await provider.interactionDetails(request, response);
  const url = new URL(request.url ?? '', 'http://provider');
  const sub = url.searchParams.get('as');
  if (url.searchParams.has('cancel')) {
    await provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'Nobody was chosen',
    });
  } else if (sub !== null && prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: sub } });
  } else {
    const list = people.map(
      (person) =>
        `<p><a href="/choose/${uid}?as=${encodeURIComponent(person.sub)}">${escaped(person.name)}</a> ${escaped(person.email)}</p>`,
    );
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><html lang="en"><title>Example Sign-in</title><h1>Example Sign-in</h1><p>Who are you?</p>${list.join('')}<p><a href="/choose/${uid}?cancel">Cancel</a></p>`,
      );
  }
}

/** Follows the provider's redirects with its cookies, as a browser does, until it redirects back to us. */
async function walk(address: string, sub: string, back: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = new URL(address);
  for (let step = 0; step < 10; step++) {
    if (next.href.startsWith(back)) return next;
    if (next.pathname.startsWith('/choose/'))
      next.search = sub === '' ? '?cancel' : `?${new URLSearchParams({ as: sub }).toString()}`;
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`${next.href} answered ${answer.status}: ${await answer.text()}`);
    next = new URL(location, next);
  }
  throw new Error('The provider does not come to an end.');
}
