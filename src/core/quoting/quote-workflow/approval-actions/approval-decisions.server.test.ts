// Tests one decision per rule over HTTP, as a table: every set of rules × requester × order of decisions, including deputies.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Approval } from '#core/quoting/approvals/approval-shapes.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { APPROVER_ROLES, type Role } from '#platform/shared/roles.ts';
import { aWorkflow, type Office } from '#testing/a-workflow.server.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
});
afterAll(() => server.close());

const { office, aQuoteOf, act, mailsSince, lastEvent } = aWorkflow(() => server);
type Person = { id: number; fullName: string; userName: string };

/** Makes a rule of each of these roles fire on every quote from now on, and no other rule. */
async function onlyRulesOf(roles: readonly Role[]): Promise<void> {
  await server.db.updateTable('approval_rule').set({ active: false }).execute();
  for (const role of roles) {
    await server.db
      .insertInto('approval_rule')
      .values({ name: `Rule of ${role}`, metric: 'quoteTotal', operator: '>', threshold: 0, role })
      .execute();
  }
}

async function anAbsence(userId: number, deputyId: number, to_date = '2026-11-20'): Promise<void> {
  await server.db
    .insertInto('approval_absence')
    .values({ user_id: userId, deputy_id: deputyId, from_date: '2026-11-10', to_date })
    .execute();
}

async function aPendingQuote(people: Office, roles: readonly Role[], requester: Person): Promise<number> {
  await onlyRulesOf(roles);
  const quote = await aQuoteOf(people, { statusId: 'Processing' });
  expect((await act(quote.id, 'RequestApproval', requester)).status).toBe(200);
  return quote.id;
}

describe('one request, several people', () => {
  const BOTH: Role[] = ['salesQuoteManager', 'contractdept'];

  test('emails name the rules of each, who decides the others and whom to ask; the last decision reports that the quote may be sent', async () => {
    const people = await office();
    const before = server.mails.length;
    const id = await aPendingQuote(people, BOTH, people.cs);
    const mails = await mailsSince(before);
    const toManager = mails.find(({ to }) => to.includes(people.manager.userName));
    expect(toManager?.text).toMatch(
      new RegExp(`${people.cs.fullName} asks for approval of [^\\n]*\\n\\n- Rule of salesQuoteManager`),
    );
    expect(toManager?.text).toContain('Decided by others:\n- Rule of contractdept (Contract department: ');
    expect(toManager?.text).toMatch(/You can also ask: Person \d+ \(person\d+@example\.com, 555-\d+\)/);
    const toContracts = mails.find(({ to }) => to.includes(people.contracts.userName));
    expect(toContracts?.text).toMatch(/asks for approval of [^\n]*\n\n- Rule of contractdept/);
    expect(mails.some(({ to }) => to.includes(people.salesadmin.userName))).toBe(false);

    const half = server.mails.length;
    const partly = await act(id, 'ApproveDiscount', people.manager, { comment: 'Fine for me' });
    expect(partly.body.allowedActions.map(({ action }) => action)).not.toContain('ApproveDiscount');
    const [toRequester] = await mailsSince(half);
    expect(toRequester).toMatchObject({ to: [people.cs.userName] });
    expect(toRequester?.subject).toContain('discount approved in part');
    expect(toRequester?.text).toContain('Still waiting for others:\n- Rule of contractdept: ');
    expect(await lastEvent(id)).toMatchObject({
      action: 'ApproveDiscount',
      from_status: 'Processing',
      to_status: 'Processing',
      changes: [{ field: 'Rule of salesQuoteManager', before: 'Pending', after: 'Approved' }],
    });
    const again = await act(id, 'ApproveDiscount', people.manager);
    expect(again.body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('You have decided your part. Others decide the rest.'),
    });

    const last = server.mails.length;
    const whole = await act(id, 'ApproveDiscount', people.contracts);
    expect(whole.body).toMatchObject({
      quote: { statusId: 'DiscountApproved' },
      approval: {
        state: 'Approved',
        decidedBy: people.contracts.fullName,
        rules: [
          { state: 'Approved', decidedBy: people.manager.fullName, comment: 'Fine for me', awaited: null },
          { state: 'Approved', decidedBy: people.contracts.fullName },
        ],
      },
    });
    expect((await mailsSince(last)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('discount approved'),
    ]);
  });

  test('one refusal refuses all, whatever others approved before', async () => {
    const people = await office();
    const id = await aPendingQuote(people, BOTH, people.cs);
    await act(id, 'ApproveDiscount', people.manager);
    const refused = await act(id, 'RejectDiscount', people.contracts, { comment: 'Below cost' });
    expect(refused.body).toMatchObject({
      quote: { statusId: 'Processing' },
      approval: { state: 'Rejected', comment: 'Below cost', rules: [{ state: 'Approved' }, { state: 'Rejected' }] },
    });
    expect((await act(id, 'ApproveDiscount', people.salesadmin)).status).toBe(409);
    // A new request needs all decisions again.
    const again = await act(id, 'RequestApproval', people.cs);
    expect(again.body.approval?.rules.map(({ state }) => state)).toEqual(['Pending', 'Pending']);
  });

  test('a partial approval holds for its content: a change behind the lock stops the next decision', async () => {
    const people = await office();
    const id = await aPendingQuote(people, BOTH, people.cs);
    await act(id, 'ApproveDiscount', people.manager);
    await server.db.updateTable('quote_item').set({ qty: 11 }).where('quote_id', '=', id).execute();
    expect((await act(id, 'ApproveDiscount', people.contracts)).status).toBe(409);
    expect((await act(id, 'RejectDiscount', people.contracts, { comment: 'No' })).status).toBe(200);
  });

  test('two simultaneous decisions both count; the second builds on the version it reread', async () => {
    const people = await office();
    const id = await aPendingQuote(people, BOTH, people.cs);
    const both = await Promise.all([
      act(id, 'ApproveDiscount', people.manager),
      act(id, 'ApproveDiscount', people.contracts),
    ]);
    const statuses = both.map(({ status }) => status).toSorted((a, b) => a - b);
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(statuses);
    if (statuses[1] === 409) {
      const late = both[0].status === 409 ? people.manager : people.contracts;
      await act(id, 'ApproveDiscount', late);
    }
    const { decisions, state } = await server.db
      .selectFrom('approval_request')
      .select(['decisions', 'state'])
      .where('quote_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(state).toBe('Approved');
    expect(decisions).toHaveLength(2);
  });

  test('the list says which rules are mine, whose the others are, and who deputizes', async () => {
    const people = await office();
    await anAbsence(people.contracts.id, people.inside.id);
    const id = await aPendingQuote(people, BOTH, people.cs);
    const rowFor = async (as: Person) =>
      (await server.ok(QuoteSearch.SearchQuotesForApproval, {}, { as })).records.find((row) => row.id === id);
    expect((await rowFor(people.manager))?.approval.rules).toMatchObject([
      { mine: true, deputyFor: null, decidedBy: null },
      {
        mine: false,
        awaited: {
          role: 'contractdept',
          people: expect.arrayContaining([
            {
              id: people.inside.id,
              name: people.inside.fullName,
              deputyFor: people.contracts.fullName,
              email: people.inside.userName,
              phone: expect.any(String),
            },
          ]),
        },
      },
    ]);
    expect((await rowFor(people.inside))?.approval.rules).toMatchObject([
      { mine: false },
      { mine: true, deputyFor: people.contracts.fullName },
    ]);
    await act(id, 'ApproveDiscount', people.manager);
    expect(await rowFor(people.manager)).toBeUndefined();
    expect((await rowFor(people.inside))?.approval.rules[0]).toMatchObject({
      mine: false,
      decidedBy: people.manager.fullName,
      awaited: null,
    });
  });
});

describe('a deputy', () => {
  test('of a manager of another region sees the quotes with an approval request, and no others', async () => {
    const people = await office();
    const there = await aRegion(server.db);
    const deputy = await aUser(server.db, { roles: ['salesQuoteManager'], regionIds: [there.id] });
    await anAbsence(people.manager.id, deputy.id);
    const id = await aPendingQuote(people, ['salesQuoteManager'], people.cs);
    const quiet = await aQuoteOf(people, { statusId: 'Processing' });
    expect((await act(quiet.id, 'RequestInfo', deputy, { comment: 'Which?' })).status).toBe(404);
    const approved = await act(id, 'ApproveDiscount', deputy);
    expect(approved.body.approval?.decidedBy).toBe(`${deputy.fullName} for ${people.manager.fullName}`);
  });

  test('decides from the first day to the last, and nothing once the absence is removed or a role is lost', async () => {
    const people = await office();
    const id = await aPendingQuote(people, ['contractdept'], people.cs);
    const may = async () => (await act(id, 'RejectDiscount', people.inside)).status === 422;
    const { db } = server;
    const absence = async (from_date: string, to_date: string) => {
      await db.deleteFrom('approval_absence').where('user_id', '=', people.contracts.id).execute();
      await db
        .insertInto('approval_absence')
        .values({ user_id: people.contracts.id, deputy_id: people.inside.id, from_date, to_date })
        .execute();
    };
    expect(await may()).toBe(false);
    await absence('2026-11-11', '2026-11-12');
    expect(await may()).toBe(false);
    await absence('2026-11-08', '2026-11-09');
    expect(await may()).toBe(false);
    // 3 p.m. on November 10 in Greenwich is the same day at the company.
    await absence('2026-11-10', '2026-11-10');
    expect(await may()).toBe(true);
    await db.updateTable('user_role').set({ role: 'salesrep' }).where('user_id', '=', people.inside.id).execute();
    expect(await may()).toBe(false);
    await db.updateTable('user_role').set({ role: 'insiderep' }).where('user_id', '=', people.inside.id).execute();
    expect(await may()).toBe(true);
    await db.updateTable('app_user').set({ active: false }).where('id', '=', people.contracts.id).execute();
    expect(await may()).toBe(false);
  });
});

/** Which rules a user decides, restated by name without the code under test. */
const DECIDES: Record<string, readonly Role[]> = {
  manager: ['salesQuoteManager'],
  contracts: ['contractdept'],
  salesadmin: ['salesQuoteManager', 'salesadmin', 'contractdept'],
  admin: ['salesQuoteManager', 'salesadmin', 'contractdept', 'systemadmin'],
  cs: [],
  rep: [],
  inside: [],
};
/**
 * The inside representative is the deputy of the contract department, the contract department of the manager, the sales administrator of the
 * administrator.
 */
const DEPUTY_OF: Record<string, string> = { inside: 'contracts', contracts: 'manager', salesadmin: 'admin' };

const SUBSETS = Array.from({ length: 15 }, (_, index) =>
  APPROVER_ROLES.filter((_role, bit) => ((index + 1) >> bit) & 1),
);
const REQUESTERS = ['cs', 'manager', 'inside', 'admin'] as const;
const ORDERS = [
  ['rep', 'manager', 'contracts', 'inside', 'salesadmin', 'admin', 'cs'],
  ['admin', 'salesadmin', 'manager'],
  ['inside', 'contracts', 'manager', 'cs', 'salesadmin', 'rep', 'admin'],
  ['contracts', 'salesadmin', 'inside', 'admin', 'manager'],
];

describe.each([false, true])('every set of rules, with deputies: %s', (deputies) => {
  let people: Office;
  beforeAll(async () => {
    people = await office();
    if (!deputies) return;
    for (const [deputy, absent] of Object.entries(DEPUTY_OF)) {
      await anAbsence(people[absent as 'cs'].id, people[deputy as 'cs'].id);
    }
  });

  /** The user for whom `who` decides a rule of this role: themselves, an absent colleague, or nobody. */
  const decidesFor = (who: string, role: Role, requester: string): string | null => {
    if (who === requester) return null;
    if (DECIDES[who]?.includes(role)) return who;
    const absent = deputies ? DEPUTY_OF[who] : undefined;
    return absent && absent !== requester && DECIDES[absent]?.includes(role) ? absent : null;
  };

  test.each(SUBSETS.map((roles, index) => [roles.join(' + '), roles, index] as const))(
    '%s',
    async (_name, roles, index) => {
      for (const turn of [0, 1]) {
        const requester = REQUESTERS[(index + turn * 2 + Number(deputies)) % REQUESTERS.length] ?? 'cs';
        const order = ORDERS[(index + turn) % ORDERS.length] ?? [];
        const id = await aPendingQuote(people, roles, people[requester]);
        let open = [...roles];
        for (const who of order) {
          const person = people[who as 'cs'];
          const may = roles.filter((role) => decidesFor(who, role, requester) !== null);
          const theirs = open.filter((role) => may.includes(role));
          const waiting = await server.ok(QuoteSearch.SearchQuotesForApproval, {}, { as: person });
          expect([who, waiting.records.some((row) => row.id === id)]).toEqual([who, theirs.length > 0]);
          const answer = await act(id, 'ApproveDiscount', person);
          const decided = open.length === 0;
          const approver = DECIDES[who]?.length !== 0;
          const expected = theirs.length > 0 ? 200 : decided ? (approver ? 409 : 403) : may.length > 0 ? 409 : 403;
          expect([requester, order, who, answer.status]).toEqual([requester, order, who, expected]);
          if (answer.status !== 200) continue;
          open = open.filter((role) => !theirs.includes(role));
          const approval = answer.body.approval as Approval;
          expect(answer.body.quote.statusId).toBe(open.length === 0 ? 'DiscountApproved' : 'Processing');
          expect(approval.state).toBe(open.length === 0 ? 'Approved' : 'Pending');
          for (const rule of approval.rules) {
            const mine = theirs.includes(rule.role);
            expect(rule.state).toBe(open.includes(rule.role) ? 'Pending' : 'Approved');
            expect(rule.awaited === null).toBe(!open.includes(rule.role));
            if (!mine) continue;
            const capacity = decidesFor(who, rule.role, requester) ?? '';
            const name =
              capacity === who ? person.fullName : `${person.fullName} for ${people[capacity as 'cs'].fullName}`;
            expect(rule.decidedBy).toBe(name);
            expect((await lastEvent(id))?.actor).toContain(name);
          }
        }
      }
    },
  );
});
