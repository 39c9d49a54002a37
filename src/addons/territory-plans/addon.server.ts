import { addonServer } from '#platform/addons/addon.server.ts';
import { territoryPlans } from './addon.ts';
import { territoryPlanAnswers } from './territory-plans.server.ts';
import { planZipAnswers } from './zips/plan-zips.server.ts';
import { planWorkJob } from './publishing/plan-work.server.ts';

export const territoryPlansServer = addonServer(territoryPlans, {
  answers: { TerritoryPlans: territoryPlanAnswers, PlanZips: planZipAnswers },
  jobs: [planWorkJob],
});
