import { addonWeb } from '#platform/addons/addon.web.ts';
import { adminScreens } from '#core/company/settings/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const facilityDuplicatesWeb = addonWeb('facility-duplicates', {
  screens: [{ path: paths.alikeFacilities, page: () => import('./AlikeFacilitiesPage.tsx') }],
  doors: [
    adminScreens.with({
      label: 'Duplicate Facilities',
      to: paths.alikeFacilities,
      roles: ['systemadmin', 'salesadmin'],
      before: paths.tazImport,
      hint: 'Find and merge facilities that are listed twice.',
    }),
  ],
});
