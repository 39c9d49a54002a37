// The answers of the Quote edit group; each is written out in the file of its topic.
import type { Answers } from '#api/serve.server.ts';
import { approvalImpact } from './approval-impact.server.ts';
import { cloneQuote, repriceQuote } from './clone.server.ts';
import { applyPromotion, saveQuoteItem } from './line-items.server.ts';
import { loadActivity, loadQuoteEditData } from './load-quote.server.ts';
import { findOpenQuotes, populateLookups, populateNewQuote } from './lookups.server.ts';
import { resolvePastedItems } from './paste.server.ts';
import type { QuoteEdit } from './quote-edit.contract.ts';
import { saveQuote } from './save-quote.server.ts';
import { addTemplateToQuote, templatesForQuote } from './templates.server.ts';

export const quoteEditAnswers: Answers<typeof QuoteEdit> = {
  PopulateNewQuote: populateNewQuote,
  PopulateQuoteEditDataForSalesRep: (context, { id }) => loadQuoteEditData(context, id, 'public'),
  PopulateQuoteEditDataForInternalRep: (context, { id }) => loadQuoteEditData(context, id, 'internal'),
  PopulateQuoteEditLookups: populateLookups,
  SaveSalesRepQuote: saveQuote,
  SaveQuoteItem: saveQuoteItem,
  ApplyPromotionToQuoteItem: applyPromotion,
  ResolvePastedItems: resolvePastedItems,
  CloneQuote: cloneQuote,
  RepriceQuote: repriceQuote,
  GetQuoteTemplateForQuote: templatesForQuote,
  SaveQuoteTemplateForQuote: addTemplateToQuote,
  FindOpenQuotes: findOpenQuotes,
  GetQuoteActivity: loadActivity,
  GetApprovalImpact: approvalImpact,
};
