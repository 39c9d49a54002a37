import { defineAddon } from '#platform/addons/addon.ts';
import { TerritoryPlans } from './territory-plans.contract.ts';
import { PlanZips } from './zips/plan-zips.contract.ts';

export const territoryPlans = defineAddon({
  name: 'territory-plans',
  title: 'Territory plans',
  purpose: 'Plans a change of territories and shows its effects before it takes effect on a day.',
  whileOff: 'Published plans take effect on their day. The publishing of a large plan that has not begun waits.',
  calls: { TerritoryPlans, PlanZips },
});
