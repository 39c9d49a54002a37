// Creates the story of a quote of the demo company, step by step, with times that end at its last step.
import type { StatusId } from '#core/quoting/quotes/status.ts';
import type { Random } from './random.server.ts';

/** Who takes a step: the sales rep, inside staff, the approvers, or the sales administrator. */
export type StepBy = 'rep' | 'desk' | 'approvers' | 'admin';
export type Step = {
  action: string;
  by: StepBy;
  from: StatusId | null;
  to: StatusId;
  revision: number;
  /** ISO, in working hours. */
  at: string;
  comment?: string;
  /** For Edit: 'begun' has all lines except the last, 'all' has all. */
  has?: 'begun' | 'all';
};

type Planned = Omit<Step, 'at' | 'revision'> & { hours: number };

export type StoryInput = {
  status: StatusId;
  /** The number of revisions, including the current one. */
  revisions: number;
  /** True if approval is requested before every sending that needs it. If no rules fire, `withoutApproval` removes these steps. */
  asked: boolean;
  /** How long everything takes, compared with other representatives. */
  pace: number;
  /** The time of the last step. */
  end: number;
  random: Random;
};

const HOUR = 3_600_000;

/** The steps in the order in which they happened. */
export function storyOf(input: StoryInput): Step[] {
  const { status, random, end } = input;
  const planned = numbered(planOf(input));
  const steps: Step[] = [];
  let at = end;
  for (const { hours, ...step } of planned.toReversed()) {
    at = workingTime(at, random);
    steps.push({ ...step, at: new Date(at).toISOString() });
    at -= hours * HOUR;
  }
  const last = steps[0];
  if (last && last.to !== status) throw new Error(`a story of ${status} ends in ${last.to}`);
  return steps.toReversed();
}

const APPROVAL = ['RequestApproval', 'RejectDiscount', 'ApproveDiscount'];

/** The story of a quote that needed no approval. */
export function withoutApproval(steps: readonly Step[]): Step[] {
  return steps
    .filter(({ action }) => !APPROVAL.includes(action))
    .map((step) => (step.from === 'DiscountApproved' ? { ...step, from: 'Processing' } : step));
}

/** The time itself if it is in working hours, else a random minute of the working day that ended before it. */
function workingTime(at: number, random: Random): number {
  const time = new Date(at);
  const works = time.getUTCDay() % 6 !== 0 && time.getUTCHours() >= 14 && time.getUTCHours() < 22;
  if (works) return at;
  if (time.getUTCHours() < 14) time.setUTCDate(time.getUTCDate() - 1);
  while (time.getUTCDay() % 6 === 0) time.setUTCDate(time.getUTCDate() - 1);
  time.setUTCHours(random.int(14, 21), random.int(0, 59), random.int(0, 59), 0);
  return time.getTime();
}

/** The steps, each with the hours since the previous one. */
function planOf({ status, revisions, asked, pace, random }: StoryInput): Planned[] {
  const hours = (from: number, to: number) => (from + random.next() * (to - from)) * pace;
  const plan: Planned[] = [
    { action: 'Create', by: 'rep', from: null, to: 'Editing', hours: 0 },
    { action: 'Edit', by: 'rep', from: 'Editing', to: 'Editing', hours: hours(0.1, 1), has: 'begun' },
  ];
  if (status === 'Editing') {
    if (random.chance(0.7)) plan.push(edit('rep', status, hours(2, 120)));
    return plan;
  }
  plan.push(edit('rep', 'Editing', hours(0.2, 20)));
  const cancelled: Planned = { action: 'Cancel', by: 'rep', from: 'Editing', to: 'Cancelled', hours: hours(10, 400) };
  if (status === 'Cancelled') return [...plan, { ...cancelled, comment: random.pick(CANCELLED) }];
  if ((status === 'WaitingForProcess' || status === 'Processing') && random.chance(0.05)) {
    plan.push({ ...cancelled, comment: 'The project is on hold.' });
    const comment = 'The project goes on.';
    plan.push({ action: 'Reopen', by: 'admin', from: 'Cancelled', to: 'Editing', hours: hours(50, 300), comment });
  }
  plan.push({
    action: 'Submit',
    by: 'rep',
    from: 'Editing',
    to: 'WaitingForProcess',
    hours: hours(0.2, random.chance(0.3) ? 60 : 6),
  });
  if (status === 'WaitingForProcess') return plan;
  plan.push({
    action: 'StartProcess',
    by: 'desk',
    from: 'WaitingForProcess',
    to: 'Processing',
    hours: hours(0.5, random.chance(0.2) ? 70 : 12),
  });
  const asks = () => plan.push(askForInfo(random, hours(0.3, 5)));
  if (status === 'NeedMoreInfo') {
    asks();
    return plan;
  }
  if (random.chance(0.16)) {
    asks();
    plan.push({
      action: 'ProvideInfo',
      by: 'rep',
      from: 'NeedMoreInfo',
      to: 'Processing',
      hours: hours(3, 80),
      comment: 'See the email from the customer in the files.',
    });
  }
  if (random.chance(0.35)) plan.push(edit('desk', 'Processing', hours(0.3, 4)));
  const isOut = status !== 'Processing' && status !== 'DiscountApproved';
  for (let revision = 1; revision < revisions; revision++) {
    plan.push(send('Processing', hours(0.5, 6)));
    plan.push({ action: 'Revise', by: 'rep', from: 'SentToCustomer', to: 'Revising', hours: hours(20, 260) });
    if (status === 'Revising' && revision === revisions - 1) return plan;
    plan.push(edit('rep', 'Revising', hours(0.2, 5)));
    plan.push({ action: 'Submit', by: 'rep', from: 'Revising', to: 'WaitingForProcess', hours: hours(0.2, 5) });
    plan.push({
      action: 'StartProcess',
      by: 'desk',
      from: 'WaitingForProcess',
      to: 'Processing',
      hours: hours(0.5, 8),
    });
  }
  if (asked || isOut) {
    const request = (): Planned => ({
      action: 'RequestApproval',
      by: 'desk',
      from: 'Processing',
      to: 'Processing',
      hours: hours(0.3, 4),
    });
    plan.push(request());
    if (status === 'Processing') return plan;
    if (random.chance(0.1)) {
      const comment = 'What do they buy in a year? Ask again with the volume.';
      plan.push({
        action: 'RejectDiscount',
        by: 'approvers',
        from: 'Processing',
        to: 'Processing',
        hours: hours(1, 30),
        comment,
      });
      plan.push(request());
    }
    plan.push({
      action: 'ApproveDiscount',
      by: 'approvers',
      from: 'Processing',
      to: 'DiscountApproved',
      hours: hours(1, random.chance(0.25) ? 90 : 26),
    });
  }
  if (!isOut) return plan;
  plan.push(send('DiscountApproved', hours(0.5, 6)));
  if (status === 'SentToCustomer') return plan;
  // Half of the customers decide within about a week, some take two months.
  const decides = random.chance(0.5) ? hours(4, 200) : random.chance(0.8) ? hours(150, 700) : hours(600, 1400);
  plan.push({
    action: status === 'Won' ? 'MarkWon' : 'MarkLost',
    by: 'rep',
    from: 'SentToCustomer',
    to: status,
    hours: decides,
  });
  return plan;
}

const CANCELLED = [
  'Entered twice',
  'The customer buys elsewhere in the system',
  'Wrong facility',
  'Project called off',
];

const edit = (by: StepBy, status: StatusId, hours: number): Planned => ({
  action: 'Edit',
  by,
  from: status,
  to: status,
  hours,
  has: 'all',
});
const send = (from: StatusId, hours: number): Planned => ({
  action: 'Send',
  by: 'desk',
  from,
  to: 'SentToCustomer',
  hours,
});
const QUESTIONS = [
  'Which unit is this for, and who receives it?',
  'Which quantity do they use in a year?',
  'Do they have a letter of commitment for this contract?',
];
const askForInfo = (random: Random, hours: number): Planned => ({
  action: 'RequestInfo',
  by: 'desk',
  from: 'Processing',
  to: 'NeedMoreInfo',
  hours,
  comment: random.pick(QUESTIONS),
});

/** Everything from a Revise on belongs to the next revision. */
function numbered(plan: readonly Planned[]): (Planned & { revision: number })[] {
  let revision = 1;
  return plan.map((step) => {
    if (step.action === 'Revise') revision++;
    return { ...step, revision };
  });
}
