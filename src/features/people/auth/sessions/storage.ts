// The storage keys of a session.

/** The browser's storage keys (specification section 3). */
export const STORAGE = {
  accessToken: 'quoteboard.accessToken',
  refreshToken: 'quoteboard.refreshToken',
  user: 'quoteboard.user',
} as const;

/** The marks of accounts that have signed in in this browser. They survive signing out. */
export const DEVICES = 'quoteboard.devices';
