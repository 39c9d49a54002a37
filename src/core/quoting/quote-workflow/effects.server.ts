// The effects of each workflow action besides changing the status (design 2, last column).
import { isExpired } from '#core/quoting/quotes/status.ts';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { contentHash } from '#core/quoting/approvals/content-hash.server.ts';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import type { FieldChange } from '#core/quoting/quotes/events/events.server.ts';
import { QUOTE_LABELS } from '#core/quoting/quotes/quote-fields.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import { compare, type Decimal, formatAmount } from '#platform/shared/money.ts';
import { decide, recallApproval, requestApproval } from './approval-actions/decide-approval.server.ts';
import { knownSpelling } from './competitors.server.ts';
import { firmOrFallback, requireOpenRequests } from './firm-or-fallback.server.ts';
import { approveByOwnLimit } from './approval-actions/approved-by-sender.server.ts';
import { requireReady } from './readiness.server.ts';
import { compareRevisions } from './revisions/compare-revisions.server.ts';
import { comparedNow } from './revisions/compared-revision.server.ts';
import { freezeRevision, newDocId } from './revisions/freeze.server.ts';
import { backUp, restoreLines } from './revisions/revision-backup.server.ts';
import type { Effect, Work } from './action-in-progress.server.ts';

/** Actions that are not listed here only change the status. */
export const EFFECTS: Partial<Record<ActionName, (work: Work) => Promise<Effect>>> = {
  // A submitted quote has no assignee. Any earlier assignee processed an earlier revision.
  Submit: async (work) => {
    requireReady(work);
    return assign(work, null);
  },
  StartProcess: (work) => assign(work, work.userId),
  ProvideInfo: async (work) => (work.to === 'WaitingForProcess' ? assign(work, null) : {}),
  RequestApproval: requestApproval,
  ApproveDiscount: (work) => decide(work, 'Approved'),
  RejectDiscount: (work) => decide(work, 'Rejected'),
  RecallApproval: recallApproval,
  Send: async (work) => {
    const { db, services, state, userId } = work;
    requireReady(work);
    const day = today(services, await loadCompany(db));
    if (isExpired({ status_id: 'SentToCustomer', valid_until: state.quote.valid_until }, day)) {
      throw invalid([
        {
          path: 'validUntil',
          message: 'The quote would already be expired when it arrives. Choose a later Valid until date.',
        },
      ]);
    }
    if (userId === null) throw new Error('only a person with an account sends');
    const firmed = await requireOpenRequests(work, day);
    const own = await approveByOwnLimit(work, contentHash(firmed.state.quote, firmed.state.items));
    await freezeRevision(db, services, firmed.state, userId, work);
    return { patch: { ...firmed.patch, revised_from: null, revised_by: null }, changes: [...own, ...firmed.changes] };
  },
  Resend: async ({ db, state: { quote } }) => {
    // The old address of a revoked document never works again.
    await db
      .updateTable('quote_revision')
      .set({ doc_id: newDocId(), revoked_at: null })
      .where('quote_id', '=', quote.id)
      .where('revision', '=', quote.revision)
      .where('revoked_at', 'is not', null)
      .execute();
    return {};
  },
  // A new revision has no assignee until an internal user starts processing it.
  Revise: async (work) => {
    const { patch, changes = [] } = await assign(work, null);
    const revised = { revised_from: work.state.quote.status_id, revised_by: work.userId };
    return { patch: { ...(await nextRevision(work)), ...patch, ...revised }, changes };
  },
  DiscardRevision: discardRevision,
  MarkWon: async (work) => {
    const { db, services, state, poNumber, signedName, performer } = work;
    const purchaseOrder = poNumber || state.quote.po_number;
    const signature = 'customer' in performer ? performer.customer : signedName;
    if (purchaseOrder === '' && signature === '') {
      throw invalid([{ path: 'poNumber', message: 'Enter the PO number or the name of the person who signed.' }]);
    }
    const { accepted, ...prices } = await firmOrFallback(work, today(services, await loadCompany(db)));
    requireSeenTotal(work, prices.patch.total_amount ?? state.quote.total_amount);
    await db
      .updateTable('quote_revision')
      .set({ accepted_at: services.clock.now(), accepted_fallback: accepted === 'fallback' })
      .where('quote_id', '=', state.quote.id)
      .where('revision', '=', state.quote.revision)
      .execute();
    return {
      patch: { ...prices.patch, po_number: purchaseOrder, won_by: signature },
      changes: [
        ...prices.changes,
        ...changed(QUOTE_LABELS.poNumber, state.quote.po_number, purchaseOrder),
        ...changed('Signed by', '', signature),
      ],
    };
  },
  MarkLost: async ({ db, services, state, performer, lostReason, lostCompetitor, lostCompetitorPrice }) => {
    if ('customer' in performer) {
      await db
        .updateTable('quote_revision')
        .set({ declined_at: services.clock.now() })
        .where('quote_id', '=', state.quote.id)
        .where('revision', '=', state.quote.revision)
        .execute();
    }
    const competitor = await knownSpelling(db, lostCompetitor);
    const price = lostCompetitorPrice === null ? '' : formatAmount(lostCompetitorPrice, state.quote.currn_idx);
    return {
      patch: {
        lost_reason: lostReason ?? '',
        lost_competitor: competitor,
        lost_competitor_price: lostCompetitorPrice,
      },
      changes: [...changed('Competitor', '', competitor), ...changed('Competitor’s price', '', price)],
    };
  },
  Cancel: async ({ db, services, state }) => {
    await db
      .updateTable('approval_request')
      .set({ state: 'Void', decided_at: services.clock.now() })
      .where('quote_id', '=', state.quote.id)
      .where('revision', '=', state.quote.revision)
      .where('state', 'in', ['Pending', 'Approved'])
      .execute();
    return {};
  },
  Reopen: async (work) => {
    // The accepted revision stays as it is. The reopened quote is the next revision.
    if (work.state.quote.status_id === 'Won') return { patch: { ...(await nextRevision(work)), won_by: '' } };
    return assign(work, null);
  },
};

function changed(field: string, before: string, after: string): FieldChange[] {
  return before === after ? [] : [{ field, before, after }];
}

async function assign({ db, state: { quote } }: Work, assigneeId: number | null): Promise<Effect> {
  const nameOf = async (id: number | null) =>
    id === null
      ? ''
      : (await db.selectFrom('app_user').select('full_name').where('id', '=', id).executeTakeFirstOrThrow()).full_name;
  return {
    patch: { assignee_id: assigneeId },
    changes: changed('Assignee', await nameOf(quote.assignee_id), await nameOf(assigneeId)),
  };
}

/** Throws 409 if the total is no longer the one that the user saw, because a request that prices depend on has been decided since. */
function requireSeenTotal({ total, state: { quote } }: Work, due: Decimal): void {
  if (total === null || compare(total, due) === 0) return;
  const [now, seen] = [due, total].map((amount) => formatAmount(amount, quote.currn_idx));
  throw new HttpError(409, `The total is now ${now}, not ${seen}. Check it before you continue.`);
}

/** The fields of a quote that is not lost. */
const NOT_LOST = { lost_reason: '', lost_competitor: '', lost_competitor_price: null };

/** Returns the quote's fields for its next revision. Backs up the current one and marks its public page as superseded. */
async function nextRevision({ db, services, state: { quote } }: Work) {
  await backUp(db, quote);
  await supersede(db, quote.id, quote.revision, services.clock.now());
  return { revision: quote.revision + 1, ...NOT_LOST };
}

async function supersede(db: Db, quoteId: number, revision: number, at: Date | null): Promise<void> {
  await db
    .updateTable('quote_revision')
    .set({ superseded_at: at })
    .where('quote_id', '=', quoteId)
    .where('revision', '=', revision)
    .execute();
}

async function discardRevision({ db, state: { quote, items } }: Work): Promise<Effect> {
  const discarded = await comparedNow(db, quote, items);
  const { quote: was, patch } = await restoreLines(db, quote.id, quote.revision - 1);
  await supersede(db, quote.id, quote.revision - 1, null);
  const restored = await comparedNow(db, was, await quoteLines(db, quote.id));
  const difference = compareRevisions(discarded, restored);
  return {
    patch: { ...patch, revision: quote.revision - 1 },
    changes: [
      ...difference.header,
      ...difference.lines.map((line) => ({
        field: line.itemNumber || line.description,
        ...{
          added: { before: 'removed', after: 'back on the quote' },
          removed: { before: 'added', after: 'removed from the quote' },
          changed: { before: '', after: line.causes.join('; ') },
        }[line.change],
      })),
    ],
  };
}
