import { defineAddon } from '#platform/addons/addon.ts';
import { TerritoryPlans } from './territory-plans.contract.ts';
import { PlanZips } from './zips/plan-zips.contract.ts';

export const territoryPlans = defineAddon({
  name: 'territory-plans',
  title: 'Territory plans',
  purpose: 'Plans territory changes and shows their effects before they are published.',
  whileOff: 'Published plans still take effect on their day. Large plans that are queued for publishing wait.',
  calls: { TerritoryPlans, PlanZips },
});
