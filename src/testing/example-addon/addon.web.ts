import { addonWeb } from '#platform/addons/addon.web.ts';
import { boardPanels } from '#core/quoting/quote-board/doors.web.ts';

export const lineCountWeb = addonWeb('line-count', {
  screens: [],
  doors: [boardPanels.door.with(() => import('./LineCountPanel.tsx'))],
});
