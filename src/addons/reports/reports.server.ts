// Answers the Reports calls.
import type { Answers } from '#platform/api/serve.server.ts';
import { getContractUse } from './contract-use/contract-use.server.ts';
import { getTerritorySales } from './territory-sales/territory-sales.server.ts';
import { getDiscountMargin } from './discount-margin/discount-margin.server.ts';
import { exportReportQuotes, getReportQuotes } from './lists/report-quotes.server.ts';
import { getPipeline } from './pipeline/pipeline.server.ts';
import { getPivot } from './pivot/pivot.server.ts';
import { getSpeed } from './speed/speed.server.ts';
import { getWonLost } from './won-lost/won-lost.server.ts';
import type { Report } from './reports.contract.ts';

export const reportAnswers: Answers<typeof Report> = {
  GetPipeline: getPipeline,
  GetWonLost: getWonLost,
  GetDiscountMargin: getDiscountMargin,
  GetSpeed: getSpeed,
  GetContractUse: getContractUse,
  GetTerritorySales: getTerritorySales,
  GetPivot: getPivot,
  GetReportQuotes: getReportQuotes,
  ExportReportQuotes: exportReportQuotes,
};
