// Answers the calls of Reports.
import type { Answers } from '#api/serve.server.ts';
import { getContractUse } from '#features/reports/contract-use/contract-use.server.ts';
import { getTerritorySales } from '#features/reports/territory-sales/territory-sales.server.ts';
import { getDiscountMargin } from '#features/reports/discount-margin/discount-margin.server.ts';
import { exportReportQuotes, getReportQuotes } from '#features/reports/lists/report-quotes.server.ts';
import { getPipeline } from '#features/reports/pipeline/pipeline.server.ts';
import { getPivot } from '#features/reports/pivot/pivot.server.ts';
import { getSpeed } from '#features/reports/speed/speed.server.ts';
import { getWonLost } from '#features/reports/won-lost/won-lost.server.ts';
import type { Report } from '#features/reports/reports.contract.ts';

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
