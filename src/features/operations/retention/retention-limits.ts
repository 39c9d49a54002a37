// What may be cleared by age: its name, what it means to lose it, the least days to keep it, and what counts until somebody decides.
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

export const MOST_DAYS = 36_500;

/** The SQL of each kind's rows is in retention-rows.server.ts. */
export const RETENTION: Record<
  RetentionKind,
  { label: string; what: string; least: number; default: number | null; noun: [one: string, many: string] }
> = {
  mail: {
    label: 'Sent mail',
    what: 'Recipients, subject and text of mail that was sent, with quotes and without. Mail that waits, failed or is uncertain stays; so do quotes with their PDFs and history.',
    least: 90,
    default: null,
    noun: ['email', 'emails'],
  },
  recordEvents: {
    label: 'History of settings and records',
    what: 'Who changed users, items, contracts, facilities and settings, and from what to what. The newest of each kind of change of a record stays, and what the security log points at. The history of quotes always stays.',
    least: 365,
    default: null,
    noun: ['change', 'changes'],
  },
  imports: {
    label: 'Import runs and their files',
    what: 'Reports of imports, the imported files, and the rows that were refused or held. Runs that can still be undone, are at work, or whose columns the next file is matched by stay. What they imported stays.',
    least: 30,
    default: null,
    noun: ['run', 'runs'],
  },
  usageFiles: {
    label: 'Usage files of savings analyses',
    what: 'The files that customers sent for savings analyses. The analyses stay with what was read from them, and so do cross-references and quotes; a cleared file cannot be read another way.',
    least: 30,
    default: null,
    noun: ['file', 'files'],
  },
  orderFiles: {
    label: 'Order files',
    what: 'The files written for the ERP, as stored here and as they still lie in the folder. The order requests stay. A cleared file is not written again.',
    least: 90,
    default: null,
    noun: ['file', 'files'],
  },
  sessions: {
    label: 'Ended sessions',
    what: 'Sign-ins that ended, with device and time, as the audit lists them. The last sign-in of each person stays. The days count from the last use.',
    least: 30,
    default: 400,
    noun: ['session', 'sessions'],
  },
  newQuoteKeys: {
    label: 'Keys of new quotes',
    what: 'How the server recognizes a new quote that a browser or program sends twice because the first answer was lost. The quotes stay.',
    least: 7,
    default: 30,
    noun: ['key', 'keys'],
  },
  notifications: {
    label: 'Notifications',
    what: 'What people were told under the bell, read or not. What it was about stays.',
    least: 7,
    default: 90,
    noun: ['notification', 'notifications'],
  },
};
