// The answers of Eligibility.
import type { Answers } from '#platform/api/serve.server.ts';
import { requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { askForPlace } from './ask.server.ts';
import { decide } from './decide.server.ts';
import type { Eligibility } from './eligibility.contract.ts';
import { leave } from './leave-request.server.ts';
import { optionsOf } from './tiers-to-ask.server.ts';
import { requestDetail, requestsOfQuote } from './request-detail.server.ts';
import { requestPage } from './request-rows.server.ts';

export const eligibilityAnswers: Answers<typeof Eligibility> = {
  Options: async (context, { quoteId }) => optionsOf(context, quoteId),

  OfQuote: async (context, { quoteId }) => {
    const { db, user } = context;
    await requireContracts(context);
    await requireQuote(db, user, quoteId);
    return requestsOfQuote(db, user, quoteId);
  },

  Request: async (context, input) => askForPlace(context, input),

  Leave: async (context, input) => leave(context, input),

  Decide: async (context, input) => decide(context, input),

  SearchRequests: async (context, criteria) =>
    requestPage({ ...context, today: await requireContracts(context) }, criteria),

  Get: async (context, { id }) => requestDetail({ ...context, today: await requireContracts(context) }, id),
};
