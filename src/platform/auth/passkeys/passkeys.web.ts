// The browser's part of passkeys. The code that talks to the device is loaded at the first use.
import { api } from '#platform/api/client.web.ts';
import { type SessionUser, takeSignIn } from '../sessions/session.web.ts';
import { type MakeOptions, type NewPasskey, Passkeys, type UseOptions } from './passkeys.contract.ts';
import type { UsedPasskey } from './proof.ts';

/** Whether this browser supports passkeys for this address, which needs encryption and a host name. */
export const hasPasskeys = 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname);

/**
 * Signs in by a passkey; with `challenge`, as the second step. Throws the server's refusal, or an error that explains why the device did not answer.
 */
export async function signInByPasskey(challenge: string): Promise<SessionUser> {
  const { options } = await api(Passkeys).BeginPasskeySignIn({ challenge });
  if (!options) throw new Error('Your passkeys were removed. Enter a code.');
  const answer = await api(Passkeys).SignInByPasskey({ challenge, passkey: await askPasskey(options) });
  return takeSignIn(answer, answer.userName);
}

/** Returns whether the user whose password was right has passkeys. */
export async function hasSecondPasskey(challenge: string): Promise<boolean> {
  return (await api(Passkeys).BeginPasskeySignIn({ challenge })).options !== null;
}

/** Proves by a passkey that the user in front of the screen is the owner of the account. */
export async function proveByPasskey(): Promise<UsedPasskey> {
  return askPasskey((await api(Passkeys).BeginPasskeyProof({})).options);
}

async function askPasskey(options: UseOptions): Promise<UsedPasskey> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return withSentence(startAuthentication({ optionsJSON: options })) as Promise<UsedPasskey>;
}

export async function makePasskey(options: MakeOptions): Promise<NewPasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return withSentence(startRegistration({ optionsJSON: options })) as Promise<NewPasskey>;
}

const SENTENCES: Record<string, string> = {
  NotAllowedError: 'No passkey was used: it was canceled, or took too long.',
  AbortError: 'No passkey was used: it was canceled.',
  InvalidStateError: 'This device already has a passkey for you.',
  SecurityError: "Passkeys don't work at this address. Use the address that your administrator gave you.",
};

function withSentence<T>(request: Promise<T>): Promise<T> {
  return request.catch((error: Error) => {
    throw new Error(SENTENCES[error.name] ?? error.message, { cause: error });
  });
}
