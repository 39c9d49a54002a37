import { addonWeb } from '#platform/addons/addon.web.ts';
import { paletteScreens } from '#core/company/settings/doors.web.ts';
import { facilityLinks } from '#core/customers/facility-admin/doors.web.ts';
import { otherBeginnings } from '#core/quoting/new-quote/doors.web.ts';
import { startsQuotes } from '#platform/shared/roles.ts';
import { paths } from '#platform/shared/paths.ts';

export const savingsWeb = addonWeb('savings', {
  screens: [
    { path: paths.savingsAnalyses, page: () => import('./SavingsPages.tsx') },
    { path: '/savings/$id', page: () => import('./SavingsPages.tsx') },
  ],
  doors: [
    paletteScreens.with({ label: 'Savings Analyses', to: paths.savingsAnalyses, isShown: startsQuotes }),
    facilityLinks.with({ label: 'Savings analyses', to: paths.savingsAnalyses }),
    otherBeginnings.with({ label: "From the customer's usage file", to: paths.newSavingsAnalysis }),
  ],
});
