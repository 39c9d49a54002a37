// Answers the calls of savings analyses.
import type { Answers } from '#platform/api/serve.server.ts';
import { getAnalysisHistory, recordEvent } from './analysis-history.server.ts';
import { getRowCandidates, searchAnalysisRows } from './analysis-rows.server.ts';
import { getAnalysis, searchAnalyses } from './analysis-view.server.ts';
import { getPriceChanges, repriceAnalysis } from './comparison/reprice.server.ts';
import { getQuotesMade } from './comparison/quotes-made.server.ts';
import { getTierSavings } from './comparison/tier-savings.server.ts';
import { decideRows } from './decide-rows.server.ts';
import { makeQuotes } from './make-quotes.server.ts';
import { previewQuotes } from './preview-quotes.server.ts';
import { findUsageFacilities, setUsageColumns, uploadUsageFile } from './reading/take-usage.server.ts';
import type { Savings } from './savings.contract.ts';
import { joinRow, splitRow } from './split-row.server.ts';
import { deleteAnalysis, setRows } from './set-levers.server.ts';
import { getSavingsSheet } from './sheet/savings-sheet.server.ts';

export const savingsAnswers: Answers<typeof Savings> = {
  FindUsageFacilities: findUsageFacilities,
  UploadUsageFile: uploadUsageFile,
  SetUsageColumns: async (context, input) => {
    await setUsageColumns(context, input);
    const analysis = await getAnalysis(context, input.id);
    await recordEvent(context.db, context.user, analysis, 'Read again', []);
    return analysis;
  },
  GetAnalysis: (context, { id }) => getAnalysis(context, id),
  SearchAnalyses: searchAnalyses,
  SearchAnalysisRows: searchAnalysisRows,
  GetRowCandidates: getRowCandidates,
  DecideRows: decideRows,
  SetRows: setRows,
  SplitRow: splitRow,
  JoinRow: joinRow,
  RepriceAnalysis: repriceAnalysis,
  GetPriceChanges: (context, { id }) => getPriceChanges(context, id),
  GetTierSavings: (context, { id }) => getTierSavings(context, id),
  MakeQuotes: makeQuotes,
  GetQuotesMade: (context, { id }) => getQuotesMade(context, id),
  PreviewQuotes: previewQuotes,
  GetAnalysisHistory: getAnalysisHistory,
  GetSavingsSheet: getSavingsSheet,
  DeleteAnalysis: deleteAnalysis,
};
