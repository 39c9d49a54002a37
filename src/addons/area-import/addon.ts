import { defineAddon } from '#platform/addons/addon.ts';
import { AreaImport } from './area-import.contract.ts';

export const areaImport = defineAddon({
  name: 'area-import',
  title: 'ZIP areas',
  purpose: 'Imports ZIP areas for the map from a Census file.',
  whileOff: 'The map keeps its current areas.',
  calls: { AreaImport },
});
