import { addonWeb } from '#platform/addons/addon.web.ts';
import { adminScreens } from '#core/company/settings/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const areaImportWeb = addonWeb('area-import', {
  screens: [{ path: paths.zipAreas, page: () => import('./ZipAreasPage.tsx') }],
  doors: [
    adminScreens.with({
      label: 'ZIP Areas',
      to: paths.zipAreas,
      roles: ['systemadmin', 'salesadmin'],
      before: paths.findRep,
      hint: 'Areas for the map, from a Census file.',
    }),
  ],
});
