// Notifies colleagues of a workflow step: those who must act, and those who want to know.
import { awaitedNames } from '#core/quoting/approvals/whose-decision.ts';
import { askedOf } from './approval-actions/approval-summary.server.ts';
import { askedWords } from '#core/quoting/approvals/asked-words.ts';
import { undecided } from '#core/quoting/approvals/approval-view.server.ts';
import { repSideOf } from '#platform/notifications/people-of-quote.server.ts';
import type { NotificationKind } from '#platform/notifications/notification-kinds.ts';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import { awaitedRules, tellApprovers } from './approval-actions/approval-mail.server.ts';
import { type AboutQuote, tellColleagues } from './colleague-mail.server.ts';
import type { Work } from './action-in-progress.server.ts';
import { LOST_REASONS } from './workflow.ts';

/** Sends the notifications about a completed action, in its transaction. */
export async function sendNotices(work: Work): Promise<void> {
  await NOTICES[work.action]?.(work);
}

const NOTICES: Partial<Record<ActionName, (work: Work) => Promise<void>>> = {
  RequestInfo: async (work) => {
    const { sales_rep_id, owner_id } = work.state.quote;
    await notifyPeople(work, 'infoAsked', [sales_rep_id, owner_id], 'needs more information', [
      `${work.actor} asked:`,
      work.comment,
    ]);
  },
  RequestApproval: async (work) => {
    if (work.userId === null) return;
    const about = aboutQuote(work);
    const rules = await awaitedRules(about, work.state.judgement.fired, work.userId);
    const { quote, items } = work.state;
    const request = await askedOf(work.db, quote, items, { requestedBy: work.actor, comment: work.comment });
    const opening = askedWords(request, quote.facility_name, quote.currn_idx);
    const requester = byOf(work);
    await tellApprovers(about, rules, 'people', { what: 'awaits discount approval', opening, comment: '', requester });
  },
  ApproveDiscount: async (work) => {
    const { request, toDecide } = work.state;
    if (!request) return;
    if (work.to === 'DiscountApproved') {
      const opening = `${work.actor} approved the discount. The quote can be sent.`;
      await notifyPeople(work, 'approvalDecided', [request.requested_by], 'discount approved', [opening, work.comment]);
      return;
    }
    const decided = toDecide.map(({ rule }) => rule);
    const left = undecided(request).filter((rule) => !decided.includes(rule));
    const awaited = await awaitedRules(aboutQuote(work), left, request.requested_by);
    await notifyPeople(work, 'approvalDecided', [request.requested_by], 'discount approved in part', [
      `${work.actor} approved:\n${decided.map(({ name, text }) => `- ${name}: ${text}`).join('\n')}`,
      `Still waiting for others:\n${awaited
        .map(({ rule, awaited }) => `- ${rule.name}: ${awaitedNames(awaited)}`)
        .join('\n')}`,
      work.comment,
    ]);
  },
  RejectDiscount: (work) =>
    notifyPeople(work, 'approvalDecided', [work.state.request?.requested_by ?? null], 'discount rejected', [
      `${work.actor} rejected the discount:`,
      work.comment,
    ]),
  MarkWon: async (work) => {
    if (work.userId !== null) return;
    const lines = [
      `${work.signedName || work.actor} accepted the quote.`,
      work.poNumber && `PO number: ${work.poNumber}`,
    ];
    await tellRepSide(aboutQuote(work), 'accepted', work.signedName || work.actor, 'accepted by the customer', lines);
  },
  MarkLost: async (work) => {
    if (work.userId !== null) return;
    const reason = work.lostReason ? `Reason: ${LOST_REASONS[work.lostReason]}` : '';
    const lines = [`${work.signedName || work.actor} declined the quote.`, reason, work.comment];
    await tellRepSide(aboutQuote(work), 'declined', work.signedName || work.actor, 'declined by the customer', lines);
  },
};

/**
 * Notifies the sales representative and the user who works on the quote (its assignee, or else its owner) about an event caused by the customer or by
 * time.
 */
export async function tellRepSide(
  about: AboutQuote,
  kind: NotificationKind,
  by: string,
  what: string,
  paragraphs: string[],
): Promise<void> {
  const readers = await repSideOf(about.db, [about.quote.id]);
  const ids = readers.map(({ userId }) => userId);
  await tellColleagues(about, { kind, by: { id: null, name: by } }, ids, what, paragraphs);
}

function notifyPeople(
  work: Work,
  kind: NotificationKind,
  ids: (number | null)[],
  what: string,
  paragraphs: string[],
): Promise<void> {
  return tellColleagues(aboutQuote(work), { kind, by: byOf(work) }, ids, what, paragraphs);
}

const byOf = ({ userId, actor }: Work) => ({ id: userId, name: actor });

function aboutQuote({ db, services, state: { quote } }: Work): AboutQuote {
  return { db, services, quote };
}
