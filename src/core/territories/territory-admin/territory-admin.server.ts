// Answers the TerritoryAdmin calls.
import type { Answers } from '#platform/api/serve.server.ts';
import { moveToToday, quotesToMove } from './moving-quotes/moving-quotes.server.ts';
import { endOverrides, overridePage, saveOverride } from './overrides/territory-overrides.server.ts';
import type { TerritoryAdmin } from './territory-admin.contract.ts';
import { territoriesAsCsv, territoryFilters, territoryPage } from './territory-list.server.ts';
import { readForEdit, saveTerritory, switchTerritory } from './territory-record.server.ts';
import { addZips, endZips, zipPage, zipsAsCsv } from './zips/territory-zips.server.ts';

export const territoryAdminAnswers: Answers<typeof TerritoryAdmin> = {
  GetAllTerritories: ({ db, services }, criteria) => territoryPage(db, services, criteria),
  ExportTerritories: ({ db, services }, criteria) => territoriesAsCsv(db, services, criteria),
  GetTerritoryFilters: ({ db, services }) => territoryFilters(db, services),
  PopulateTerritoryEditModel: ({ db, services }, { id }) => readForEdit(db, services, id),
  SaveTerritory: saveTerritory,
  InactiveOrActiveTerritory: switchTerritory,
  GetTerritoryZips: ({ db, services }, criteria) => zipPage(db, services, criteria),
  ExportTerritoryZips: ({ db, services }, criteria) => zipsAsCsv(db, services, criteria),
  AddTerritoryZips: addZips,
  EndTerritoryZips: endZips,
  GetTerritoryOverrides: ({ db, services }, criteria) => overridePage(db, services, criteria),
  SaveTerritoryOverride: saveOverride,
  EndTerritoryOverrides: endOverrides,
  GetQuotesToMove: ({ db, services }, { territoryId }) => quotesToMove(db, services, { territoryId }),
  MoveQuotes: (context, { quotes }) => moveToToday(context, quotes),
};
