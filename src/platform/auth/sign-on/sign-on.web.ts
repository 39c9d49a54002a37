// The browser's part of signing in at a provider: what it stores in the meantime, and what it does on return.
import { api } from '#platform/api/client.web.ts';
import { type SessionUser, takeSignIn } from '../sessions/session.web.ts';
import { SignOn } from './sign-on.contract.ts';

/** Stored for this tab only, until it closes. */
const KEY = 'quoteboard.signOn';
/** `redirect` is null if the tab went to the provider to link the account of the signed-in user. */
type Kept = { browser: string; redirect?: string | null };

async function leave(begun: { address: string; browser: string }, redirect: string | null): Promise<void> {
  sessionStorage.setItem(KEY, JSON.stringify({ browser: begun.browser, redirect } satisfies Kept));
  window.location.assign(begun.address);
  // The page stays busy until the browser has left it.
  await new Promise(() => {});
}

export async function beginSignOn(redirect: string | null): Promise<void> {
  await leave(await api(SignOn).BeginSignOn({}), redirect ?? '');
}

export async function beginLink(password: string): Promise<void> {
  await leave(await api(SignOn).BeginLink({ password }), null);
}

/** Returns whether the query of an address comes from a provider that sent the browser back. */
export function isReturn(search: string): boolean {
  return /\bstate=/.test(search) && /\b(code|error)=/.test(search);
}

function read(): Kept {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '{"browser":""}') as Kept;
}

/** Returns whether this tab went to the provider to link an account. */
export const wentToLink = (): boolean => read().redirect === null;

/** Returns the page that this tab opens after the return from the provider. */
export const keptWay = (): string | null => read().redirect || null;

function take(): Kept {
  const stored = read();
  sessionStorage.removeItem(KEY);
  return stored;
}

// Each return is completed once, however often React runs the effect.
const completed = new Map<string, Promise<unknown>>();

function completeOnce<T>(search: string, complete: (stored: Kept) => Promise<T>): Promise<T> {
  let result = completed.get(search) as Promise<T> | undefined;
  if (!result) completed.set(search, (result = complete(take())));
  return result;
}

export function completeSignOn(search: string): Promise<{ user: SessionUser; redirect: string | null }> {
  return completeOnce(search, async ({ browser, redirect = null }) => {
    const answer = await api(SignOn).CompleteSignOn({ search, browser });
    return { user: takeSignIn(answer, answer.userName), redirect };
  });
}

export function completeLink(search: string): Promise<unknown> {
  return completeOnce(search, ({ browser }) => api(SignOn).CompleteLink({ search, browser }));
}
