// Tests the steps of a request: for each state, who may take which step.
import { describe, expect, test } from 'vitest';
import {
  allowedSteps,
  isOverdue,
  REQUEST_STATES,
  refusalOf,
  type RequestState,
  STEP_NAMES,
  type StepName,
  STEPS,
} from './request-steps.ts';

const PEOPLE = {
  asker: { id: 1, roles: ['salesrep'] },
  joiner: { id: 2, roles: ['salesrep'] },
  desk: { id: 3, roles: ['contractdept'] },
  admin: { id: 4, roles: ['systemadmin'] },
  stranger: { id: 5, roles: ['csrep', 'salesadmin'] },
} as const;
const facts = (state: RequestState, user: (typeof PEOPLE)[keyof typeof PEOPLE]) => ({
  state,
  user,
  requestedBy: 1,
  joinedBy: [1, 2],
});

const TABLE: Record<RequestState, Record<keyof typeof PEOPLE, StepName[]>> = {
  Draft: { asker: ['Submit', 'Withdraw'], joiner: [], desk: ['Withdraw'], admin: ['Withdraw'], stranger: [] },
  Requested: {
    asker: ['Withdraw'],
    joiner: [],
    desk: ['StartReview', 'Withdraw'],
    admin: ['StartReview', 'Withdraw'],
    stranger: [],
  },
  InReview: {
    asker: ['Withdraw'],
    joiner: [],
    desk: ['AskInfo', 'SendToGpo', 'Approve', 'Reject', 'Withdraw'],
    admin: ['AskInfo', 'SendToGpo', 'Approve', 'Reject', 'Withdraw'],
    stranger: [],
  },
  NeedInfo: {
    asker: ['ProvideInfo', 'Withdraw'],
    joiner: ['ProvideInfo'],
    desk: ['Withdraw'],
    admin: ['Withdraw'],
    stranger: [],
  },
  SentToGpo: {
    asker: ['Withdraw'],
    joiner: [],
    desk: ['AskInfo', 'Approve', 'Reject', 'Withdraw'],
    admin: ['AskInfo', 'Approve', 'Reject', 'Withdraw'],
    stranger: [],
  },
  Approved: { asker: [], joiner: [], desk: ['Revoke'], admin: ['Revoke'], stranger: [] },
  Rejected: { asker: [], joiner: [], desk: [], admin: [], stranger: [] },
  Withdrawn: { asker: [], joiner: [], desk: [], admin: [], stranger: [] },
  Lapsed: { asker: [], joiner: [], desk: [], admin: [], stranger: [] },
  Revoked: { asker: [], joiner: [], desk: [], admin: [], stranger: [] },
};

describe.each(REQUEST_STATES)('%s', (state) => {
  test.each(Object.keys(PEOPLE) as (keyof typeof PEOPLE)[])('%s', (who) => {
    const situation = facts(state, PEOPLE[who]);
    expect(allowedSteps(situation)).toEqual(TABLE[state][who]);
    const expected = STEP_NAMES.map((name) => {
      if (TABLE[state][who].includes(name)) return null;
      return STEPS[name].from.includes(state) ? 403 : 409;
    });
    expect(STEP_NAMES.map((name) => refusalOf(name, situation)?.status ?? null)).toEqual(expected);
  });
});

test('a contract keeper who asked or joined never decides', () => {
  for (const [requestedBy, joinedBy] of [
    [7, []],
    [1, [7]],
  ] as const) {
    const situation = { state: 'InReview', user: { id: 7, roles: ['contractdept'] }, requestedBy, joinedBy } as const;
    expect(allowedSteps(situation)).toEqual(['Withdraw']);
    expect(refusalOf('Approve', situation)?.sentence).toContain('someone else in the contract department must decide');
  }
});

test('a request is overdue after the days of its state', () => {
  expect([isOverdue('Requested', 3), isOverdue('Requested', 4), isOverdue('SentToGpo', 21)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(isOverdue('Approved', 500)).toBe(false);
});
