// Performs a step of a request that the table of steps allows. Approving also writes roster and letter in the same transaction.
import { sql } from 'kysely';
import type { z } from 'zod';
import { type FieldError, HttpError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { approveLetter, endLetter } from '#core/prices/letters-and-rosters/letters/letter-of-decision.server.ts';
import { putOnRoster, takeOffRoster } from '#core/prices/letters-and-rosters/rosters/place-on-roster.server.ts';
import { makeFirm } from '#core/quoting/provisional/make-firm.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { lockWaiting, requestName, repriceJoined } from './ask.server.ts';
import { contractFacts } from './contract-facts.server.ts';
import type { Decision, RequestRow } from './eligibility.contract.ts';
import { mailDesk } from './mail-desk.server.ts';
import { readRequest } from './request-rows.server.ts';
import { type RequestState, refusalOf, STEPS, type StepFacts } from './request-steps.ts';
import { lockQuotesOf, tellQuotes } from './tell.server.ts';
import { lacksLetter, missingMembership } from './tier-offers.server.ts';

type Input = z.output<typeof Decision>;
type Work = { context: ReadContext; today: IsoDate; request: RequestRow; input: Input };
/** What a step writes besides the state, and the sentence that describes it. */
type Outcome = { tierId?: number; firmFrom?: IsoDate; sentence: string };

/**
 * Throws 404 if the user does not see the request, 409 with the current request if another user took a step first, 403 or 409 for a step that the
 * user may not take or that is not possible now, and 422 with a message if the input is incomplete.
 */
export async function decide(context: ReadContext, input: Input): Promise<RequestRow> {
  const { db, user, services } = context;
  const today = await requireContracts(context);
  const looking = { db, user, services, today };
  await readRequest(looking, input.id);
  await lockQuotesOf(db, input.id);
  await db.selectFrom('eligibility_request').select('id').where('id', '=', input.id).forUpdate().execute();
  const request = await readRequest(looking, input.id);
  await requireFresh(db, 'eligibilityRequest', request, input.version);
  const refusal = refusalOf(input.action, await stepFacts(db, user, request));
  if (refusal) throw new HttpError(refusal.status, refusal.sentence);
  const step = STEPS[input.action];
  if (step.asks && !input.reason) throw invalid([{ path: 'reason', message: step.asks }]);
  const work = { context, today, request, input };
  if (input.action === 'Submit') {
    const other = await submitToWaiting(work);
    if (other !== null) return readRequest(looking, other);
  }
  const outcome = await (EFFECTS[input.action] ?? sentenceOnly)(work);
  const { version } = await moveRequest(db, services.clock.now(), request.id, {
    state: step.to,
    reason: input.reason,
    ...(outcome.tierId ? { decided_tier_id: outcome.tierId } : {}),
    ...(outcome.firmFrom ? { firm_from: outcome.firmFrom } : {}),
    ...(input.action === 'Approve' || input.action === 'Reject' ? { decided_by: user.id } : {}),
  });
  await recordChange(db, user, {
    type: 'eligibilityRequest',
    id: request.id,
    name: requestName(request.facility.name, request.contract, request.tier),
    action: step.record,
    version,
    comment: [outcome.sentence, input.reason].filter(Boolean).join(' '),
  });
  // Only its author sees a draft.
  if (request.state !== 'Draft')
    await tellQuotes(db, services, {
      requestId: request.id,
      user,
      what: WHAT[input.action] ?? '',
      sentence: outcome.sentence,
      reason: input.reason,
      mails: step.tells,
    });
  if (input.action === 'Approve') await makeFirm(db, services, { requestId: request.id });
  if (input.action === 'Submit') {
    await mailDesk(db, services, user, request.id);
    await repriceAll(work);
  }
  return readRequest(looking, request.id);
}

/** Words for the subjects of mails. */
const WHAT: Partial<Record<Input['action'], string>> = {
  AskInfo: 'needs information',
  Approve: 'approved',
  Reject: 'rejected',
  Withdraw: 'withdrawn',
  Revoke: 'revoked',
};

/** The facts about a request and a user that the table of steps needs. */
export async function stepFacts(db: Db, user: StepFacts['user'], request: RequestRow): Promise<StepFacts> {
  const joined = await db
    .selectFrom('eligibility_request_quote')
    .select('added_by')
    .distinct()
    .where('request_id', '=', request.id)
    .execute();
  return {
    state: request.state,
    user,
    requestedBy: request.requestedBy.id,
    joinedBy: joined.map(({ added_by }) => added_by),
  };
}

/** Moves a request to a state, and increments its version. */
export async function moveRequest(
  db: Db,
  now: Date,
  id: number,
  values: { state: RequestState; reason: string; decided_tier_id?: number; firm_from?: IsoDate; decided_by?: number },
): Promise<{ version: number }> {
  return db
    .updateTable('eligibility_request')
    .set((eb) => ({ ...values, state_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
}

const whatOf = ({ request }: Work) => `${request.tier.name} of contract ${request.contract.number}`;

const SENTENCES: Partial<Record<Input['action'], (what: string) => string>> = {
  Submit: (what) => `Requested ${what}.`,
  StartReview: (what) => `The contract department is reviewing the request for ${what}.`,
  AskInfo: (what) => `The contract department needs more information about the request for ${what}.`,
  ProvideInfo: (what) => `The requested information about the request for ${what} was provided.`,
  SendToGpo: (what) => `The request for ${what} was sent to the GPO.`,
  Reject: (what) => `The request for ${what} was rejected.`,
  Withdraw: (what) => `The request for ${what} was withdrawn.`,
};

async function sentenceOnly(work: Work): Promise<Outcome> {
  return { sentence: SENTENCES[work.input.action]?.(whatOf(work)) ?? '' };
}

const EFFECTS: Partial<Record<Input['action'], (work: Work) => Promise<Outcome>>> = {
  Approve: approve,
  Revoke: revoke,
};

/** Puts the facility into the tier, with its letter of commitment if the tier needs one. */
async function approve(work: Work): Promise<Outcome> {
  const { context, today, request, input } = work;
  const { db, user, services } = context;
  const { facility, contract } = request;
  const from = input.firmFrom || request.wantedFrom;
  const to = input.to || null;
  const tierId = input.tierId ?? request.tier.id;
  const [facts] = await contractFacts(db, {
    user,
    facilityId: facility.id,
    day: from,
    today,
    itemIds: [],
    contractId: contract.id,
  });
  const errors: FieldError[] = [];
  const wrong = (path: string, message: string) => errors.push({ path, message });
  const tier = facts?.tiers.find(({ id }) => id === tierId);
  if (!facts) throw new HttpError(409, `Contract ${contract.number} is not active. Reject the request instead.`);
  if (!tier) wrong('tierId', 'This tier is not in the contract.');
  if (from < facts.from || from > facts.to)
    wrong(
      'firmFrom',
      `Contract ${contract.number} is valid from ${formatDate(facts.from)} to ${formatDate(facts.to)}. Choose a day in this period.`,
    );
  if (from < today && !input.reason)
    wrong('reason', `The start date ${formatDate(from)} is in the past. Enter a reason.`);
  if (to !== null && to < from) wrong('to', 'The last day cannot be before the first day.');
  const gpo = missingMembership(facts);
  if (gpo)
    wrong(
      'firmFrom',
      `${facility.name} has no primary membership in ${gpo} on ${formatDate(from)}, so no price of this contract would apply. Add the membership to the facility first.`,
    );
  if (facts.place?.excluded)
    wrong('firmFrom', `${facility.name} is excluded from contract ${contract.number}. End that roster entry first.`);
  if (errors.length > 0 || !tier) throw invalid(errors);
  const place = { contract, facility, tierId, from };
  const keeping = { db, user, today, now: services.clock.now() };
  await underFields(async () => {
    // In some cases only the letter is missing.
    if (facts.place?.tierId !== tierId) await putOnRoster(keeping, { ...place, to });
    if (lacksLetter(tier, from)) {
      const coversChildren = await coversChildrenOn(db, place);
      const { signer, signedOn, reason } = input;
      await approveLetter(keeping, { ...place, to, signer, signedOn: signedOn || null, note: reason, coversChildren });
    }
  });
  const until = to ? ` to ${formatDate(to)}` : '';
  return {
    tierId,
    firmFrom: from,
    sentence: `${tier.name} of contract ${contract.number} is approved from ${formatDate(from)}${until}.`,
  };
}

/** Renames errors of the field `from`, because the dialog's field is firmFrom. */
async function underFields(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof HttpError) || !error.errors) throw error;
    throw invalid(error.errors.map(({ path, message }) => ({ path: path === 'from' ? 'firmFrom' : path, message })));
  });
}

/** Whether the facility's own row of the roster covers its children. */
async function coversChildrenOn(
  db: Db,
  {
    contract,
    facility,
    tierId,
    from,
  }: { contract: { id: number }; facility: { id: number }; tierId: number; from: IsoDate },
): Promise<boolean> {
  const { rows } = await sql<{ covers: boolean }>`select covers_children as covers from contract_roster
    where contract_id = ${contract.id} and facility_id = ${facility.id} and tier_id = ${tierId}
      and valid_from <= ${from}::date and (valid_to is null or valid_to >= ${from}::date)`.execute(db);
  return rows[0]?.covers ?? false;
}

/** Ends the roster row and the letter that the approval wrote. Earlier rows and letters stay. */
async function revoke({ context, today, request, input }: Work): Promise<Outcome> {
  const { db, user, services } = context;
  const { decided, facility, contract } = request;
  if (!decided) throw new Error('an approved request says what was approved');
  const last = input.to || today;
  const place = { contract, facility, tierId: decided.tierId, from: decided.firmFrom, last };
  const keeping = { db, user, today, now: services.clock.now() };
  const row = await takeOffRoster(keeping, place);
  const letter = await endLetter(keeping, { ...place, note: input.reason });
  const ended = [row ? 'the roster entry' : '', letter ? 'the letter of commitment' : ''].filter(Boolean);
  const what = `${decided.tierName} of contract ${contract.number}`;
  return {
    sentence:
      ended.length > 0
        ? `The approval of ${what} was revoked. Its last day is ${formatDate(last)}. Ended: ${ended.join(' and ')}.`
        : `The approval of ${what} was revoked. The roster and the letters of commitment have changed since the approval and were not updated.`,
  };
}

/** Joins the draft's quotes to the request that already waits for the same tier. Null if there is none. */
async function submitToWaiting({ context, today, request }: Work): Promise<number | null> {
  const { db, user, services } = context;
  const [facts] = await contractFacts(db, {
    user,
    facilityId: request.facility.id,
    day: request.wantedFrom,
    today,
    itemIds: [],
    contractId: request.contract.id,
  });
  if (!facts || request.wantedFrom < facts.from || request.wantedFrom > facts.to)
    throw new HttpError(
      409,
      `Contract ${request.contract.number} is no longer valid on ${formatDate(request.wantedFrom)}.`,
    );
  if (facts.place?.excluded)
    throw new HttpError(409, `${request.facility.name} is excluded from contract ${request.contract.number}.`);
  const waiting = await lockWaiting(db, {
    contractId: request.contract.id,
    facilityId: request.facility.id,
    tierId: request.tier.id,
  });
  if (!waiting) return null;
  await sql`insert into eligibility_request_quote (request_id, quote_id, added_by, added_at)
    select ${waiting.id}, quote_id, added_by, ${services.clock.now().toISOString()}::timestamptz
      from eligibility_request_quote where request_id = ${request.id} on conflict do nothing`.execute(db);
  const reason = `Request ${waiting.id} is already waiting for the same tier.`;
  const { version } = await moveRequest(db, services.clock.now(), request.id, { state: 'Withdrawn', reason });
  const name = requestName(request.facility.name, request.contract, request.tier);
  const type = 'eligibilityRequest';
  await recordChange(db, user, { type, id: request.id, name, action: 'Withdraw', version, comment: reason });
  await recordChange(db, user, {
    type,
    id: waiting.id,
    name,
    action: 'Join quote',
    version: waiting.version,
    comment: request.note,
  });
  await repriceQuotesOf(context, waiting.id, request);
  return waiting.id;
}

const repriceAll = ({ context, request }: Work) => repriceQuotesOf(context, request.id, request);

async function repriceQuotesOf(context: ReadContext, requestId: number, { contract, tier }: RequestRow): Promise<void> {
  const quotes = await context.db
    .selectFrom('eligibility_request_quote')
    .select('quote_id')
    .where('request_id', '=', requestId)
    .where('added_by', '=', context.user.id)
    .orderBy('quote_id')
    .execute();
  for (const { quote_id: id } of quotes)
    await repriceJoined(context, id, contract.id, `${tier.name} of contract ${contract.number}`);
}
