// The storage keys of a session.

/** The browser's storage keys (specification section 3). */
export const STORAGE = {
  accessToken: 'quoteboard.accessToken',
  refreshToken: 'quoteboard.refreshToken',
  user: 'quoteboard.user',
} as const;

/** The marks of accounts that have signed in in this browser. They survive signing out. */
export const DEVICES = 'quoteboard.devices';

/** The records that a person opened lately in this browser, followed by the number of the user. */
export const RECENT_RECORDS = 'quoteboard.recent.';

/** What lists and reports last showed names customers and people, too: the next person gets none of it. */
export const LEFT_BEHIND = [RECENT_RECORDS, 'quoteboard.list.', 'quoteboard.reports'];
