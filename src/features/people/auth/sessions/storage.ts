// Under which names the browser keeps a session.

/** Where the browser keeps what (specification section 3). */
export const STORAGE = {
  accessToken: 'quoteboard.accessToken',
  refreshToken: 'quoteboard.refreshToken',
  user: 'quoteboard.user',
} as const;
