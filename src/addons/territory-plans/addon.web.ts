import { addonWeb } from '#platform/addons/addon.web.ts';
import { adminScreens } from '#core/company/settings/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const territoryPlansWeb = addonWeb('territory-plans', {
  screens: [
    { path: paths.savedMaps, page: () => import('./PlansPage.tsx') },
    { path: '/tools/zipsAssignMapSaved/$id', page: () => import('./page/PlanPage.tsx') },
  ],
  doors: [
    adminScreens.with({
      label: 'Territory Plans',
      to: paths.savedMaps,
      roles: ['systemadmin', 'salesadmin', 'salesQuoteManager'],
      before: paths.facilities,
      hint: 'Plan territory changes and see their effects.',
    }),
  ],
});
