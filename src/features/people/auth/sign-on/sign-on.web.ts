// The browser's part of signing in at a provider: what it stores while away, and what it does on return.
import { api } from '#api/client.web.ts';
import { type SessionUser, takeSignIn } from '../sessions/session.web.ts';
import { SignOn } from './sign-on.contract.ts';

/** Stored in this tab only, until it closes. */
const KEY = 'quoteboard.signOn';
type Kept = { browser: string; redirect: string | null; links: boolean };

async function leave(begun: { address: string; browser: string }, wish: Omit<Kept, 'browser'>): Promise<void> {
  sessionStorage.setItem(KEY, JSON.stringify({ browser: begun.browser, ...wish } satisfies Kept));
  window.location.assign(begun.address);
  // The page stays busy until the browser has left it.
  await new Promise(() => {});
}

export async function beginSignOn(redirect: string | null): Promise<void> {
  await leave(await api(SignOn).BeginSignOn({}), { redirect, links: false });
}

export async function beginLink(password: string): Promise<void> {
  await leave(await api(SignOn).BeginLink({ password }), { redirect: null, links: true });
}

/** Whether an address is one with which a provider sends a browser back. */
export function isReturn(search: string): boolean {
  const query = new URLSearchParams(search);
  return query.has('state') && (query.has('code') || query.has('error'));
}

/** Whether this tab went to the provider to link the account of the person who is signed in. */
export const wentToLink = (): boolean => read().links;

function read(): Kept {
  const text = sessionStorage.getItem(KEY);
  return text ? (JSON.parse(text) as Kept) : { browser: '', redirect: null, links: false };
}

function take(): Kept {
  const kept = read();
  sessionStorage.removeItem(KEY);
  return kept;
}

// Each return is completed once, however often React asks.
const completed = new Map<string, Promise<unknown>>();

function completeOnce<T>(search: string, complete: (kept: Kept) => Promise<T>): Promise<T> {
  let result = completed.get(search) as Promise<T> | undefined;
  if (!result) completed.set(search, (result = complete(take())));
  return result;
}

export function completeSignOn(search: string): Promise<{ user: SessionUser; redirect: string | null }> {
  return completeOnce(search, async ({ browser, redirect }) => {
    const answer = await api(SignOn).CompleteSignOn({ search, browser });
    return { user: takeSignIn(answer, answer.userName), redirect };
  });
}

export function completeLink(search: string): Promise<unknown> {
  return completeOnce(search, ({ browser }) => api(SignOn).CompleteLink({ search, browser }));
}
