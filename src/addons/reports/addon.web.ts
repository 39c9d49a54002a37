import { addonWeb } from '#platform/addons/addon.web.ts';
import { menuTabs } from '#core/company/settings/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const reportsWeb = addonWeb('reports', {
  screens: [
    { path: paths.reports, page: () => import('./pages/ReportsPage.tsx') },
    { path: '/reports/$report', page: () => import('./pages/ReportsPage.tsx') },
    { path: paths.sentReports, page: () => import('./sent-reports/SentReportsPage.tsx') },
  ],
  doors: [menuTabs.with({ label: 'Reports', to: paths.reports, key: 'g p', isShown: () => true })],
});
