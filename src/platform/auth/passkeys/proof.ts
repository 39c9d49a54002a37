// How the holder of a screen proves to be the owner of the account, and what a passkey answers.
import { z } from 'zod';

/** Bytes in base64url. */
export const Bytes = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/, 'This is not base64url');
/** What every answer of a device has. */
export const DeviceAnswer = {
  id: Bytes,
  rawId: Bytes,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};
/** What a browser answers when a passkey is used (AuthenticationResponseJSON). */
export const UsedPasskey = z.object({
  ...DeviceAnswer,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Bytes.optional(),
  }),
});
export type UsedPasskey = z.infer<typeof UsedPasskey>;

/** A passkey; or the password and, where there is a second factor, a code of the app or a recovery code. */
export const Proof = z.object({
  password: z.string().max(1000).default(''),
  code: z.string().max(40, 'This is not a code').default(''),
  passkey: UsedPasskey.optional(),
});
export type Proof = z.infer<typeof Proof>;
/** The same as a screen gives it. */
export type GivenProof = z.input<typeof Proof>;
