// The session in this browser: kept in its storage, shared by its tabs, refreshed before it expires, and ended in all tabs at once.
import { useSyncExternalStore } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { setTokenSource } from '#platform/api/request.web.ts';
import { listeners } from '#platform/shared/listeners.ts';
import { paths } from '#platform/shared/paths.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { hasUnsaved } from '#platform/ui/unsaved.web.ts';
import { Auth, type SignedInUser, type TokenAnswer } from '../auth.contract.ts';
import { SecondFactor } from '../second-factor/second-factor.contract.ts';
import { DEVICES, LEFT_BEHIND, STORAGE } from './storage.ts';
import { wayBack } from './way-back.ts';

export type SessionUser = SignedInUser & {
  /** `.expires` of the last token answer. */
  expDate?: string;
  /** The same time by the clock of this computer, which may be off by hours. */
  goodUntil?: number;
};

/** A token that expires sooner is not used, because it must outlive the call. */
const MARGIN = 60_000;
/** Limits a refresh in milliseconds. After a laptop has slept, a connection may never answer, and every other call waits for the new token. */
const REFRESH_MAY_TAKE = 15_000;
/** The maximum number of users whose device marks this browser stores. */
const MAX_DEVICES = 10;

/** Set while the session has ended under a page with unsaved work. The page stays as it is, behind 'Sign in again'. */
let ended: { user: SessionUser; signedInAgain: PromiseWithResolvers<void> } | null = null;
/** The user that this tab shows. */
let visible: SessionUser | null = null;
let leaving = false;
const screens = listeners();

/** Returns the signed-in user. A user is signed in if an access token is stored. */
export function readSession(): SessionUser | null {
  const text = localStorage.getItem(STORAGE.accessToken) ? localStorage.getItem(STORAGE.user) : null;
  if (text !== parsed.text) {
    parsed = { text, user: text ? (JSON.parse(text) as SessionUser) : null };
  }
  return parsed.user;
}
let parsed: { text: string | null; user: SessionUser | null } = { text: null, user: null };

/** Returns the user that the page shows as signed in, even after the session has ended under unsaved work. */
export function useSession(): SessionUser | null {
  return useSyncExternalStore(screens.add, () => ended?.user ?? readSession());
}

/** Returns the user whose session ended under unsaved work, or null. */
export function useEndedSession(): SessionUser | null {
  return useSyncExternalStore(screens.add, () => ended?.user ?? null);
}

/** Restores the session of the last visit. Runs once, before the first screen. */
export function restoreSession(): void {
  visible = readSession();
  setTokenSource({
    accessToken,
    roles: () => (ended?.user ?? readSession())?.roles ?? [],
    // A late refusal for an older session must not end the current one.
    onUnauthorized: (token) => {
      if (token === localStorage.getItem(STORAGE.accessToken)) endSession();
    },
  });
  window.addEventListener('storage', (event) => {
    if (event.key === null || Object.values(STORAGE).some((key) => key === event.key)) followOtherTabs();
  });
  if (visible) void rereadUser();
}

/** Signs in. Throws the server's refusal; a refusal with a `challenge` requires the second step. */
export async function signIn(userName: string, password: string): Promise<SessionUser> {
  const answer = await api(Auth).Token({
    UserName: userName,
    Password: password,
    grant_type: 'password',
    device: devices()[foldedName(userName)] ?? '',
  });
  return takeSignIn(answer, userName);
}

/** Completes the second step with the code. Throws the server's refusal. */
export async function confirmSignIn(userName: string, challenge: string, code: string): Promise<SessionUser> {
  return takeSignIn(await api(SecondFactor).ConfirmSignIn({ challenge, code }), userName);
}

/** Stores the answer of a sign-in and returns its user. */
export function takeSignIn(answer: TokenAnswer, typedName: string): SessionUser {
  keepDevice(typedName, answer.device);
  const { id, userName, fullName, roles, gpoTabHidden, mustChangePassword, mustEnroll } = answer;
  const user = {
    id,
    userName,
    fullName,
    roles,
    gpoTabHidden,
    mustChangePassword,
    ...(mustEnroll ? { mustEnroll } : {}),
  };
  keepSession(answer, user);
  visible = readSession();
  resume();
  return visible ?? user;
}

/** Ends the session in this tab, in the other tabs and on the server, then opens /. */
export async function signOut(): Promise<void> {
  leaving = true;
  // Signs out in this browser even if the server does not answer.
  await Promise.race([api(Auth).SignOut({}), new Promise((resolve) => setTimeout(resolve, 2000))]).catch(() => {});
  forget();
  for (const key of Object.keys(localStorage))
    if (LEFT_BEHIND.some((start) => key.startsWith(start))) localStorage.removeItem(key);
  // Loads a new page, so that no data of this user stays in memory.
  window.location.assign(paths.home);
}

/** Leaves the page whose session ended, and discards unsaved work. */
export function leaveEndedSession(): void {
  leaving = true;
  window.location.assign(loginPath());
}

/** Reads the user again after a password change, which opens the other screens. */
export async function rereadUser(): Promise<void> {
  // If the server does not answer, the screens use the stored data; the server checks permissions anyway.
  const user = await api(Auth)
    .GetSignedInUser({})
    .catch(() => null);
  const before = readSession();
  if (!user || before?.id !== user.id) return;
  localStorage.setItem(STORAGE.user, JSON.stringify({ ...before, mustEnroll: undefined, ...user }));
  screens.notify();
}

/** Returns the address of the sign-in page, with the current page as the page to return to. */
function loginPath(): string {
  const { pathname, search, hash } = window.location;
  return `${paths.login}?${new URLSearchParams({ redirect: pathname + search + hash }).toString()}`;
}

async function accessToken(): Promise<string | null> {
  // A call made while 'Sign in again' is open waits for it, so autosave continues where it stopped.
  await ended?.signedInAgain.promise;
  const token = localStorage.getItem(STORAGE.accessToken);
  if (!token || isGood(token, MARGIN)) return token;
  const fresh = await refresh();
  if (!ended) return fresh;
  await ended.signedInAgain.promise;
  return localStorage.getItem(STORAGE.accessToken);
}

let refreshing: Promise<string | null> | null = null;

/** Runs one refresh at a time: a promise serializes them within the tab, a lock across tabs (browsers have no locks over plain http). */
function refresh(): Promise<string | null> {
  refreshing ??= Promise.resolve(
    'locks' in navigator ? navigator.locks.request('quoteboard.refresh', refreshNow) : refreshNow(),
  ).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function refreshNow(): Promise<string | null> {
  const token = localStorage.getItem(STORAGE.accessToken);
  const user = readSession();
  // Another tab has refreshed the token in the meantime, or has signed out.
  if (!token || !user || isGood(token, MARGIN)) return token;
  const refreshToken = localStorage.getItem(STORAGE.refreshToken) ?? '';
  try {
    const answer = await api(Auth).token(
      {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: appConfig.clientId,
        client_secret: appConfig.clientSecret,
      },
      AbortSignal.timeout(REFRESH_MAY_TAKE),
    );
    // Another tab signed out or in during the call, so its state is kept.
    if (localStorage.getItem(STORAGE.refreshToken) !== refreshToken) return localStorage.getItem(STORAGE.accessToken);
    keepSession(answer, user);
    return answer.access_token;
  } catch (error) {
    if (localStorage.getItem(STORAGE.refreshToken) !== refreshToken) return localStorage.getItem(STORAGE.accessToken);
    if (error instanceof HttpError && (error.status === 400 || error.status === 401)) {
      endSession();
      return null;
    }
    // An unreachable server does not end the session.
    if (isGood(token, 0)) return token;
    throw error;
  }
}

type Tokens = { access_token: string; refresh_token: string; expires_in: number; '.expires': string };

function keepSession(tokens: Tokens, user: SessionUser): void {
  const goodUntil = Date.now() + tokens.expires_in * 1000;
  localStorage.setItem(STORAGE.user, JSON.stringify({ ...user, expDate: tokens['.expires'], goodUntil }));
  localStorage.setItem(STORAGE.refreshToken, tokens.refresh_token);
  // Last, because this entry notifies the other tabs.
  localStorage.setItem(STORAGE.accessToken, tokens.access_token);
  screens.notify();
}

const foldedName = (userName: string) => userName.trim().toLowerCase();

/** The device marks of the accounts that signed in on this browser. They outlive the sessions. */
function devices(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(DEVICES) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

function keepDevice(userName: string, mark: string): void {
  const { [foldedName(userName)]: _before, ...others } = devices();
  const entries = [...Object.entries(others).slice(1 - MAX_DEVICES), [foldedName(userName), mark]];
  localStorage.setItem(DEVICES, JSON.stringify(Object.fromEntries(entries)));
}

function forget(): void {
  for (const key of Object.values(STORAGE)) localStorage.removeItem(key);
  // The session storage of the tab also belongs to this user.
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('quoteboard')) sessionStorage.removeItem(key);
}

function isGood(token: string, margin: number): boolean {
  return Date.now() < (readSession()?.goodUntil ?? expiryOf(token)) - margin;
}

/** Returns when a token expires, or the current time if the token is unreadable. */
function expiryOf(token: string): number {
  try {
    const claims = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    return (JSON.parse(atob(claims)) as { exp: number }).exp * 1000;
  } catch {
    return 0;
  }
}

/** The server no longer accepts the session: sign out here and in the other tabs. */
function endSession(): void {
  forget();
  signOutHere();
}

/** The session is gone: sign out, unless typed input would be lost. */
function signOutHere(): void {
  if (leaving || ended || !visible) return;
  if (hasUnsavedWork()) {
    ended = { user: visible, signedInAgain: Promise.withResolvers() };
    screens.notify();
    return;
  }
  visible = null;
  if (window.location.pathname.startsWith('/quote-doc/')) screens.notify();
  else leaveEndedSession();
}

function resume(): void {
  ended?.signedInAgain.resolve();
  ended = null;
  screens.notify();
}

function followOtherTabs(): void {
  const user = readSession();
  if (user && user.id === visible?.id) {
    if (ended) resume();
    else screens.notify();
  } else if (!user) {
    // Another tab may be writing a new session, so this does not touch the storage.
    signOutHere();
  } else if (visible) {
    // Another user signed in, so nothing of the previous user may stay on the page.
    window.location.reload();
  } else if (window.location.pathname === paths.login) {
    window.location.replace(wayBack(new URLSearchParams(window.location.search).get('redirect')));
  } else {
    visible = user;
    screens.notify();
  }
}

/** Returns whether the page has unsaved changes, or the user is typing a longer text. */
function hasUnsavedWork(): boolean {
  if (hasUnsaved()) return true;
  const field = document.activeElement;
  if (field instanceof HTMLTextAreaElement) return field.value !== '';
  return field instanceof HTMLInputElement && field.value !== '' && field.closest('[role="dialog"]') !== null;
}
