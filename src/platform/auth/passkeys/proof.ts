// How a signed-in user proves to be the owner of the account, and what a passkey answers.
import { z } from 'zod';

/** Bytes in base64url. */
export const Bytes = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/, 'This is not base64url');
/** The fields of every answer of a device. */
export const DeviceAnswer = {
  id: Bytes,
  rawId: Bytes,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};
/** What a browser returns when a passkey is used (AuthenticationResponseJSON). */
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

/** Either a passkey, or the password together with a code of the app or a recovery code if there is a second factor. */
export const Proof = z.object({
  password: z.string().max(1000).default(''),
  code: z.string().max(40, 'This is not a code').default(''),
  passkey: UsedPasskey.optional(),
});
export type Proof = z.infer<typeof Proof>;
/** A proof as a screen sends it. */
export type GivenProof = z.input<typeof Proof>;
