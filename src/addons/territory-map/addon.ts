import { defineAddon } from '#platform/addons/addon.ts';
import { TerritoryMapCalls } from './territory-map.contract.ts';

export const territoryMap = defineAddon({
  name: 'territory-map',
  title: 'Territory map',
  purpose: 'Shows territories, facilities and open quotes on a map, as of any day.',
  calls: { TerritoryMapCalls },
});
