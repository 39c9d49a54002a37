// Under which names the browser keeps a session.

/** Where the browser keeps what (specification section 3). */
export const STORAGE = {
  accessToken: 'quoteboard.accessToken',
  refreshToken: 'quoteboard.refreshToken',
  user: 'quoteboard.user',
} as const;

/** That somebody signed in in this browser before, by account; stays when they sign out. */
export const DEVICES = 'quoteboard.devices';
