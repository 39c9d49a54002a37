// The calls about passkeys (WebAuthn): managing the user's own, and signing in with one (docs/decisions/0042).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { Id, RequiredText } from '#platform/shared/wire.ts';
import { TokenAnswer } from '../auth.contract.ts';
import { Bytes, DeviceAnswer, Proof, UsedPasskey } from './proof.ts';

/** What a browser returns after it has created a passkey (RegistrationResponseJSON). */
const NewPasskey = z.object({
  ...DeviceAnswer,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

const Credential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  /** How a browser reaches the device: internal, hybrid, usb … */
  transports: z.array(z.string()),
});

/** What a browser requests from a device with passkeys (PublicKeyCredentialRequestOptionsJSON). The challenge is valid once, for five minutes. */
const UseOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** Empty allows any passkey for this site. */
  allowCredentials: z.array(Credential),
  userVerification: z.literal('required'),
  timeout: z.number(),
});
export type UseOptions = z.infer<typeof UseOptions>;

/** What a browser requests a device to create (PublicKeyCredentialCreationOptionsJSON). */
const MakeOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  /** The passkeys that the user already has: a device holds one per user. */
  excludeCredentials: z.array(Credential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
  timeout: z.number(),
});
export type MakeOptions = z.infer<typeof MakeOptions>;

const Passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Stored in an account at Apple, Google or the like, not on one device only. */
  synced: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

const Name = RequiredText(100);
const own = { access: 'user', rateLimit: 60 } as const;

export const Passkeys = {
  BeginPasskeySignIn: post(
    '/api/Account/BeginPasskeySignIn',
    z.object({
      /** The challenge of /Token if the passkey is the second step. Empty if it is the only step. */
      challenge: z.string().max(200).default(''),
    }),
    z.object({
      /** Null if this is the second step and the user has no passkeys. */
      options: UseOptions.nullable(),
    }),
    {
      access: 'anyone',
      changes: true,
      rateLimit: 120,
      summary:
        'Starts a sign-in with a passkey, with or without the password first. 410 once the challenge has expired.',
    },
  ),
  SignInByPasskey: post(
    '/api/Account/SignInByPasskey',
    z.object({ challenge: z.string().max(200).default(''), passkey: UsedPasskey }),
    TokenAnswer,
    {
      access: 'anyone',
      changes: true,
      rateLimit: 120,
      summary: 'Signs in with a passkey. Failed attempts count toward the lockout.',
    },
  ),
  GetPasskeys: post('/api/Account/GetPasskeys', Nothing, z.array(Passkey), {
    access: 'user',
    summary: 'The passkeys of the caller.',
  }),
  BeginPasskeyProof: post('/api/Account/BeginPasskeyProof', Nothing, z.object({ options: UseOptions }), {
    ...own,
    changes: true,
    summary: "Starts confirming the caller's identity with a passkey. 409 for a caller without one.",
  }),
  BeginAddPasskey: post('/api/Account/BeginAddPasskey', Proof, z.object({ options: MakeOptions }), {
    ...own,
    changes: true,
    summary: 'Starts adding a passkey. 409 for a person without a password.',
  }),
  AddPasskey: post(
    '/api/Account/AddPasskey',
    z.object({ name: Name, passkey: NewPasskey }),
    z.object({
      passkey: Passkey,
      /** Ten codes, shown only this once, if the user had none; otherwise empty. */
      recoveryCodes: z.array(z.string()),
    }),
    { ...own, changes: true, summary: 'Adds the passkey that the device has created.' },
  ),
  RenamePasskey: post('/api/Account/RenamePasskey', z.object({ id: Id, name: Name }), Nothing, {
    ...own,
    writes: true,
    summary: 'Renames a passkey of the caller.',
  }),
  RemovePasskey: post('/api/Account/RemovePasskey', Proof.extend({ id: Id }), Nothing, {
    ...own,
    changes: true,
    summary: 'Removes a passkey of the caller. 409 for the only second factor while a role requires one.',
  }),
};
