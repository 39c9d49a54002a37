// The calls about the second step of signing in by password: answering it and setting it up (docs/decisions/0218).
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import { TokenAnswer } from '../auth.contract.ts';

const Password = z.string().min(1, 'This field is required').max(1000);
/** A code of the app, or one of the recovery codes. */
const Code = z.string().min(1, 'This field is required').max(40, 'This is not a code');

/** With fewer recovery codes left, the screen and a mail ask for new ones. */
export const FEW_CODES = 3;

const State = z.object({
  /** Null when none is set up. */
  since: z.string().nullable(),
  recoveryCodesLeft: z.number().int(),
  /** One of the person's roles requires it, so the person cannot remove it. */
  required: z.boolean(),
  /** False for a person who signs in only through the company's sign-in. Such a person has no second factor here. */
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
        'The second step after /Token refused with mfa_required and a challenge. Wrong codes count toward the lock-out.',
    },
  ),
  GetSecondFactor: post('/api/Account/GetSecondFactor', Nothing, State, {
    access: 'user',
    summary: 'Whether the caller has a second factor.',
  }),
  BeginSecondFactor: post(
    '/api/Account/BeginSecondFactor',
    z.object({
      password: Password,
      /** A code of the current app or a current recovery code. Needed when the person already has a second factor. */
      code: z.string().max(40, 'This is not a code').default(''),
    }),
    z.object({
      /** For typing into an app. */
      secret: z.string(),
      /** For its camera. */
      address: z.string(),
    }),
    {
      access: 'user',
      changes: true,
      rateLimit: 60,
      summary: 'Makes a secret for an authenticator app. It counts once its first code is confirmed.',
    },
  ),
  ConfirmSecondFactor: post('/api/Account/ConfirmSecondFactor', z.object({ code: Code }), RecoveryCodes, {
    access: 'user',
    changes: true,
    rateLimit: 60,
    summary: 'Starts to use the new secret and answers with ten recovery codes, which cannot be read again.',
  }),
  RenewRecoveryCodes: post(
    '/api/Account/RenewRecoveryCodes',
    z.object({ password: Password, code: Code }),
    RecoveryCodes,
    {
      access: 'user',
      changes: true,
      rateLimit: 60,
      summary: 'Answers with ten new recovery codes; the old ones are void.',
    },
  ),
  RemoveSecondFactor: post('/api/Account/RemoveSecondFactor', z.object({ password: Password, code: Code }), Nothing, {
    access: 'user',
    changes: true,
    rateLimit: 60,
    summary: 'Removes the second factor of the caller. 409 while a role requires it.',
  }),
};
