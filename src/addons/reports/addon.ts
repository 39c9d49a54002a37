import { defineAddon } from '#platform/addons/addon.ts';
import { Report } from './reports.contract.ts';
import { SentReports } from './sent-reports/sent-reports.contract.ts';

export const reports = defineAddon({
  name: 'reports',
  title: 'Reports',
  purpose: 'Shows what was quoted, won and lost, by person, territory, contract and discount.',
  whileOff:
    'Reports are not sent by email. When you switch it back on, each report that was due is sent once and the figures catch up.',
  calls: { Report, SentReports },
});
