// Mails that a step of the workflow causes: to the colleague who has to act or wants to know. Subjects never carry a price.
import { sql } from 'kysely';
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { queueMail } from '#features/operations/mail/outbox.server.ts';
import { mayDecide } from '#features/quoting/approvals/may-decide.ts';
import type { ActionName } from '#features/quoting/quotes/actions.ts';
import type { QuoteRecord } from '#features/quoting/quotes/records.ts';
import { quoteNumber } from '#features/quoting/quotes/status.ts';
import { paths } from '#shared/paths.ts';
import { APPROVER_ROLES, hasRole, opensInternalBoard, type Role } from '#shared/roles.ts';
import type { Work } from './work.server.ts';
import { LOST_REASONS } from './workflow.ts';

type Colleague = { id: number; userName: string; fullName: string; roles: Role[]; regionIds: number[] };

/** Queues the mails of an action that was carried out, in its transaction. */
export async function sendNotices(work: Work): Promise<void> {
  await NOTICES[work.action]?.(work);
}

const NOTICES: Partial<Record<ActionName, (work: Work) => Promise<void>>> = {
  RequestInfo: async (work) => {
    const { sales_rep_id, owner_id } = work.state.quote;
    await tell(work, [sales_rep_id, owner_id], 'needs more information', [`${work.actor} asks:`, work.comment]);
  },
  RequestApproval: async (work) => {
    const rules = work.state.judgement.fired.map((rule) => `- ${rule.name}: ${rule.text}`);
    const lines = [`${work.actor} asks for approval:`, rules.join('\n'), work.comment];
    const approvers = await approversOf(work);
    await mailTo(work.db, work.services, work.state.quote, approvers, 'awaits discount approval', lines);
  },
  ApproveDiscount: (work) =>
    tellRequester(work, 'discount approved', [
      `${work.actor} approved the discount. The quote can be sent.`,
      work.comment,
    ]),
  RejectDiscount: (work) =>
    tellRequester(work, 'discount rejected', [`${work.actor} rejected the discount:`, work.comment]),
  MarkWon: async (work) => {
    if (work.userId !== null) return;
    const lines = [
      `${work.signedName || work.actor} accepted the quote.`,
      work.poNumber && `PO number: ${work.poNumber}`,
    ];
    await tellRepSide(work.db, work.services, work.state.quote, 'accepted by the customer', lines);
  },
  MarkLost: async (work) => {
    if (work.userId !== null) return;
    const reason = work.lostReason ? `Reason: ${LOST_REASONS[work.lostReason]}` : '';
    const lines = [`${work.signedName || work.actor} declined the quote.`, reason, work.comment];
    await tellRepSide(work.db, work.services, work.state.quote, 'declined by the customer', lines);
  },
};

/** Tells the sales rep and who works on the quote (its assignee, else its owner) about something the customer did. */
export async function tellRepSide(
  db: Db,
  services: Services,
  quote: QuoteRecord,
  what: string,
  paragraphs: string[],
): Promise<void> {
  const active = await colleagues(db, [quote.sales_rep_id, quote.assignee_id, quote.owner_id]);
  const there = (id: number | null) => active.some((person) => person.id === id);
  const ids = new Set([quote.sales_rep_id, there(quote.assignee_id) ? quote.assignee_id : quote.owner_id]);
  const readers = active.filter((person) => ids.has(person.id));
  await mailTo(db, services, quote, readers, what, paragraphs);
}

async function tellRequester(work: Work, what: string, paragraphs: string[]): Promise<void> {
  await tell(work, [work.state.request?.requested_by ?? null], what, paragraphs);
}

async function tell(work: Work, ids: (number | null)[], what: string, paragraphs: string[]): Promise<void> {
  const readers = (await colleagues(work.db, ids)).filter((person) => person.id !== work.userId);
  await mailTo(work.db, work.services, work.state.quote, readers, what, paragraphs);
}

/**
 * Who is asked to approve: those who hold a role that a rule names and may decide all of them; when there is nobody, everybody who may
 * decide. Never the requester.
 */
async function approversOf({ db, state: { quote, judgement }, userId }: Work): Promise<Colleague[]> {
  const able = (await colleagues(db)).filter(
    (person) =>
      person.id !== userId &&
      hasRole(person, ...APPROVER_ROLES) &&
      mayDecide(person, judgement.fired) &&
      (!isOnlyRegional(person) || (quote.region_id !== null && person.regionIds.includes(quote.region_id))),
  );
  const named = able.filter((person) => hasRole(person, ...judgement.fired.map((rule) => rule.role)));
  return named.length > 0 ? named : able;
}

/** Sees only the quotes of the regions managed. */
function isOnlyRegional(person: Colleague): boolean {
  return !hasRole(person, ...APPROVER_ROLES.filter((role) => role !== 'salesQuoteManager'));
}

/** Active users, those of `ids` or all, in the order of their ids. */
async function colleagues(db: Db, ids?: (number | null)[]): Promise<Colleague[]> {
  const wanted = ids?.filter((id) => id !== null);
  if (wanted?.length === 0) return [];
  const rows = await db
    .selectFrom('app_user')
    .select([
      'id',
      'user_name',
      'full_name',
      sql<Role[]>`array(select role from user_role where user_id = app_user.id)`.as('roles'),
      sql<number[]>`array(select region_id from user_region where user_id = app_user.id)`.as('regionIds'),
    ])
    .where('active', '=', true)
    .$if(wanted !== undefined, (query) => query.where('id', 'in', wanted ?? []))
    .orderBy('id')
    .execute();
  return rows.map(({ user_name, full_name, ...row }) => ({ ...row, userName: user_name, fullName: full_name }));
}

/** One mail to each, because each has another address of the quote's board. */
async function mailTo(
  db: Db,
  services: Services,
  quote: QuoteRecord,
  readers: readonly Colleague[],
  what: string,
  paragraphs: string[],
): Promise<void> {
  const number = quoteNumber(quote.num, quote.revision);
  for (const reader of readers) {
    const board = opensInternalBoard(reader) || hasRole(reader, ...APPROVER_ROLES);
    const path = board ? paths.internalBoard(quote.id) : paths.publicBoard(quote.id);
    await queueMail(db, services.jobs, {
      quoteId: quote.id,
      to: [reader.userName],
      subject: `Quote ${number} for ${quote.facility_name}: ${what}`,
      body: [...paragraphs, `${services.config.publicUrl}${path}`].filter(Boolean).join('\n\n'),
    });
  }
}
