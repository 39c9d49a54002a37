import { addonServer } from '#platform/addons/addon.server.ts';
import { territoryMap } from './addon.ts';
import { territoryMapAnswers } from './territory-map.server.ts';

export const territoryMapServer = addonServer(territoryMap, {
  answers: { TerritoryMapCalls: territoryMapAnswers },
});
