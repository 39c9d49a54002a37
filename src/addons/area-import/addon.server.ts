import { addonServer } from '#platform/addons/addon.server.ts';
import { addonImportKinds } from '#platform/data-import/doors.server.ts';
import { areaImport } from './addon.ts';
import { areaImportAnswers } from './area-import.server.ts';
import { zipAreasKind } from './zip-areas-kind.server.ts';

export const areaImportServer = addonServer(areaImport, {
  answers: { AreaImport: areaImportAnswers },
  doors: [addonImportKinds.with(zipAreasKind)],
});
