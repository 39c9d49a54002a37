// Requests a tier of a contract: checks the input, finds or creates the one waiting request, and joins the quote to it.
import { sql } from 'kysely';
import type { z } from 'zod';
import { type FieldError, forbidden, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import {
  closeEdit,
  type Edit,
  openEdit,
  repriceLine,
  requireRight,
  staleError,
} from '#core/quoting/quote-edit/settle/edit-quote.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { stateSentence } from '#core/quoting/quote-workflow/workflow.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import { isOwnerSide } from '#core/quoting/quotes/sight.server.ts';
import { CLOSED_STATUSES, StatusId } from '#core/quoting/quotes/status.ts';
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { hasRole, isInternal } from '#platform/shared/roles.ts';
import { contractFacts } from './contract-facts.server.ts';
import type { Asked, EligibilityRequestInput } from './eligibility.contract.ts';
import { mailDesk } from './mail-desk.server.ts';
import { type RequestState, STATE_LABELS } from './request-steps.ts';
import { type ContractFacts, type FactsOfTier, tierNow } from './tier-offers.server.ts';

/** The most days by which the requested day may lie in the past or the future. */
const MAX_DAYS = 366;

type Input = z.output<typeof EligibilityRequestInput>;

/**
 * Throws 404 if the user does not see the quote or the contract, 403 if the user may not request tiers for this quote, 409 for a stale version or a
 * closed quote, and 422 with a message for other errors. If a request for the same contract, facility and tier is already waiting, the quote joins
 * it.
 */
export async function askForPlace(context: ReadContext, input: Input): Promise<Asked> {
  const { db, user, services } = context;
  const today = await requireContracts(context);
  const edit = await openEdit(context, input.quoteId);
  const { quote } = edit.before;
  if (!mayAsk(user, edit)) throw forbidden();
  if (input.version !== quote.version) throw await staleError(edit, 'quote');
  const statusId = StatusId.parse(quote.status_id);
  if (CLOSED_STATUSES.includes(statusId))
    throw new HttpError(
      409,
      `${stateSentence({ statusId, pending: false })} You cannot request contract prices for it.`,
    );
  if (quote.facility_id === null)
    throw invalid([{ path: 'quoteId', message: 'Choose a facility for the quote first.' }]);
  const request = { ...input, facilityId: quote.facility_id };
  const { contract, tier } = await requireAskable(edit, request, today);
  const what = `${tier.name} of contract ${contract.number}`;
  const result = input.draft
    ? await draftFor(db, user, services.clock.now(), request)
    : await waitingFor(db, user, services.clock.now(), request);
  await db
    .insertInto('eligibility_request_quote')
    .values({ request_id: result.id, quote_id: quote.id, added_by: user.id, added_at: services.clock.now() })
    .onConflict((on) => on.doNothing())
    .execute();
  await recordChange(db, user, {
    type: 'eligibilityRequest',
    id: result.id,
    name: requestName(quote.facility_name, contract, tier),
    action: result.wasThere ? 'Join quote' : 'Create',
    comment: `Quote ${quote.num}. ${input.note}`.trim(),
    version: result.version,
  });
  if (!input.draft && !result.wasThere) await mailDesk(db, services, user, result.id);
  const repriced = !input.draft && (await reprice(edit, input.lineIds, what));
  const after = await db
    .selectFrom('quote')
    .select(['version', 'total_amount as totalAmount', 'fallback_total as fallbackTotal'])
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  return {
    id: result.id,
    state: result.state,
    wasThere: result.wasThere,
    repriced,
    text: input.draft
      ? `The request for ${what} is saved as your draft.`
      : [
          result.wasThere
            ? `A request for ${what} is already waiting (${STATE_LABELS[result.state].toLowerCase()}). This quote was added to it.`
            : `You requested ${what}.`,
          repriced
            ? 'The lines now show the tier price, which is provisional until the request is approved.'
            : whyNotRepriced(edit, tier),
        ].join(' '),
    quote: after,
  };
}

export function requestName(facilityName: string, contract: { number: string }, tier: { name: string }): string {
  return `${facilityName} in ${contract.number}, ${tier.name}`;
}

/** Internal roles and sales administrators may request tiers for every quote, other users for their own quotes. */
export function mayAsk(user: Caller, { before: { quote } }: Edit): boolean {
  return isInternal(user) || hasRole(user, 'salesadmin') || isOwnerSide(user, quote);
}

function whyNotRepriced({ rights }: Edit, { provisionalAllowed }: FactsOfTier): string {
  if (!rights.commercial) return `Prices did not change: ${rights.reason || 'you cannot change prices on this quote.'}`;
  return provisionalAllowed
    ? 'Prices did not change because the tier does not lower them.'
    : 'Prices change after approval because the tier does not allow provisional prices.';
}

/** Reprices the lines if the user may edit the quote in its status. Otherwise only the history records that the quote waits. */
async function reprice(edit: Edit, lineIds: readonly number[], what: string): Promise<boolean> {
  const { quote } = edit.before;
  const { db, user } = edit.context;
  if (edit.rights.commercial) {
    requireRight(edit, 'commercial');
    for (const id of lineIds) repriceLine(edit, id);
    const edited = await closeEdit(edit, { action: 'RequestEligibility', comment: what });
    if (edited.isWritten) return edited.lines.some((line) => lineIds.includes(line.id) && line.fallback !== null);
  }
  await recordEvent(db, {
    quoteId: quote.id,
    userId: user.id,
    actor: user.fullName,
    action: 'JoinEligibility',
    revision: quote.revision,
    comment: what,
  });
  return false;
}

type AskedFor = Pick<Input, 'contractId' | 'tierId' | 'wantedFrom' | 'note' | 'lineIds'> & { facilityId: number };

/** The contract and the tier, if a quote may request them. Throws 404 if the user does not see the contract, otherwise 422 with a message. */
async function requireAskable(
  edit: Edit,
  request: AskedFor,
  today: IsoDate,
): Promise<{ contract: ContractFacts; tier: FactsOfTier }> {
  const { context, before } = edit;
  const { wantedFrom: day, contractId, facilityId } = request;
  const byId = new Map(before.lines.map((line) => [line.id, line]));
  const itemIds = before.lines.flatMap(({ item_id: id }) => (id === null ? [] : [id]));
  const [contract] = await contractFacts(context.db, {
    user: context.user,
    facilityId,
    day,
    today,
    itemIds,
    contractId,
  });
  if (!contract) throw notFound('contract');
  const tier = contract.tiers.find(({ id }) => id === request.tierId);
  if (!tier) throw invalid([{ path: 'tierId', message: 'This tier is not in the contract.' }]);
  const errors: FieldError[] = [];
  const wrong = (path: string, message: string) => errors.push({ path, message });
  if (day < addDays(today, -MAX_DAYS) || day > addDays(today, MAX_DAYS))
    wrong('wantedFrom', 'Choose a day within a year from today.');
  if (day < contract.from || day > contract.to)
    wrong(
      'wantedFrom',
      `Contract ${contract.number} is valid from ${formatDate(contract.from)} to ${formatDate(contract.to)}. Choose a day in this period.`,
    );
  if (currencyOf(contract.currnIdx) !== currencyOf(before.quote.currn_idx))
    wrong(
      'contractId',
      `Contract ${contract.number} is in ${currencyOf(contract.currnIdx)}, but the quote is in ${currencyOf(before.quote.currn_idx)}.`,
    );
  if (contract.place?.excluded)
    wrong('contractId', `${before.quote.facility_name} is excluded from contract ${contract.number}.`);
  else if (tierNow(contract, day) === tier)
    wrong('tierId', `${before.quote.facility_name} already has ${tier.name} of contract ${contract.number}.`);
  const offered = new Set(contract.lines.map(({ itemId }) => itemId));
  for (const [index, id] of request.lineIds.entries()) {
    const line = byId.get(id);
    if (!line) wrong(`lineIds.${index}`, 'This line is no longer on the quote.');
    else if (line.type !== 'item' || line.item_id === null || !offered.has(line.item_id))
      wrong(`lineIds.${index}`, `Line ${line.line_no} is not in contract ${contract.number}.`);
  }
  if (errors.length > 0) throw invalid(errors);
  return { contract, tier };
}

type FoundRequest = { id: number; state: RequestState; version: number; wasThere: boolean };

/** Updates the user's draft for the same tier, or creates one. */
async function draftFor(db: Db, user: Caller, now: Date, request: AskedFor): Promise<FoundRequest> {
  const row = await db
    .updateTable('eligibility_request')
    .set((eb) => ({
      wanted_from: request.wantedFrom,
      note: request.note,
      state_at: now,
      version: eb('version', '+', 1),
    }))
    .where('contract_id', '=', request.contractId)
    .where('facility_id', '=', request.facilityId)
    .where('tier_id', '=', request.tierId)
    .where('requested_by', '=', user.id)
    .where('state', '=', 'Draft')
    .returning(['id', 'version'])
    .executeTakeFirst();
  if (row) return { ...row, state: 'Draft', wasThere: true };
  const created = await insertRequest(db, user, now, request, 'Draft');
  if (!created) throw new Error('nothing keeps a draft from being written');
  return created;
}

/** Locks the request that waits for the same tier, or creates one. If two users request it at once, only one creates it. */
async function waitingFor(db: Db, user: Caller, now: Date, request: AskedFor): Promise<FoundRequest> {
  for (let turn = 0; turn < 5; turn++) {
    const result = await lockWaiting(db, request);
    if (result) return result;
    const created = await insertRequest(db, user, now, request, 'Requested');
    if (created) return created;
  }
  throw new HttpError(409, 'Someone else is requesting the same tier right now. Try again.');
}

/** Locks the request that waits for a contract, facility and tier. */
export async function lockWaiting(
  db: Db,
  { contractId, facilityId, tierId }: Pick<AskedFor, 'contractId' | 'facilityId' | 'tierId'>,
): Promise<FoundRequest | undefined> {
  const row = await db
    .selectFrom('eligibility_request')
    .select(['id', 'version', 'state'])
    .where('contract_id', '=', contractId)
    .where('facility_id', '=', facilityId)
    .where('tier_id', '=', tierId)
    .where('state', 'in', ['Requested', 'InReview', 'NeedInfo', 'SentToGpo'])
    .forUpdate()
    .executeTakeFirst();
  return row && { ...row, state: row.state as RequestState, wasThere: true };
}

/** Returns undefined if another request for the same tier is already waiting. */
async function insertRequest(
  db: Db,
  user: Caller,
  now: Date,
  { contractId, tierId, facilityId, wantedFrom, note }: AskedFor,
  state: 'Draft' | 'Requested',
): Promise<FoundRequest | undefined> {
  const { rows } = await sql<{ id: number; version: number }>`
    insert into eligibility_request (contract_id, tier_id, facility_id, state, wanted_from, note, requested_by, requested_at, state_at)
    values (${contractId}, ${tierId}, ${facilityId}, ${state}, ${wantedFrom}::date, ${note}, ${user.id}, ${now.toISOString()}::timestamptz,
            ${now.toISOString()}::timestamptz)
    on conflict do nothing returning id, version`.execute(db);
  const [created] = rows;
  return created && { ...created, state, wasThere: false };
}

/** Reprices the quote's lines that are in a contract, if the user may. A quote that the user does not see stays unchanged. */
export async function repriceJoined(context: ReadContext, quoteId: number, contractId: number, what: string) {
  const edit = await openEdit(context, quoteId).catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 404) return null;
    throw error;
  });
  if (!edit) return;
  const { rows } = await sql<{ id: number }>`select q.id from quote_item q
    where q.quote_id = ${quoteId} and q.type = 'item'
      and q.item_id in (select item_id from contract_line where contract_id = ${contractId})`.execute(context.db);
  await reprice(
    edit,
    rows.map(({ id }) => id),
    what,
  );
}
