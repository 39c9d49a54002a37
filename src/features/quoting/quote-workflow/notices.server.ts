// Sends the mails that a workflow step causes, to colleagues who have to act or want to know.
import { awaitedNames } from '#features/quoting/approvals/awaited.ts';
import { askedOf } from './asked.server.ts';
import { askedWords } from '#features/quoting/approvals/asked-words.ts';
import { undecided } from '#features/quoting/approvals/approval-view.ts';
import type { ActionName } from '#features/quoting/quotes/actions.ts';
import { awaitedRules, mailApprovers } from './approval-mail.server.ts';
import { type AboutQuote, activeColleagues, mailColleagues } from './colleague-mail.server.ts';
import type { Work } from './work.server.ts';
import { LOST_REASONS } from './workflow.ts';

/** Queues the mails of a completed action, in its transaction. */
export async function sendNotices(work: Work): Promise<void> {
  await NOTICES[work.action]?.(work);
}

const NOTICES: Partial<Record<ActionName, (work: Work) => Promise<void>>> = {
  RequestInfo: async (work) => {
    const { sales_rep_id, owner_id } = work.state.quote;
    await mailOthers(work, [sales_rep_id, owner_id], 'needs more information', [`${work.actor} asks:`, work.comment]);
  },
  RequestApproval: async (work) => {
    if (work.userId === null) return;
    const about = aboutQuote(work);
    const rules = await awaitedRules(about, work.state.judgement.fired, work.userId);
    const { quote, items } = work.state;
    const asked = await askedOf(work.db, quote, items, { requestedBy: work.actor, comment: work.comment });
    const opening = askedWords(asked, quote.facility_name, quote.currn_idx);
    await mailApprovers(about, rules, 'people', { what: 'awaits discount approval', opening, comment: '' });
  },
  ApproveDiscount: async (work) => {
    const { request, toDecide } = work.state;
    if (!request) return;
    if (work.to === 'DiscountApproved') {
      const opening = `${work.actor} approved the discount. The quote can be sent.`;
      await mailOthers(work, [request.requested_by], 'discount approved', [opening, work.comment]);
      return;
    }
    const decided = toDecide.map(({ rule }) => rule);
    const left = undecided(request).filter((rule) => !decided.includes(rule));
    const awaited = await awaitedRules(aboutQuote(work), left, request.requested_by);
    await mailOthers(work, [request.requested_by], 'discount approved in part', [
      `${work.actor} approved:\n${decided.map(({ name, text }) => `- ${name}: ${text}`).join('\n')}`,
      `The rest is up to others:\n${awaited
        .map(({ rule, awaited }) => `- ${rule.name}: ${awaitedNames(awaited)}`)
        .join('\n')}`,
      work.comment,
    ]);
  },
  RejectDiscount: (work) =>
    mailOthers(work, [work.state.request?.requested_by ?? null], 'discount rejected', [
      `${work.actor} rejected the discount:`,
      work.comment,
    ]),
  MarkWon: async (work) => {
    if (work.userId !== null) return;
    const lines = [
      `${work.signedName || work.actor} accepted the quote.`,
      work.poNumber && `PO number: ${work.poNumber}`,
    ];
    await mailRepSide(aboutQuote(work), 'accepted by the customer', lines);
  },
  MarkLost: async (work) => {
    if (work.userId !== null) return;
    const reason = work.lostReason ? `Reason: ${LOST_REASONS[work.lostReason]}` : '';
    const lines = [`${work.signedName || work.actor} declined the quote.`, reason, work.comment];
    await mailRepSide(aboutQuote(work), 'declined by the customer', lines);
  },
};

/** Mails the sales rep and whoever works on the quote (its assignee, else its owner) about something the customer did. */
export async function mailRepSide(about: AboutQuote, what: string, paragraphs: string[]): Promise<void> {
  const { sales_rep_id, assignee_id, owner_id } = about.quote;
  const active = await activeColleagues(about.db, [sales_rep_id, assignee_id, owner_id]);
  const works = active.some(({ id }) => id === assignee_id) ? assignee_id : owner_id;
  const readers = active.filter(({ id }) => id === sales_rep_id || id === works);
  await mailColleagues(about, readers, what, paragraphs);
}

/** Mails the active users among `ids`, except the one who acts. */
async function mailOthers(work: Work, ids: (number | null)[], what: string, paragraphs: string[]): Promise<void> {
  const readers = (await activeColleagues(work.db, ids)).filter(({ id }) => id !== work.userId);
  await mailColleagues(aboutQuote(work), readers, what, paragraphs);
}

function aboutQuote({ db, services, state: { quote } }: Work): AboutQuote {
  return { db, services, quote };
}
