// The list of reports, each with its tab and its address. A new report adds one entry.
import { paths } from '#platform/shared/paths.ts';

export const REPORT_TABS = [
  { key: 'pipeline', label: 'Pipeline', to: paths.reports },
  { key: 'won-lost', label: 'Won and Lost', to: paths.report('won-lost') },
  { key: 'discount-margin', label: 'Discount and Margin', to: paths.report('discount-margin') },
  { key: 'speed', label: 'Speed', to: paths.report('speed') },
  { key: 'contracts', label: 'Contracts and Items', to: paths.report('contracts') },
  { key: 'territories', label: 'Territories', to: paths.report('territories') },
  { key: 'pivot', label: 'Pivot', to: paths.report('pivot') },
] as const;
export type ReportKey = (typeof REPORT_TABS)[number]['key'];

export const reportTab = (key: string | undefined) => REPORT_TABS.find((tab) => tab.key === key) ?? REPORT_TABS[0];
