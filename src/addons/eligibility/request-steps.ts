// The table of an eligibility request's steps: states, steps, and who may take them. The server enforces it, and screens derive buttons from it.
import { z } from 'zod';
import type { RecordAction } from '#platform/history/record-words.ts';
import { CONTRACT_KEEPERS } from '#core/prices/contracts/sight/contract-roles.ts';
import { hasRole, type Role } from '#platform/shared/roles.ts';

export const REQUEST_STATES = [
  'Draft',
  'Requested',
  'InReview',
  'NeedInfo',
  'SentToGpo',
  'Approved',
  'Rejected',
  'Withdrawn',
  'Lapsed',
  'Revoked',
] as const;
export const RequestState = z.enum(REQUEST_STATES);
export type RequestState = z.infer<typeof RequestState>;

/** The states in which a request waits for a decision. */
export const WAITING_STATES: readonly RequestState[] = ['Requested', 'InReview', 'NeedInfo', 'SentToGpo'];

export const STATE_LABELS: Record<RequestState, string> = {
  Draft: 'Draft',
  Requested: 'Requested',
  InReview: 'In review',
  NeedInfo: 'Needs information',
  SentToGpo: 'Sent to the GPO',
  Approved: 'Approved',
  Rejected: 'Rejected',
  Withdrawn: 'Withdrawn',
  Lapsed: 'Lapsed',
  Revoked: 'Revoked',
};

/** The number of days without a step after which a request is overdue. */
export const OVERDUE_DAYS: Partial<Record<RequestState, number>> = {
  Requested: 3,
  InReview: 5,
  NeedInfo: 7,
  SentToGpo: 21,
};
/** The number of days without a step after which a request lapses. */
export const LAPSE_DAYS = 90;

export const STEP_NAMES = [
  'Submit',
  'StartReview',
  'AskInfo',
  'ProvideInfo',
  'SendToGpo',
  'Approve',
  'Reject',
  'Withdraw',
  'Revoke',
] as const;
export const StepName = z.enum(STEP_NAMES);
export type StepName = z.infer<typeof StepName>;

/** asker: the author of the request. joined: the author, or a user who joined a quote to it. keeper: edits contracts. desk: other keepers. */
type Who = 'asker' | 'joined' | 'desk' | 'keeper';

type Step = {
  from: readonly RequestState[];
  to: RequestState;
  who: readonly Who[];
  label: string;
  /** The name of the step in the history. */
  record: RecordAction;
  /** What the user must write for the step. Empty if nothing. */
  asks: string;
  /** Whether the users who wait for the request get a mail. */
  tells: boolean;
};

export const STEPS: Record<StepName, Step> = {
  Submit: {
    from: ['Draft'],
    to: 'Requested',
    who: ['asker'],
    label: 'Send request',
    record: 'Send request',
    asks: '',
    tells: false,
  },
  StartReview: {
    from: ['Requested'],
    to: 'InReview',
    who: ['desk'],
    label: 'Start review',
    record: 'Start review',
    asks: '',
    tells: false,
  },
  AskInfo: {
    from: ['InReview', 'SentToGpo'],
    to: 'NeedInfo',
    who: ['desk'],
    label: 'Ask for information',
    record: 'Ask for information',
    asks: 'Enter what you need to know.',
    tells: true,
  },
  ProvideInfo: {
    from: ['NeedInfo'],
    to: 'InReview',
    who: ['joined'],
    label: 'Provide information',
    record: 'Give information',
    asks: 'Enter the requested information.',
    tells: false,
  },
  SendToGpo: {
    from: ['InReview'],
    to: 'SentToGpo',
    who: ['desk'],
    label: 'Mark as sent to the GPO',
    record: 'Send to GPO',
    asks: '',
    tells: false,
  },
  Approve: {
    from: ['InReview', 'SentToGpo'],
    to: 'Approved',
    who: ['desk'],
    label: 'Approve',
    record: 'Approve',
    asks: '',
    tells: true,
  },
  Reject: {
    from: ['InReview', 'SentToGpo'],
    to: 'Rejected',
    who: ['desk'],
    label: 'Reject',
    record: 'Reject',
    asks: 'Enter a reason for rejecting the request.',
    tells: true,
  },
  Withdraw: {
    from: ['Draft', ...WAITING_STATES],
    to: 'Withdrawn',
    who: ['asker', 'keeper'],
    label: 'Withdraw',
    record: 'Withdraw',
    asks: '',
    tells: true,
  },
  Revoke: {
    from: ['Approved'],
    to: 'Revoked',
    who: ['desk'],
    label: 'Revoke',
    record: 'Revoke',
    asks: 'Enter a reason for revoking the approval.',
    tells: true,
  },
};

export type StepFacts = {
  state: RequestState;
  user: { id: number; roles: readonly Role[] };
  requestedBy: number;
  /** The users who joined a quote to the request. */
  joinedBy: readonly number[];
};

const IS: Record<Who, (facts: StepFacts) => boolean> = {
  asker: ({ user, requestedBy }) => user.id === requestedBy,
  joined: (facts) => isPartOf(facts),
  desk: (facts) => hasRole(facts.user, ...CONTRACT_KEEPERS) && !isPartOf(facts),
  keeper: ({ user }) => hasRole(user, ...CONTRACT_KEEPERS),
};

function isPartOf({ user, requestedBy, joinedBy }: StepFacts): boolean {
  return user.id === requestedBy || joinedBy.includes(user.id);
}

/** The steps that the user may take now, in the order of the table. */
export function allowedSteps(facts: StepFacts): StepName[] {
  return STEP_NAMES.filter((name) => {
    const { from, who } = STEPS[name];
    return from.includes(facts.state) && who.some((candidate) => IS[candidate](facts));
  });
}

/** Why a step is not possible: 409 because of the state, 403 because of the user. Null if it is possible. */
export function refusalOf(name: StepName, facts: StepFacts): { status: 403 | 409; sentence: string } | null {
  const { from, who, label } = STEPS[name];
  if (!from.includes(facts.state))
    return {
      status: 409,
      sentence: `"${label}" is not available because this request is ${STATE_LABELS[facts.state].toLowerCase()}.`,
    };
  if (who.some((candidate) => IS[candidate](facts))) return null;
  const own = who.includes('desk') && hasRole(facts.user, ...CONTRACT_KEEPERS);
  return {
    status: 403,
    sentence: own
      ? 'You made or joined this request, so someone else in the contract department must decide it.'
      : 'You do not have permission to do this.',
  };
}

/** Whether a request has waited too long for its next step. */
export function isOverdue(state: RequestState, days: number): boolean {
  const most = OVERDUE_DAYS[state];
  return most !== undefined && days > most;
}
