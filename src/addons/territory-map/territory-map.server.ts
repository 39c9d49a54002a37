// Answers the TerritoryMapCalls.
import { z } from 'zod';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { requireMapTool, requirePlan } from '#core/territories/territories/plan-sight.server.ts';
import { asOfDay } from '#core/territories/territories/requested-day.server.ts';
import { shownAreas } from '#core/territories/zip-areas/area-set.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { facilitiesForMap } from './map-facilities.server.ts';
import { readPlace, searchMap } from './map-places.server.ts';
import { type MapRequest, territoryFigures } from './territory-figures.server.ts';
import type { TerritoryMapCalls } from './territory-map.contract.ts';
import { zipReport, zipReportAsCsv } from './zip-report.server.ts';

/** The territory colors that a saved map stores. If any of them is invalid, none apply. */
const Colors = z.record(z.string(), z.string().regex(/^#[0-9a-f]{6}$/i)).catch({});

type Context = { db: Db; user: Caller; services: Services };
type MapScope = { date?: IsoDate | null | undefined; mapId?: number | null | undefined };

/** Throws 403 if sales support uses the map outside the internal site, and 404 for a saved map that the caller cannot see. */
async function loadMapRequest(
  context: Context,
  { date, mapId }: MapScope,
): Promise<{ asked: MapRequest; colors: Record<string, string> }> {
  requireMapTool(context);
  const { db, user, services } = context;
  const plan = mapId ? await requirePlan(context, mapId) : undefined;
  const areas = await shownAreas(db);
  const request = { user, asOf: await asOfDay(db, services, date), planId: plan?.id, areas };
  return { asked: request, colors: Colors.parse(plan?.colors ?? {}) };
}

export const territoryMapAnswers: Answers<typeof TerritoryMapCalls> = {
  getAllTerritories: async (context, input) => {
    const { asked, colors } = await loadMapRequest(context, input);
    return territoryFigures(context.db, asked, colors);
  },
  getFacilitiesForMap: async (context, input) =>
    facilitiesForMap(context.db, (await loadMapRequest(context, input)).asked, input),
  getMapPlace: async (context, input) => readPlace(context.db, (await loadMapRequest(context, input)).asked, input.zip),
  searchMap: async (context, input) =>
    searchMap(context.db, (await loadMapRequest(context, input)).asked, input.keyword),
  getRepListByZipCodeReport: async (context, input) =>
    zipReport(context.db, (await loadMapRequest(context, input)).asked, input),
  exportRepListByZipCodeReport: async (context, input) =>
    zipReportAsCsv(context.db, (await loadMapRequest(context, input)).asked, input),
};
