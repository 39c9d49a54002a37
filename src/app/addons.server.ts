// The add-ons of the product, on the server.
import { areaImportServer } from '#addons/area-import/addon.server.ts';
import { territoryMapServer } from '#addons/territory-map/addon.server.ts';
import { territoryPlansServer } from '#addons/territory-plans/addon.server.ts';
import { facilityDuplicatesServer } from '#addons/facility-duplicates/addon.server.ts';
import { quotesAtRiskServer } from '#addons/quotes-at-risk/addon.server.ts';
import { eligibilityServer } from '#addons/eligibility/addon.server.ts';
import { configuratorsServer } from '#addons/configurators/addon.server.ts';
import { configurableModelsServer } from '#addons/configurable-models/addon.server.ts';
import { savingsServer } from '#addons/savings/addon.server.ts';
import { ordersServer } from '#addons/orders/addon.server.ts';
import { crmServer } from '#addons/crm/addon.server.ts';
import { singleSignOnServer } from '#addons/single-sign-on/addon.server.ts';
import { webhooksServer } from '#addons/webhooks/addon.server.ts';
import { reportsServer } from '#addons/reports/addon.server.ts';
import { install } from '#platform/addons/addon.server.ts';

export const addonsServer = install([
  areaImportServer,
  territoryMapServer,
  territoryPlansServer,
  facilityDuplicatesServer,
  quotesAtRiskServer,
  eligibilityServer,
  configuratorsServer,
  configurableModelsServer,
  savingsServer,
  ordersServer,
  crmServer,
  singleSignOnServer,
  webhooksServer,
  reportsServer,
]);
