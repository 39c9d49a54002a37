import { addonWeb } from '#platform/addons/addon.web.ts';
import { adminScreens } from '#core/company/settings/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const webhooksWeb = addonWeb('webhooks', {
  screens: [
    { path: paths.webhooks, page: () => import('./WebhooksPage.tsx') },
    { path: paths.webhookDeliveries, page: () => import('./WebhookDeliveriesPage.tsx') },
  ],
  doors: [
    adminScreens.with({
      label: 'Webhooks',
      to: paths.webhooks,
      roles: ['systemadmin'],
      before: paths.notificationSettings,
      hint: 'Notify other systems about quotes.',
    }),
    adminScreens.with({
      label: 'Webhook Deliveries',
      to: paths.webhookDeliveries,
      roles: ['systemadmin'],
      before: paths.notificationSettings,
      hint: 'Sent and failed deliveries, with errors.',
    }),
  ],
});
