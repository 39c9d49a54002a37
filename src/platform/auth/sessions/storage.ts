// The storage keys of a session.

/** The browser's storage keys (specification section 3). */
export const STORAGE = {
  accessToken: 'quoteboard.accessToken',
  refreshToken: 'quoteboard.refreshToken',
  user: 'quoteboard.user',
} as const;

/** The device marks of accounts that have signed in on this browser. They survive signing out. */
export const DEVICES = 'quoteboard.devices';

/** The prefix of the records that a user recently opened in this browser; the id of the user follows it. */
export const RECENT_RECORDS = 'quoteboard.recent.';

/** The last contents of lists and reports also name customers and users, so they are removed before another user signs in. */
export const LEFT_BEHIND = [RECENT_RECORDS, 'quoteboard.list.', 'quoteboard.reports'];
