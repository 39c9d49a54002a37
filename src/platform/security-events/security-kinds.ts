// The kinds of entries in the security log. Changes of permissions, keys and settings are entries that refer to their event in the history.

export const SECURITY_KINDS = ['SignInFailed', 'LockedOut', 'Refused', 'Key', 'Rights', 'Settings', 'Export'] as const;
export type SecurityKind = (typeof SECURITY_KINDS)[number];

/** What happened, in words that follow the name of the actor. Changes have the words of the history instead. */
export const SECURITY_ACTIONS = {
  'Wrong password': 'typed a wrong password',
  'Wrong code': 'typed a wrong code of the second factor',
  'Wrong passkey': 'used a passkey that was not known, or too late',
  'Copied passkey': 'used a passkey whose counter went back, as that of a copy would',
  'Wrong proof': 'was signed in, but did not prove the password or the code',
  'Not active': 'tried to sign in to an account that is not active',
  'Passwords off': 'tried to sign in by password, which the sign-in rules do not allow',
  'Site locked': 'tried to sign in while the public site was locked',
  Blocked: 'tried to sign in while locked out',
  'Sign-on refused': 'came from the company sign-in and was not let in',
  'Account locked': 'was locked out after too many tries, except on known devices',
  'Address locked': 'was locked out with everybody at this address after too many tries',
  'Device locked': 'was locked out on this device after too many tries',
  Forbidden: 'asked for something that was not allowed',
  'First use': 'called with an API key for the first time',
  'Key refused': 'called with an API key that was refused',
  Exported: 'exported lists',
} as const;
export type SecurityAction = keyof typeof SECURITY_ACTIONS;

/** The name of an entry that counts many callers together. */
export const MANY = 'Many others';
