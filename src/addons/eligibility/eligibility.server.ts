// Answers the Eligibility calls, and lets a quote leave a request that other quotes also wait for.
import type { z } from 'zod';
import { forbidden, HttpError, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import {
  closeEdit,
  openEdit,
  repriceLine,
  requireRight,
  staleError,
} from '#core/quoting/quote-edit/settle/edit-quote.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { askForPlace, mayAsk, requestName } from './ask.server.ts';
import { decide } from './decide.server.ts';
import type { Eligibility, LeaveInput, Left } from './eligibility.contract.ts';
import { STATE_LABELS, WAITING_STATES } from './request-steps.ts';
import { optionsOf } from './tiers-to-ask.server.ts';
import { requestDetail, requestsOfQuote } from './request-detail.server.ts';
import { readRequest, requestPage } from './request-rows.server.ts';

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

/**
 * Removes one quote from a request that other quotes also wait for. The quote's prices then no longer depend on the request. Throws 404 if the user
 * does not see the quote or the request, or the quote has not joined it; 403 if it is not the user's own quote; and 409 for a stale version, a
 * settled request, the only quote of a request, or prices that may not change now.
 */
async function leave(context: ReadContext, input: z.output<typeof LeaveInput>): Promise<Left> {
  const { db, user, services } = context;
  const today = await requireContracts(context);
  const edit = await openEdit(context, input.quoteId);
  const { quote, lines } = edit.before;
  if (!mayAsk(user, edit)) throw forbidden();
  if (input.version !== quote.version) throw await staleError(edit, 'quote');
  await db.selectFrom('eligibility_request').select('id').where('id', '=', input.id).forUpdate().execute();
  const request = await readRequest({ db, user, services, today }, input.id);
  const { numDeletedRows } = await db
    .deleteFrom('eligibility_request_quote')
    .where('request_id', '=', request.id)
    .where('quote_id', '=', quote.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('eligibility request');
  if (!WAITING_STATES.includes(request.state))
    throw new HttpError(
      409,
      `This request is ${STATE_LABELS[request.state].toLowerCase()}. A quote can stop waiting only for an open request.`,
    );
  if (request.quotes === 1)
    throw new HttpError(409, 'No other quote is waiting for this request. Withdraw the request instead.');
  const subject = `${request.tier.name} of contract ${request.contract.number}`;
  const hanging = lines.filter((line) => line.eligibility_request_id === request.id);
  if (hanging.length > 0) requireRight(edit, 'commercial');
  for (const { id } of hanging) repriceLine(edit, id);
  const action = 'LeaveEligibility';
  const { isWritten } = await closeEdit(edit, { action, comment: subject });
  if (!isWritten)
    await recordEvent(db, {
      quoteId: quote.id,
      userId: user.id,
      actor: user.fullName,
      action: 'StopWaiting',
      revision: quote.revision,
      comment: subject,
    });
  await recordChange(db, user, {
    type: 'eligibilityRequest',
    id: request.id,
    name: requestName(request.facility.name, request.contract, request.tier),
    action: 'Leave quote',
    comment: `Quote ${quoteNumber(quote.num, quote.revision)}.`,
    version: request.version,
  });
  const after = await db
    .selectFrom('quote')
    .select(['version', 'total_amount as totalAmount', 'fallback_total as fallbackTotal'])
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  return { repriced: hanging.length > 0, quote: after };
}
