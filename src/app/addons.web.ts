// The add-ons of the product in the browser, in the order of their tabs and panels.
import { install } from '#platform/addons/addon.web.ts';
import { areaImportWeb } from '#addons/area-import/addon.web.ts';
import { territoryMapWeb } from '#addons/territory-map/addon.web.ts';
import { territoryPlansWeb } from '#addons/territory-plans/addon.web.ts';
import { facilityDuplicatesWeb } from '#addons/facility-duplicates/addon.web.ts';
import { quotesAtRiskWeb } from '#addons/quotes-at-risk/addon.web.ts';
import { eligibilityWeb } from '#addons/eligibility/addon.web.ts';
import { configuratorsWeb } from '#addons/configurators/addon.web.ts';
import { configurableModelsWeb } from '#addons/configurable-models/addon.web.ts';
import { savingsWeb } from '#addons/savings/addon.web.ts';
import { ordersWeb } from '#addons/orders/addon.web.ts';
import { crmWeb } from '#addons/crm/addon.web.ts';
import { singleSignOnWeb } from '#addons/single-sign-on/addon.web.ts';
import { webhooksWeb } from '#addons/webhooks/addon.web.ts';
import { reportsWeb } from '#addons/reports/addon.web.ts';

export const addonsWeb = install([
  areaImportWeb,
  territoryMapWeb,
  territoryPlansWeb,
  facilityDuplicatesWeb,
  quotesAtRiskWeb,
  eligibilityWeb,
  configuratorsWeb,
  configurableModelsWeb,
  savingsWeb,
  ordersWeb,
  crmWeb,
  singleSignOnWeb,
  webhooksWeb,
  reportsWeb,
]);
