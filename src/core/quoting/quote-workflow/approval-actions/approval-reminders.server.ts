// Reminds approvers of a pending request, and later notifies the users above them, once each even if servers run in parallel or crash.
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { undecided } from '#core/quoting/approvals/approval-view.server.ts';
import { namesInShort } from '#core/quoting/approvals/whose-decision.ts';
import { type ApprovalRecord, latestRequest } from '#core/quoting/approvals/content-hash.server.ts';
import {
  approvalReminder,
  type DueStep,
  dueSteps,
  remindLater,
} from '#core/quoting/approvals/reminder-settings.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { JobKind } from '#platform/jobs/jobs.server.ts';
import { dayIn, formatDate } from '#platform/shared/dates.ts';
import { type AwaitedRule, awaitedRules, reachable, tellApprovers } from './approval-mail.server.ts';
import { type AboutQuote, activeColleagues, mailColleagues } from '../colleague-mail.server.ts';

/** Runs the steps that are due and schedules itself for the others. Records each step in the transaction that queues its mails. */
export const approvalReminderJob = {
  ...approvalReminder,
  run: (services: Services, { requestId }) =>
    inTransaction(services.database.db, async (db) => {
      const quote = await db
        .selectFrom('quote')
        .selectAll()
        .where('id', '=', (eb) =>
          eb.selectFrom('approval_request').select('quote_id').where('approval_request.id', '=', requestId),
        )
        .forUpdate()
        .executeTakeFirst();
      const request = quote && (await latestRequest(db, quote.id, quote.revision));
      if (!quote || request?.id !== requestId || request.state !== 'Pending') return;
      const now = services.clock.now();
      const due = (await dueSteps(db, request)).filter(({ at }) => at <= now);
      for (const { step } of due) await STEPS[step]({ db, services, quote }, request);
      const done = (step: DueStep['step']) =>
        due.some((candidate) => candidate.step === step) ? now.toISOString() : null;
      const noted = {
        reminded_at: request.reminded_at ?? done('remind'),
        escalated_at: request.escalated_at ?? done('escalate'),
      };
      await db.updateTable('approval_request').set(noted).where('id', '=', requestId).execute();
      await remindLater(db, services, { ...request, ...noted });
    }),
} satisfies JobKind<typeof approvalReminder.payload, Services>;

const STEPS: Record<DueStep['step'], (about: AboutQuote, request: ApprovalRecord) => Promise<void>> = {
  remind: async (about, request) => {
    const rules = await awaitedRules(about, undecided(request), request.requested_by);
    const since = await daySince(about, request);
    await tellApprovers(about, rules, 'people', {
      what: 'still awaits discount approval',
      opening: `${request.requestedBy} requested this approval on ${since}. It is still waiting for you:`,
      comment: request.comment,
      requester: { id: request.requested_by, name: request.requestedBy },
    });
    await recordStep(about, 'ApprovalReminder', rules, ({ people }) => people);
  },
  escalate: async (about, request) => {
    const rules = await awaitedRules(about, undecided(request), request.requested_by);
    const since = await daySince(about, request);
    const above = rules.flatMap(({ awaited }) => awaited.orAsk);
    if (above.length === 0) return;
    await tellApprovers(about, rules, 'orAsk', {
      what: 'has been waiting for discount approval',
      opening: `${request.requestedBy} requested this approval on ${since}, and no one has decided yet. You can decide:`,
      comment: request.comment,
      requester: { id: request.requested_by, name: request.requestedBy },
    });
    await mailColleagues(about, await activeColleagues(about.db, [request.requested_by]), 'approval escalated', [
      `No one has decided your request of ${since} yet. We have now asked these colleagues, who can also decide: ${reachable(above)}`,
    ]);
    await recordStep(about, 'ApprovalEscalation', rules, ({ orAsk }) => orAsk);
  },
};

async function daySince({ db }: AboutQuote, request: ApprovalRecord): Promise<string> {
  const { time_zone } = await loadCompany(db);
  return formatDate(dayIn(time_zone, new Date(request.requested_at)));
}

function recordStep(
  { db, services, quote }: AboutQuote,
  action: 'ApprovalReminder' | 'ApprovalEscalation',
  rules: readonly AwaitedRule[],
  whom: (awaited: AwaitedRule['awaited']) => AwaitedRule['awaited']['people'],
): Promise<void> {
  const comment = namesInShort(
    rules.flatMap(({ awaited }) => whom(awaited)),
    10,
  );
  const { id, revision } = quote;
  return recordEvent(db, { quoteId: id, userId: null, actor: services.config.appTitle, action, revision, comment });
}
