// Tests random walks through the workflow over HTTP: at every step each response follows the table for that user, and nothing else happens.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '#demo/random.server.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { ACTIONS, type ActionName } from '#core/quoting/quotes/actions.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import type { Role } from '#platform/shared/roles.ts';
import { aWorkflow, DISCOUNTED, type Office } from '#testing/a-workflow.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { allowedActions, asksForReason, destinationOf, transitionOf, type WorkflowFacts } from './workflow.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
});
afterAll(() => server.close());

const { office, aQuoteOf, act, send, rowOf } = aWorkflow(() => server);

type Name = Exclude<keyof Office, 'region' | 'stranger'>;
const ROLES: Record<Name, Role[]> = {
  rep: ['salesrep'],
  support: ['salessupport'],
  manager: ['salesQuoteManager'],
  cs: ['csrep'],
  inside: ['insiderep'],
  salesadmin: ['salesadmin'],
  contracts: ['contractdept'],
  admin: ['systemadmin'],
};
const NAMES = Object.keys(ROLES) as Name[];
const OWNER_SIDE: readonly Name[] = ['rep', 'support', 'manager'];
/** The users who decide the rule of a quote manager. */
const DECIDES: readonly Name[] = ['manager', 'salesadmin', 'admin'];

/** The expected quote, computed from the steps taken without reading the server. */
type Model = {
  statusId: StatusId;
  assignee: Name | null;
  requester: Name | null;
  approved: boolean;
  reviser: Name | null;
  revisedFrom: StatusId | null;
  revision: number;
};

function moved(model: Model, action: ActionName, who: Name, to: StatusId): Model {
  const next = { ...model, statusId: to };
  switch (action) {
    case 'StartProcess':
      return { ...next, assignee: who };
    case 'Submit':
      return { ...next, assignee: null };
    case 'ProvideInfo':
      return to === 'WaitingForProcess' ? { ...next, assignee: null } : next;
    case 'RequestApproval':
      return { ...next, requester: who };
    case 'ApproveDiscount':
      return { ...next, requester: null, approved: true };
    case 'RejectDiscount':
    case 'RecallApproval':
      return { ...next, requester: null };
    case 'Cancel':
      return { ...next, requester: null, approved: false };
    case 'Send':
      return { ...next, reviser: null, revisedFrom: null };
    case 'Revise':
      return {
        ...next,
        assignee: null,
        reviser: who,
        revisedFrom: model.statusId,
        revision: model.revision + 1,
        approved: false,
      };
    case 'Reopen':
      return model.statusId === 'Won'
        ? { ...next, revision: model.revision + 1, approved: false }
        : { ...next, assignee: null };
    default:
      return next;
  }
}

test.each([1, 2, 3])('every answer of a walk follows the table (%i)', { timeout: 120_000 }, async (seed) => {
  const random = seeded(seed);
  const people = await office();
  await server.db.updateTable('approval_rule').set({ active: false }).execute();
  await server.db
    .insertInto('approval_rule')
    .values({ name: `Walk ${seed}`, metric: 'discountPct', operator: '>', threshold: 5, role: 'salesQuoteManager' })
    .execute();
  const seen = { statuses: new Set<StatusId>(), performed: new Set<ActionName>(), refused: 0 };

  for (let round = 0; round < 6; round++) {
    const discounted = round % 2 === 0;
    const { id } = await aQuoteOf(people, { ...(discounted ? DISCOUNTED : {}), statusId: 'Editing' });
    let model: Model = {
      statusId: 'Editing',
      assignee: null,
      requester: null,
      approved: false,
      reviser: null,
      revisedFrom: null,
      revision: 1,
    };
    const factsOf = (name: Name): WorkflowFacts => ({
      statusId: model.statusId,
      user: { id: people[name].id, roles: ROLES[name] },
      ownerSide: OWNER_SIDE.includes(name),
      assigneeId: model.assignee && people[model.assignee].id,
      pending: model.requester !== null,
      requestedById: model.requester && people[model.requester].id,
      rules: discounted ? [{ decided: false, mine: DECIDES.includes(name) && name !== model.requester }] : [],
      approvedHashMatches: model.approved,
      expired: false,
      revisedById: model.reviser && people[model.reviser].id,
      revisedFrom: model.revisedFrom,
    });

    for (let step = 0; step < 30; step++) {
      const who = random.pick(NAMES);
      const facts = factsOf(who);
      const result = await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id }, { as: people[who] });
      const path = `seed ${seed}, round ${round}, step ${step}: ${who} in ${model.statusId}`;
      expect([path, result.allowedActions]).toEqual([path, allowedActions(facts)]);
      // Picks half of the steps from those that the table allows, so that the walk progresses. Other tests check what a discard restores.
      const open = result.allowedActions.map(({ action }) => action).filter((action) => action !== 'DiscardRevision');
      // Few users can reopen a cancelled quote.
      if (open.length > 1 && random.chance(0.8)) open.splice(open.indexOf('Cancel'), open.includes('Cancel') ? 1 : 0);
      const action = random.chance(0.5) && open.length > 0 ? random.pick(open) : random.pick(ACTIONS);
      if (action === 'DiscardRevision' && open.length < result.allowedActions.length) continue;
      const row = transitionOf(action, facts);
      const withWords = random.chance(0.8);
      const before = await rowOf(id);
      const events = await eventsOf(id);
      const words = withWords ? { comment: 'Because', ...(action === 'MarkLost' ? { reasonCode: 'price' } : {}) } : {};
      const answer =
        action === 'Send' || action === 'Resend'
          ? await send(id, people[who], action === 'Resend' ? { resend: true } : {})
          : await act(id, action, people[who], { ...words, ...(action === 'MarkWon' ? { poNumber: 'PO-1' } : {}) });
      const isMail = action === 'Send' || action === 'Resend';
      // A mail is a Resend if the quote is with the customer. Otherwise it is a first Send.
      const request = isMail ? transitionOf(model.statusId === 'SentToCustomer' ? 'Resend' : 'Send', facts) : row;
      const performed: ActionName = isMail && model.statusId === 'SentToCustomer' ? 'Resend' : isMail ? 'Send' : action;
      const lacksWords =
        !('refused' in request) &&
        !withWords &&
        !isMail &&
        (request.needsComment === true || asksForReason(request, facts));
      const isDone = !('refused' in request) && !lacksWords;
      const expected = isDone
        ? 200
        : lacksWords
          ? 422
          : 'refused' in request && request.refused === 'forbidden'
            ? 403
            : 409;
      const from = model.statusId;
      if (!('refused' in request) && isDone) model = moved(model, performed, who, destinationOf(request, facts));
      else seen.refused++;
      const at = `${path}: ${action}`;
      const after = await rowOf(id);
      const now = await eventsOf(id);
      expect([at, answer.status, isDone ? before : after]).toEqual([at, expected, before]);
      expect([at, after.status_id, after.revision, after.assignee_id]).toEqual([
        at,
        model.statusId,
        model.revision,
        model.assignee && people[model.assignee].id,
      ]);
      const event = { action: performed, from_status: from, to_status: model.statusId, user_id: people[who].id };
      expect([at, after.version, now]).toEqual([
        at,
        before.version + Number(isDone),
        isDone ? [event, ...events] : events,
      ]);
      if (!isDone) continue;
      seen.statuses.add(model.statusId);
      seen.performed.add(performed);
    }
  }
  // A walk that stays in place would prove nothing.
  expect(seen.statuses.size).toBeGreaterThan(5);
  expect(seen.performed.size).toBeGreaterThan(8);
  expect(seen.refused).toBeGreaterThan(20);
});

function eventsOf(quoteId: number) {
  return server.db
    .selectFrom('quote_event')
    .select(['action', 'from_status', 'to_status', 'user_id'])
    .where('quote_id', '=', quoteId)
    .orderBy('id', 'desc')
    .execute();
}
