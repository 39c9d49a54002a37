import { addonWeb } from '#platform/addons/addon.web.ts';
import { adminScreens, menuTabs } from '#core/company/settings/doors.web.ts';
import type { SessionUser } from '#platform/auth/sessions/session.web.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { paths } from '#platform/shared/paths.ts';

/** Only system administrators and sales support have the tab, on the internal site. Others use the Settings menu or Home. */
const hasMapTab = (user: SessionUser) => appConfig.internalSite && hasRole(user, 'systemadmin', 'salessupport');

export const territoryMapWeb = addonWeb('territory-map', {
  screens: [{ path: paths.territoryMap, page: () => import('./screen/TerritoryMapPage.tsx') }],
  doors: [
    menuTabs.with({ label: 'Map Tool', to: paths.territoryMap, key: 'g m', isShown: hasMapTab }),
    adminScreens.with({
      label: 'Map Tool',
      to: paths.territoryMap,
      roles: ['systemadmin', 'salesadmin', 'salesQuoteManager'],
      before: paths.findRep,
      hint: 'Territories, facilities and quotes on a map.',
    }),
  ],
});
