// The definitions of each report, for the screen that explains its figures.
import type { Definition } from '../common.definitions.ts';
import { CONTRACT_USE_DEFINITIONS } from '../contract-use/contract-use.definitions.ts';
import { DISCOUNT_MARGIN_DEFINITIONS } from '../discount-margin/discount-margin.definitions.ts';
import { PIPELINE_DEFINITIONS } from '../pipeline/pipeline.definitions.ts';
import { SPEED_DEFINITIONS } from '../speed/speed.definitions.ts';
import { TERRITORY_SALES_DEFINITIONS } from '../territory-sales/territory-sales.definitions.ts';
import { WON_LOST_DEFINITIONS } from '../won-lost/won-lost.definitions.ts';
import type { ReportKey } from './report-tabs.ts';

export const DEFINITIONS: Record<ReportKey, readonly Definition[]> = {
  pipeline: PIPELINE_DEFINITIONS,
  'won-lost': WON_LOST_DEFINITIONS,
  'discount-margin': DISCOUNT_MARGIN_DEFINITIONS,
  speed: SPEED_DEFINITIONS,
  contracts: CONTRACT_USE_DEFINITIONS,
  territories: TERRITORY_SALES_DEFINITIONS,
};
