// The storage keys of a session.

/** The browser's storage keys (specification section 3). */
export const STORAGE = {
  accessToken: 'quoteboard.accessToken',
  refreshToken: 'quoteboard.refreshToken',
  user: 'quoteboard.user',
} as const;

/** That somebody signed in in this browser before, by account; stays when they sign out. */
export const DEVICES = 'quoteboard.devices';
