// Defines the calls for reports sent by mail: what is sent, to whom, and how to stop it. For users only, not for API keys.
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { Id, Text, Version } from '#platform/shared/wire.ts';
import { REPORT_TABS } from '../screen/report-tabs.ts';

const ReportKey = z.enum(REPORT_TABS.map(({ key }) => key));

export const EVERY = ['week', 'month'] as const;
/** 'week': on Mondays, 'month': on the first day. */
export const Every = z.enum(EVERY);
export type Every = z.infer<typeof Every>;

export const SentReport = z.object({
  id: z.number().int(),
  report: ReportKey,
  /** The query of the report's address, without '?'. */
  address: z.string(),
  /** The filters in words: the period and each filter. */
  of: z.array(z.string()),
  every: Every,
  /** The roles that get it. Empty means only its owner. */
  roles: z.array(z.enum(ROLES)),
  ownerName: z.string(),
  /** Whether the user may stop it. Its owner and system administrators stop it for all recipients, other recipients for themselves. */
  mayStop: z.boolean(),
  /** Whether the user gets it. */
  getsIt: z.boolean(),
  /** The company's day on which it is sent next. `lastOn`: when it was last sent. */
  nextOn: z.string(),
  lastOn: z.string().nullable(),
  version: z.number().int(),
});
export type SentReport = z.infer<typeof SentReport>;

export const SentReports = {
  GetSentReports: post(
    '/api/SentReports/GetSentReports',
    z.object({}),
    z.object({
      reports: z.array(SentReport),
      /** Whether the user may send reports to roles. */
      mayChooseRoles: z.boolean(),
    }),
    {
      access: 'user',
      peopleOnly: true,
      summary: 'Scheduled reports that the user set up or receives. System administrators see all.',
    },
  ),
  AddSentReport: post(
    '/api/SentReports/AddSentReport',
    z.object({
      report: ReportKey,
      /** The query of the report's address. The period and the filters are read from it, everything else is ignored. */
      address: Text(2000),
      every: Every,
      /** Only for administrators and managers. Empty means only the user. */
      roles: z.array(z.enum(ROLES)).max(ROLES.length).default([]),
    }),
    SentReport,
    {
      access: 'user',
      peopleOnly: true,
      writes: true,
      summary:
        'Schedules a weekly or monthly report by email. Recipients get figures only for quotes that they can see.',
    },
  ),
  StopSentReport: post('/api/SentReports/StopSentReport', z.object({ id: Id, version: Version }), Nothing, {
    access: 'user',
    peopleOnly: true,
    writes: true,
    summary:
      'Stops a scheduled report: for all recipients if the user owns it or is a system administrator, otherwise only for the user.',
  }),
};
