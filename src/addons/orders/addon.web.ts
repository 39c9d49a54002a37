import { addonWeb } from '#platform/addons/addon.web.ts';
import { adminScreens } from '#core/company/settings/doors.web.ts';
import { boardPanels } from '#core/quoting/quote-board/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const ordersWeb = addonWeb('orders', {
  screens: [
    { path: paths.orderRequests, page: () => import('./OrderRequestsPage.tsx') },
    { path: paths.orderSettings, page: () => import('./OrderSettingsPage.tsx') },
  ],
  doors: [
    boardPanels.door.with(() => import('./OrderPanel.tsx')),
    adminScreens.with({
      label: 'Orders for the ERP',
      to: paths.orderSettings,
      roles: ['systemadmin'],
      before: paths.notificationSettings,
      hint: 'How won quotes are sent to the ERP.',
    }),
    adminScreens.with({
      label: 'Order Requests',
      to: paths.orderRequests,
      roles: ['systemadmin', 'salesadmin'],
      before: paths.notificationSettings,
      hint: 'Won quotes sent to the ERP, with its responses.',
    }),
  ],
});
