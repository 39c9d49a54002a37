import { addonWeb } from '#platform/addons/addon.web.ts';
import { contractLists } from '#core/prices/contracts/list/doors.web.ts';
import { boardPanels, priceRequest } from '#core/quoting/quote-board/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const eligibilityWeb = addonWeb('eligibility', {
  screens: [
    { path: paths.eligibility, page: () => import('./desk/RequestsPage.tsx') },
    {
      path: '/gpo/contracts/eligibility/$id',
      page: () => import('./desk/RequestPage.tsx'),
    },
  ],
  doors: [
    boardPanels.door.with(() => import('./board/EligibilityPanel.tsx')),
    priceRequest.door.with(() => import('./board/RequestDialog.tsx')),
    contractLists.with({ label: 'Eligibility', to: paths.eligibility }),
  ],
});
