// The calls about the second step of signing in by password: answering it and setting it up (docs/decisions/0042).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { TokenAnswer } from '../auth.contract.ts';
import { Proof } from '../passkeys/proof.ts';

/** A code of the app, or one of the recovery codes. */
const Code = z.string().min(1, 'This field is required').max(40, 'This is not a code');

/** With fewer recovery codes left, the screen and a mail remind the user to create new ones. */
export const FEW_CODES = 3;

const State = z.object({
  /** When the user set up the app. Null if none is set up. */
  since: z.string().nullable(),
  /** How many passkeys the user has. Each of them is a second factor. */
  passkeys: z.number().int(),
  recoveryCodesLeft: z.number().int(),
  /** One of the user's roles requires it, so the user cannot remove it. */
  required: z.boolean(),
  /** False for a user who signs in only through the company's single sign-on. Such a user has no second factor here. */
  hasPassword: z.boolean(),
});
export type SecondFactorState = z.infer<typeof State>;

const RecoveryCodes = z.object({
  /** Shown only this once. */
  recoveryCodes: z.array(z.string()),
});

export const SecondFactor = {
  ConfirmSignIn: post(
    '/api/Account/ConfirmSignIn',
    z.object({ challenge: z.string().max(200), code: Code }),
    TokenAnswer,
    {
      access: 'anyone',
      changes: true,
      rateLimit: 120,
      summary:
        'The second step after /Token refused with mfa_required and a challenge. Wrong codes count toward the lockout.',
    },
  ),
  GetSecondFactor: post('/api/Account/GetSecondFactor', Nothing, State, {
    access: 'user',
    summary: 'Whether the caller has a second factor.',
  }),
  BeginSecondFactor: post(
    '/api/Account/BeginSecondFactor',
    Proof,
    z.object({
      /** The secret as text, to type into an app. */
      secret: z.string(),
      /** The secret as an address, for the camera of an app. */
      address: z.string(),
    }),
    {
      access: 'user',
      changes: true,
      rateLimit: 60,
      summary: 'Creates a secret for an authenticator app. It takes effect once its first code is confirmed.',
    },
  ),
  ConfirmSecondFactor: post('/api/Account/ConfirmSecondFactor', z.object({ code: Code }), RecoveryCodes, {
    access: 'user',
    changes: true,
    rateLimit: 60,
    summary: 'Starts to use the new secret and answers with ten recovery codes, which cannot be read again.',
  }),
  RenewRecoveryCodes: post('/api/Account/RenewRecoveryCodes', Proof, RecoveryCodes, {
    access: 'user',
    changes: true,
    rateLimit: 60,
    summary: 'Answers with ten new recovery codes. The old ones stop working.',
  }),
  RemoveSecondFactor: post('/api/Account/RemoveSecondFactor', Proof, Nothing, {
    access: 'user',
    changes: true,
    rateLimit: 60,
    summary: 'Removes the second factor of the caller. 409 while a role requires it.',
  }),
};
