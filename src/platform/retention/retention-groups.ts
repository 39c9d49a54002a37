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

export const MAX_MONTHS = 1_200;

/** The SQL of each kind's rows is in retention-rows.server.ts. */
export const RETENTION: Record<
  RetentionGroup,
  { label: string; what: string; least: number; kinds: readonly RetentionKind[] }
> = {
  mail: {
    label: 'Sent mail',
    what: 'Recipients, subject and text of sent mail, with or without a quote. Waiting, failed and uncertain mail is kept, and so are quotes with their PDFs and history.',
    least: 3,
    kinds: ['mail'],
  },
  history: {
    label: 'History of settings and records',
    what: 'Who changed users, items, contracts, facilities and settings, with old and new values. The latest change of each kind is kept for every record, and so are changes that the security log refers to. Quote history is always kept.',
    least: 12,
    kinds: ['recordEvents'],
  },
  files: {
    label: 'Files of imports, savings analyses and orders',
    what: 'Import runs with their files and rejected or held rows, customer usage files, and files written for the ERP. Data read from them is kept, and so are order requests. Imports are kept while they run, while they can be undone, and while the next file uses their column mapping.',
    least: 3,
    kinds: ['imports', 'usageFiles', 'orderFiles'],
  },
  sessions: {
    label: 'Ended sessions',
    what: 'Sign-ins that have ended, with device and time, as shown in the audit. The last sign-in of each person is kept. Months are counted from the last use.',
    least: 2,
    kinds: ['sessions'],
  },
  notices: {
    label: 'Notifications and new-quote keys',
    what: 'Read and unread notifications, and the keys that prevent a duplicate when a new quote is sent again after a lost response. The records themselves are kept.',
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
  newQuoteKeys: ['new-quote key', 'new-quote keys'],
  notifications: ['notification', 'notifications'],
};
