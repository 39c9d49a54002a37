// Tests the workflow table of design 2 for every status, every action and every kind of actor.
import { describe, expect, test } from 'vitest';
import { capacityFor } from '#core/quoting/approvals/may-decide.ts';
import { ACTIONS, type ActionName } from '#core/quoting/quotes/actions.ts';
import { STATUSES, type StatusId } from '#core/quoting/quotes/status.ts';
import type { Role } from '#platform/shared/roles.ts';
import { allowedActions, destinationOf, TRANSITIONS, transitionOf, type WorkflowFacts } from './workflow.ts';

const FACTS: WorkflowFacts = {
  statusId: 'Editing',
  user: { id: 1, roles: ['salesrep'] },
  ownerSide: false,
  assigneeId: null,
  pending: false,
  requestedById: null,
  rules: [],
  approvedHashMatches: false,
  expired: false,
  revisedById: null,
};

const ACTORS = {
  rep: { user: { id: 1, roles: ['salesrep'] }, ownerSide: true },
  support: { user: { id: 2, roles: ['salessupport'] }, ownerSide: true },
  otherRep: { user: { id: 3, roles: ['salesrep'] }, ownerSide: false },
  regionManager: { user: { id: 4, roles: ['salesQuoteManager'] }, ownerSide: true },
  assignee: { user: { id: 5, roles: ['csrep'] }, ownerSide: false },
  csrep: { user: { id: 6, roles: ['csrep'] }, ownerSide: false },
  insiderep: { user: { id: 7, roles: ['insiderep'] }, ownerSide: false },
  salesadmin: { user: { id: 8, roles: ['salesadmin'] }, ownerSide: false },
  contractdept: { user: { id: 9, roles: ['contractdept'] }, ownerSide: false },
  systemadmin: { user: { id: 10, roles: ['systemadmin'] }, ownerSide: false },
  customer: { user: 'customer', ownerSide: false },
} as const satisfies Record<string, Pick<WorkflowFacts, 'user' | 'ownerSide'>>;
type Who = keyof typeof ACTORS;
const WHO = Object.keys(ACTORS) as Who[];
const OWNERS: Who[] = ['rep', 'support', 'regionManager'];
const INTERNAL: Who[] = ['assignee', 'csrep', 'insiderep', 'systemadmin'];
const SENDERS: Who[] = [...INTERNAL, 'regionManager'];
const REOPENERS: Who[] = ['salesadmin', 'systemadmin'];

/** A test's facts about a quote. `decided` contains the roles whose rules are decided. */
type Situation = Partial<Omit<WorkflowFacts, 'rules'>> & { approverRoles?: readonly Role[]; decided?: readonly Role[] };

const ASSIGNED = { assigneeId: 5 };
const UNDER_RULES = { ...ASSIGNED, approverRoles: ['salesQuoteManager'] } as const;

/** For each situation of a quote, exactly who may perform each action. Unlisted actions are forbidden to all users. */
const SITUATIONS: { name: string; facts: Situation; may: Partial<Record<ActionName, Who[]>> }[] = [
  {
    name: 'Editing',
    facts: {},
    may: { Submit: OWNERS, StartProcess: INTERNAL, Cancel: [...OWNERS, ...INTERNAL] },
  },
  {
    name: 'Editing after a reopen, with an assignee',
    facts: ASSIGNED,
    may: { Submit: OWNERS, StartProcess: INTERNAL, Cancel: INTERNAL },
  },
  {
    name: 'WaitingForProcess, unclaimed',
    facts: { statusId: 'WaitingForProcess' },
    may: { Recall: OWNERS, StartProcess: INTERNAL, Cancel: [...OWNERS, ...INTERNAL] },
  },
  {
    name: 'WaitingForProcess, claimed',
    facts: { statusId: 'WaitingForProcess', ...ASSIGNED },
    may: { StartProcess: INTERNAL, Cancel: INTERNAL },
  },
  {
    name: 'Processing, no rule asks',
    facts: { statusId: 'Processing', ...ASSIGNED },
    may: { RequestInfo: INTERNAL, Send: SENDERS, Cancel: INTERNAL },
  },
  {
    name: 'Processing, a rule asks',
    facts: { statusId: 'Processing', ...UNDER_RULES },
    may: { RequestInfo: INTERNAL, RequestApproval: SENDERS, Cancel: INTERNAL },
  },
  {
    name: 'Processing, a rule asks, approved and not worse since',
    facts: { statusId: 'Processing', ...UNDER_RULES, approvedHashMatches: true },
    may: { RequestInfo: INTERNAL, Send: SENDERS, Cancel: INTERNAL },
  },
  {
    name: 'Pending for the sales quote manager, requested by the assignee',
    facts: { statusId: 'Processing', ...UNDER_RULES, pending: true, requestedById: 5 },
    may: {
      ApproveDiscount: ['regionManager', 'salesadmin', 'systemadmin'],
      RejectDiscount: ['regionManager', 'salesadmin', 'systemadmin'],
      RecallApproval: ['assignee', 'systemadmin'],
      Cancel: INTERNAL,
    },
  },
  {
    name: 'Pending for the sales quote manager, requested by the sales quote manager',
    facts: { statusId: 'Processing', ...UNDER_RULES, pending: true, requestedById: 4 },
    may: {
      ApproveDiscount: ['salesadmin', 'systemadmin'],
      RejectDiscount: ['salesadmin', 'systemadmin'],
      RecallApproval: ['regionManager', 'systemadmin'],
      Cancel: INTERNAL,
    },
  },
  {
    name: 'Pending, requested by the system administrator',
    facts: { statusId: 'Processing', ...UNDER_RULES, pending: true, requestedById: 10 },
    may: {
      ApproveDiscount: ['regionManager', 'salesadmin'],
      RejectDiscount: ['regionManager', 'salesadmin'],
      RecallApproval: ['systemadmin'],
      Cancel: INTERNAL,
    },
  },
  {
    name: 'Pending above the limit of the sales quote manager',
    facts: {
      statusId: 'Processing',
      ...ASSIGNED,
      approverRoles: ['salesQuoteManager', 'salesadmin'],
      pending: true,
      requestedById: 5,
    },
    may: {
      ApproveDiscount: ['regionManager', ...REOPENERS],
      RejectDiscount: ['regionManager', ...REOPENERS],
      RecallApproval: ['assignee', 'systemadmin'],
      Cancel: INTERNAL,
    },
  },
  {
    name: 'Pending, the sales quote manager’s rule decided, the sales administrator’s not',
    facts: {
      statusId: 'Processing',
      ...ASSIGNED,
      approverRoles: ['salesQuoteManager', 'salesadmin'],
      decided: ['salesQuoteManager'],
      pending: true,
      requestedById: 5,
    },
    may: {
      ApproveDiscount: REOPENERS,
      RejectDiscount: REOPENERS,
      RecallApproval: ['assignee', 'systemadmin'],
      Cancel: INTERNAL,
    },
  },
  {
    name: 'Pending for the sales quote manager and the contract department, requested by the sales quote manager',
    facts: {
      statusId: 'Processing',
      ...ASSIGNED,
      approverRoles: ['salesQuoteManager', 'contractdept'],
      pending: true,
      requestedById: 4,
    },
    may: {
      ApproveDiscount: ['salesadmin', 'contractdept', 'systemadmin'],
      RejectDiscount: ['salesadmin', 'contractdept', 'systemadmin'],
      RecallApproval: ['regionManager', 'systemadmin'],
      Cancel: INTERNAL,
    },
  },
  {
    name: 'Pending for the contract department',
    facts: { statusId: 'Processing', ...ASSIGNED, approverRoles: ['contractdept'], pending: true, requestedById: 5 },
    may: {
      ApproveDiscount: ['contractdept', 'salesadmin', 'systemadmin'],
      RejectDiscount: ['contractdept', 'salesadmin', 'systemadmin'],
      RecallApproval: ['assignee', 'systemadmin'],
      Cancel: INTERNAL,
    },
  },
  {
    name: 'NeedMoreInfo',
    facts: { statusId: 'NeedMoreInfo', ...ASSIGNED },
    may: { ProvideInfo: OWNERS, Cancel: INTERNAL },
  },
  {
    name: 'NeedMoreInfo, its assignee gone',
    facts: { statusId: 'NeedMoreInfo' },
    may: { ProvideInfo: OWNERS, Cancel: [...OWNERS, ...INTERNAL] },
  },
  {
    name: 'DiscountApproved, as approved',
    facts: { statusId: 'DiscountApproved', ...UNDER_RULES, approvedHashMatches: true },
    may: { Send: [...INTERNAL, ...OWNERS], Cancel: INTERNAL },
  },
  {
    name: 'DiscountApproved, no longer as approved',
    facts: { statusId: 'DiscountApproved', ...UNDER_RULES },
    may: { Cancel: INTERNAL },
  },
  {
    name: 'SentToCustomer',
    facts: { statusId: 'SentToCustomer', ...ASSIGNED },
    may: {
      Resend: [...INTERNAL, ...OWNERS],
      Revise: [...INTERNAL, ...OWNERS],
      MarkWon: [...INTERNAL, ...OWNERS, 'customer'],
      MarkLost: [...INTERNAL, ...OWNERS, 'customer'],
    },
  },
  {
    name: 'SentToCustomer, expired',
    facts: { statusId: 'SentToCustomer', ...ASSIGNED, expired: true },
    may: {
      Resend: [...INTERNAL, ...OWNERS],
      Revise: [...INTERNAL, ...OWNERS],
      MarkWon: [...INTERNAL, ...OWNERS],
      MarkLost: [...INTERNAL, ...OWNERS],
    },
  },
  {
    name: 'Revising, opened by the rep',
    facts: { statusId: 'Revising', revisedById: 1 },
    may: {
      Submit: OWNERS,
      StartProcess: INTERNAL,
      DiscardRevision: ['rep', ...INTERNAL],
      Cancel: [...OWNERS, ...INTERNAL],
    },
  },
  {
    name: 'Revising, opened by an internal colleague, claimed before',
    facts: { statusId: 'Revising', revisedById: 6, ...ASSIGNED },
    may: { Submit: OWNERS, StartProcess: INTERNAL, DiscardRevision: INTERNAL, Cancel: INTERNAL },
  },
  { name: 'Won', facts: { statusId: 'Won', ...ASSIGNED }, may: { Reopen: REOPENERS } },
  { name: 'Lost', facts: { statusId: 'Lost', ...ASSIGNED }, may: { Revise: [...INTERNAL, ...OWNERS] } },
  { name: 'Cancelled', facts: { statusId: 'Cancelled', ...ASSIGNED }, may: { Reopen: REOPENERS } },
];

function factsFor(situation: Situation, who: Who): WorkflowFacts {
  const { approverRoles = [], decided = [], ...facts } = { ...situation };
  const { user, ownerSide } = ACTORS[who];
  const quote = { region_id: 1, owner_id: null, sales_rep_id: null };
  const rules = approverRoles.map((role) => ({
    decided: decided.includes(role),
    mine:
      user !== 'customer' &&
      capacityFor({ ...user, regionIds: [1], deputyFor: [] }, role, quote, facts.requestedById ?? null) !== null,
  }));
  return { ...FACTS, ...facts, user, ownerSide, rules };
}

describe.each(SITUATIONS)('$name', ({ facts, may }) => {
  test.each(WHO)('%s', (who) => {
    const expected = ACTIONS.filter((action) => may[action]?.includes(who));
    const allowed = allowedActions(factsFor(facts, who)).map((entry) => entry.action);
    expect(allowed.toSorted()).toEqual(expected.toSorted());
    expect(ACTIONS.filter((action) => !('refused' in transitionOf(action, factsFor(facts, who))))).toEqual(expected);
  });
});

test('the situations cover every status and every action', () => {
  const statuses = new Set(SITUATIONS.map(({ facts }) => facts.statusId ?? FACTS.statusId));
  expect([...statuses].toSorted()).toEqual([...STATUSES].toSorted());
  const actions = new Set(SITUATIONS.flatMap(({ may }) => Object.keys(may)));
  expect([...actions].toSorted()).toEqual([...ACTIONS].toSorted());
  expect(new Set(TRANSITIONS.map((row) => row.action)).size).toBe(ACTIONS.length);
});

describe('the filled button', () => {
  const primaryOf = (situation: Situation, who: Who) =>
    allowedActions(factsFor(situation, who))
      .filter((entry) => entry.primary)
      .map((entry) => entry.action);

  test('is never more than one', () => {
    for (const { facts } of SITUATIONS) {
      for (const who of WHO) expect(primaryOf(facts, who).length).toBeLessThanOrEqual(1);
    }
  });

  test.each<[Situation, Who, ActionName[]]>([
    [{}, 'rep', ['Submit']],
    [{}, 'csrep', ['StartProcess']],
    [{ statusId: 'Revising' }, 'rep', ['Submit']],
    [{ statusId: 'WaitingForProcess' }, 'rep', []],
    [{ statusId: 'WaitingForProcess' }, 'csrep', ['StartProcess']],
    [{ statusId: 'Processing' }, 'csrep', ['Send']],
    [{ statusId: 'Processing', ...UNDER_RULES }, 'csrep', ['RequestApproval']],
    [{ statusId: 'Processing', ...UNDER_RULES, pending: true, requestedById: 6 }, 'csrep', []],
    [{ statusId: 'Processing', ...UNDER_RULES, pending: true, requestedById: 6 }, 'salesadmin', ['ApproveDiscount']],
    [{ statusId: 'NeedMoreInfo', ...ASSIGNED }, 'rep', ['ProvideInfo']],
    [{ statusId: 'DiscountApproved', approvedHashMatches: true }, 'rep', ['Send']],
    [{ statusId: 'SentToCustomer' }, 'rep', ['MarkWon']],
    [{ statusId: 'SentToCustomer', expired: true }, 'rep', ['Revise']],
    [{ statusId: 'SentToCustomer' }, 'customer', ['MarkWon']],
    [{ statusId: 'Won' }, 'systemadmin', []],
    [{ statusId: 'Lost' }, 'rep', []],
  ])('in %j for %s is %j', (facts, who, expected) => {
    expect(primaryOf(facts, who)).toEqual(expected);
  });
});

describe('the reason for a refusal', () => {
  const refusal = (action: ActionName, facts: Situation, who: Who) => transitionOf(action, factsFor(facts, who));

  test('is no sentence for a user who may never act', () => {
    expect(refusal('Reopen', { statusId: 'Editing' }, 'rep')).toEqual({ refused: 'forbidden' });
    expect(refusal('StartProcess', { statusId: 'Won' }, 'rep')).toEqual({ refused: 'forbidden' });
    const pending = { statusId: 'Processing', ...UNDER_RULES, pending: true, requestedById: 4 } as const;
    expect(refusal('ApproveDiscount', pending, 'regionManager')).toEqual({ refused: 'forbidden' });
  });

  test('names the state for a user who may act in another one', () => {
    expect(refusal('StartProcess', { statusId: 'Won' }, 'csrep')).toEqual({
      refused: 'state',
      sentence: 'This quote is won. A sales administrator can reopen it.',
    });
    const pending = { statusId: 'Processing', ...UNDER_RULES, pending: true, requestedById: 5 } as const;
    expect(refusal('Send', pending, 'csrep')).toEqual({
      refused: 'state',
      sentence: 'This quote awaits discount approval.',
    });
  });

  test('says that others decide the rest to a user who has decided their part', () => {
    const situation = {
      statusId: 'Processing',
      approverRoles: ['salesQuoteManager', 'contractdept'],
      decided: ['salesQuoteManager'],
      pending: true,
      requestedById: 5,
    } as const;
    const sentence = 'You have decided your part. Others decide the rest.';
    expect(refusal('ApproveDiscount', situation, 'regionManager')).toEqual({ refused: 'state', sentence });
    expect(refusal('RejectDiscount', situation, 'regionManager')).toEqual({ refused: 'state', sentence });
  });

  test('says what to do when a condition fails', () => {
    expect(refusal('Send', { statusId: 'Processing', ...UNDER_RULES }, 'csrep')).toMatchObject({
      sentence: 'This quote needs approval before it is sent.',
    });
    expect(refusal('Cancel', { statusId: 'Processing', ...ASSIGNED }, 'rep')).toMatchObject({
      sentence: 'Another user is already processing this quote.',
    });
  });
});

test('required input of an action', () => {
  const nameOfAction = (action: ActionName, facts: Situation, who: Who) => {
    const entry = allowedActions(factsFor(facts, who)).find((result) => result.action === action);
    return entry && [entry.needsComment, entry.needsReason];
  };
  const pending = { statusId: 'Processing', ...UNDER_RULES, pending: true, requestedById: 5 } as const;
  expect(nameOfAction('RequestInfo', { statusId: 'Processing' }, 'csrep')).toEqual([true, false]);
  expect(nameOfAction('RejectDiscount', pending, 'salesadmin')).toEqual([true, false]);
  expect(nameOfAction('ApproveDiscount', pending, 'salesadmin')).toEqual([false, false]);
  expect(nameOfAction('MarkLost', { statusId: 'SentToCustomer' }, 'rep')).toEqual([false, true]);
  expect(nameOfAction('MarkWon', { statusId: 'SentToCustomer' }, 'rep')).toEqual([false, false]);
  expect(nameOfAction('MarkWon', { statusId: 'SentToCustomer', expired: true }, 'rep')).toEqual([false, true]);
  expect(nameOfAction('Cancel', {}, 'rep')).toEqual([false, true]);
  expect(nameOfAction('Reopen', { statusId: 'Won' }, 'salesadmin')).toEqual([false, true]);
});

const WAITING = { statusId: 'Processing', pending: true, requestedById: 5 } as const;

test.each<[ActionName, Situation, Who, StatusId]>([
  ['Submit', {}, 'rep', 'WaitingForProcess'],
  ['Submit', { statusId: 'Revising' }, 'rep', 'WaitingForProcess'],
  ['StartProcess', {}, 'csrep', 'Processing'],
  ['StartProcess', { statusId: 'Revising' }, 'csrep', 'Processing'],
  ['StartProcess', { statusId: 'WaitingForProcess' }, 'csrep', 'Processing'],
  ['Recall', { statusId: 'WaitingForProcess' }, 'rep', 'Editing'],
  ['RequestInfo', { statusId: 'Processing' }, 'csrep', 'NeedMoreInfo'],
  ['ProvideInfo', { statusId: 'NeedMoreInfo', ...ASSIGNED }, 'rep', 'Processing'],
  ['ProvideInfo', { statusId: 'NeedMoreInfo' }, 'rep', 'WaitingForProcess'],
  ['RequestApproval', { statusId: 'Processing', ...UNDER_RULES }, 'csrep', 'Processing'],
  ['ApproveDiscount', { ...WAITING, approverRoles: ['salesQuoteManager'] }, 'regionManager', 'DiscountApproved'],
  [
    'ApproveDiscount',
    { ...WAITING, approverRoles: ['salesQuoteManager', 'salesadmin'] },
    'regionManager',
    'Processing',
  ],
  [
    'ApproveDiscount',
    { ...WAITING, approverRoles: ['salesQuoteManager', 'salesadmin'] },
    'salesadmin',
    'DiscountApproved',
  ],
  [
    'ApproveDiscount',
    { ...WAITING, approverRoles: ['salesQuoteManager', 'contractdept'], decided: ['salesQuoteManager'] },
    'contractdept',
    'DiscountApproved',
  ],
  ['RejectDiscount', { ...WAITING, approverRoles: ['salesQuoteManager', 'salesadmin'] }, 'regionManager', 'Processing'],
  ['RecallApproval', { statusId: 'Processing', pending: true, requestedById: 6 }, 'csrep', 'Processing'],
  ['Send', { statusId: 'Processing' }, 'csrep', 'SentToCustomer'],
  ['Send', { statusId: 'DiscountApproved', approvedHashMatches: true }, 'rep', 'SentToCustomer'],
  ['Resend', { statusId: 'SentToCustomer' }, 'rep', 'SentToCustomer'],
  ['Revise', { statusId: 'SentToCustomer' }, 'rep', 'Revising'],
  ['Revise', { statusId: 'Lost' }, 'rep', 'Revising'],
  ['DiscardRevision', { statusId: 'Revising', revisedById: 1, revisedFrom: 'Lost' }, 'rep', 'Lost'],
  ['DiscardRevision', { statusId: 'Revising', revisedFrom: 'SentToCustomer' }, 'csrep', 'SentToCustomer'],
  ['MarkWon', { statusId: 'SentToCustomer' }, 'customer', 'Won'],
  ['MarkLost', { statusId: 'SentToCustomer' }, 'customer', 'Lost'],
  ['Cancel', { statusId: 'Processing' }, 'csrep', 'Cancelled'],
  ['Reopen', { statusId: 'Won' }, 'salesadmin', 'Processing'],
  ['Reopen', { statusId: 'Cancelled' }, 'salesadmin', 'Editing'],
])('%s in %j by %s leads to %s', (action, facts, who, to) => {
  const result = transitionOf(action, factsFor(facts, who));
  if ('refused' in result) throw new Error(`${action} is refused`);
  expect(destinationOf(result, factsFor(facts, who))).toBe(to);
});
