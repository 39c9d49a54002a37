import { addonWeb } from '#platform/addons/addon.web.ts';
import { contractTabs } from '#core/prices/contract-page/doors.web.ts';
import { contractLists } from '#core/prices/contracts/list/doors.web.ts';
import { boardNotes } from '#core/quoting/quote-board/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const quotesAtRiskWeb = addonWeb('quotes-at-risk', {
  screens: [{ path: paths.contractRisks, page: () => import('./screen/RisksPage.tsx') }],
  doors: [
    boardNotes.door.with(() => import('./screen/QuoteRiskNote.tsx')),
    contractLists.with({ label: 'Quotes at risk', to: paths.contractRisks }),
    contractTabs.with({
      tab: 'risks',
      label: 'Risks',
      count: ({ counts }) => counts.risks,
      order: { field: 'difference', dir: 'desc' },
      load: () => import('./screen/RisksTab.tsx'),
    }),
  ],
});
