import { addonWeb } from '#platform/addons/addon.web.ts';
import { boardPanels, lineTools } from '#core/quoting/quote-board/doors.web.ts';
import { FILES_FIELD } from './panel/files-field.ts';

export const configuratorsWeb = addonWeb('configurators', {
  screens: [],
  doors: [
    boardPanels.door.with(() => import('./panel/ConfiguratorPanel.tsx')),
    lineTools.with({
      label: 'Import configurator file…',
      isShown: ({ editable }) => editable.notes,
      run: () => document.getElementById(FILES_FIELD)?.click(),
    }),
  ],
});
