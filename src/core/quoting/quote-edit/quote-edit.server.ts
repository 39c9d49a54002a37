// Maps the calls of the Quote edit group to their implementations.
import type { Answers } from '#platform/api/serve.server.ts';
import { facilityChanges, useFacilityValues } from './facility/facility-changes.server.ts';
import { applyPromotion, saveQuoteItem } from './lines/line-items.server.ts';
import { cloneQuote, repriceQuote } from './make/clone.server.ts';
import { findOpenQuotes, populateLookups, populateNewQuote } from './make/new-quote-choices.server.ts';
import { addTemplateToQuote, templatesForQuote } from './make/templates.server.ts';
import { pricePastedItems } from './paste/paste-prices.server.ts';
import { resolvePastedItems } from './paste/paste.server.ts';
import { proposePastedItems } from './paste/propose-items.server.ts';
import type { QuoteEdit } from './quote-edit.contract.ts';
import { saveQuote } from './save-quote.server.ts';
import { approvalImpact } from './view/approval-impact.server.ts';
import { loadActivity, loadQuoteChanges, loadQuoteEditData } from './view/load-quote.server.ts';

export const quoteEditAnswers: Answers<typeof QuoteEdit> = {
  PopulateNewQuote: populateNewQuote,
  PopulateQuoteEditDataForSalesRep: (context, { id }) => loadQuoteEditData(context, id, 'public'),
  PopulateQuoteEditDataForInternalRep: (context, { id }) => loadQuoteEditData(context, id, 'internal'),
  PopulateQuoteEditLookups: populateLookups,
  SaveSalesRepQuote: saveQuote,
  SaveQuoteItem: saveQuoteItem,
  ApplyPromotionToQuoteItem: applyPromotion,
  ResolvePastedItems: resolvePastedItems,
  ProposePastedItems: proposePastedItems,
  PricePastedItems: pricePastedItems,
  CloneQuote: cloneQuote,
  RepriceQuote: repriceQuote,
  GetFacilityChanges: facilityChanges,
  UseFacilityValues: useFacilityValues,
  GetQuoteTemplateForQuote: templatesForQuote,
  SaveQuoteTemplateForQuote: addTemplateToQuote,
  FindOpenQuotes: findOpenQuotes,
  GetQuoteActivity: loadActivity,
  GetQuoteChanges: loadQuoteChanges,
  GetApprovalImpact: approvalImpact,
};
