// What may be cleared by age: the groups of records, the effect of losing them, and the minimum number of months.
export const RETENTION_GROUPS = ['mail', 'history', 'files', 'sessions', 'notices'] as const;
export type RetentionGroup = (typeof RETENTION_GROUPS)[number];

export const RETENTION_KINDS = [
  'mail',
  'recordEvents',
  'imports',
  'usageFiles',
  'orderFiles',
  'sessions',
  'newQuoteKeys',
  'notifications',
] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

export const MOST_MONTHS = 1_200;

/** The SQL of each kind's rows is in retention-rows.server.ts. */
export const RETENTION: Record<
  RetentionGroup,
  { label: string; what: string; least: number; kinds: readonly RetentionKind[] }
> = {
  mail: {
    label: 'Sent mail',
    what: 'Recipients, subject and text of mail that was sent, with quotes and without. Mail that waits, failed or is uncertain stays; so do quotes with their PDFs and history.',
    least: 3,
    kinds: ['mail'],
  },
  history: {
    label: 'History of settings and records',
    what: 'Who changed users, items, contracts, facilities and settings, and from what to what. The newest of each kind of change of a record stays, and what the security log points at. The history of quotes always stays.',
    least: 12,
    kinds: ['recordEvents'],
  },
  files: {
    label: 'Files of imports, savings analyses and orders',
    what: 'Runs of imports with their files and refused or held rows, the usage files of customers, and the files written for the ERP. What was read from them stays, and so do order requests. Imports that can still be undone, are at work, or whose columns the next file is matched by stay.',
    least: 3,
    kinds: ['imports', 'usageFiles', 'orderFiles'],
  },
  sessions: {
    label: 'Ended sessions',
    what: 'Sign-ins that ended, with device and time, as the audit lists them. The last sign-in of each person stays. The months count from the last use.',
    least: 2,
    kinds: ['sessions'],
  },
  notices: {
    label: 'Notifications and keys of new quotes',
    what: 'Notifications, read or unread, and the keys by which the server recognizes a new quote that is sent twice because the first answer was lost. The records themselves stay.',
    least: 1,
    kinds: ['notifications', 'newQuoteKeys'],
  },
};

/** The singular and the plural of each kind. */
export const NOUNS: Record<RetentionKind, [one: string, many: string]> = {
  mail: ['email', 'emails'],
  recordEvents: ['change', 'changes'],
  imports: ['import', 'imports'],
  usageFiles: ['usage file', 'usage files'],
  orderFiles: ['order file', 'order files'],
  sessions: ['session', 'sessions'],
  newQuoteKeys: ['key of a new quote', 'keys of new quotes'],
  notifications: ['notification', 'notifications'],
};
