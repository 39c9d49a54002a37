// Our own calls that list security events (docs/decisions/0046).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { SECURITY_KINDS } from '#platform/security-events/security-kinds.ts';
import { RECORD_TYPE_IDS } from '#platform/history/record-types.ts';
import { FieldChange } from '#platform/shared/conflict.ts';
import type { Role } from '#platform/shared/roles.ts';
import { DAYS_IN_ORDER, FilterDay, PageInput, pageOf, Text } from '#platform/shared/wire.ts';

const READERS: readonly Role[] = ['systemadmin'];

/** The maximum number of lines in a file. */
export const MAX_EXPORTED = 50_000;

const Criteria = PageInput.extend({
  kind: z.enum(SECURITY_KINDS).nullish(),
  /** Each word must be the beginning of a word in the user's name, email address or API key name, or the beginning of an IP address. */
  who: Text(254).nullish(),
  from: FilterDay,
  /** The last day, inclusive. */
  to: FilterDay,
});
export type SecurityCriteria = z.output<typeof Criteria>;

const SecurityLine = z.object({
  id: z.number().int(),
  /** The first time and the last time. */
  at: z.string(),
  lastAt: z.string(),
  /** The number of times within a minute. */
  times: z.number().int(),
  kind: z.enum(SECURITY_KINDS),
  /** What happened, in words that follow the name. */
  words: z.string(),
  /** Empty if unknown. */
  who: z.string(),
  /** The email address, if the name is a different text. */
  account: z.string(),
  /** The IP address; empty for a job and for changes that are older than the security log. */
  address: z.string(),
  device: z.string(),
  /** The calls that were refused or exported, at most 20. */
  calls: z.array(z.string()),
  /** The record that was changed. */
  record: z.object({ type: z.enum(RECORD_TYPE_IDS), id: z.number().int(), name: z.string() }).nullable(),
  comment: z.string(),
  changes: z.array(FieldChange),
});
export type SecurityLine = z.infer<typeof SecurityLine>;

export const SecurityLog = {
  SearchSecurityLog: post(
    '/api/SecurityLog/SearchSecurityLog',
    Criteria.refine(...DAYS_IN_ORDER),
    pageOf(SecurityLine).extend({ timeZone: z.string(), keptDays: z.number().int() }),
    {
      access: READERS,
      peopleOnly: true,
      summary:
        'Failed sign-ins, lock-outs, refused calls, API keys, changed rights and settings, exports; newest first.',
    },
  ),
  ExportSecurityLog: post('/api/SecurityLog/ExportSecurityLog', Criteria.refine(...DAYS_IN_ORDER), Bytes, {
    access: READERS,
    peopleOnly: true,
    file: 'text/csv',
    summary: 'The security log as CSV, the newest 50,000 lines.',
  }),
};
