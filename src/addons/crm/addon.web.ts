import { addonWeb } from '#platform/addons/addon.web.ts';
import { adminScreens } from '#core/company/settings/doors.web.ts';
import { boardPanels } from '#core/quoting/quote-board/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const crmWeb = addonWeb('crm', {
  screens: [
    { path: paths.crmSettings, page: () => import('./CrmSettingsPage.tsx') },
    { path: paths.crmPushes, page: () => import('./CrmPushesPage.tsx') },
  ],
  doors: [
    boardPanels.door.with(() => import('./CrmPanel.tsx')),
    adminScreens.with({
      label: 'Salesforce',
      to: paths.crmSettings,
      roles: ['systemadmin'],
      before: paths.notificationSettings,
      hint: 'Connection and field mapping.',
    }),
    adminScreens.with({
      label: 'CRM Pushes',
      to: paths.crmPushes,
      roles: ['systemadmin'],
      before: paths.notificationSettings,
      hint: 'Pushed quotes and contacts, with errors.',
    }),
  ],
});
