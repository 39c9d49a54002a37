// Approves a facility's letter of commitment from a day on, or ends it, for features that decide about tiers.
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { type Actor, recordChange } from '#platform/history/record-change.server.ts';
import { bumpRecord, storeRecord } from '#platform/history/record-kit.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { FIRST_STATES } from './letter-steps.ts';
import { LETTER_LABELS, letterInWords, lockLetter, otherApproved } from './letters.server.ts';

type Keeping = { db: Db; user: Actor; today: IsoDate; now: Date };
type OfLetter = {
  contract: { id: number; number: string };
  facility: { id: number; name: string };
  tierId: number;
  /** The first day. */
  from: IsoDate;
};

/**
 * Moves the facility's newest pending letter for the tier to Approved, or creates an approved one. `signer` and `signedOn` fill empty fields of the
 * letter. Throws 422 under signer or signedOn if they are missing, and under from if another letter is approved on these days.
 */
export async function approveLetter(
  { db, user, today, now }: Keeping,
  input: OfLetter & {
    to: IsoDate | null;
    signer: string;
    signedOn: IsoDate | null;
    note: string;
    coversChildren: boolean;
  },
): Promise<void> {
  const { contract, facility, tierId, from, to } = input;
  const row = await db
    .selectFrom('contract_loc')
    .select('id')
    .where('contract_id', '=', contract.id)
    .where('facility_id', '=', facility.id)
    .where('tier_id', '=', tierId)
    .where('state', 'in', FIRST_STATES)
    .orderBy('state_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const locked = row ? await lockLetter(db, row.id) : null;
  const before = locked && FIRST_STATES.includes(locked.state) ? locked : null;
  const signer = input.signer || before?.signer || '';
  const signedOn = input.signedOn ?? before?.signedOn ?? null;
  const errors: FieldError[] = [];
  if (!signer) errors.push({ path: 'signer', message: 'The tier needs a letter of commitment. Enter who signed it.' });
  if (!signedOn) errors.push({ path: 'signedOn', message: 'Enter the day on which the letter was signed.' });
  if (signedOn && signedOn > today) errors.push({ path: 'signedOn', message: 'This day is in the future.' });
  errors.push(...(await otherApproved(db, { id: before?.id ?? 0, tierId, facilityId: facility.id, from, to })));
  if (errors.length > 0) throw invalid(errors);
  const note = input.note || before?.note || '';
  const coversChildren = before?.coversChildren ?? input.coversChildren;
  const { id, version } = await storeRecord(db, 'letter', before?.id ?? 0, {
    contract_id: contract.id,
    facility_id: facility.id,
    tier_id: tierId,
    covers_children: coversChildren,
    state: 'Approved',
    state_at: now,
    valid_from: from,
    valid_to: to,
    signer,
    signed_on: signedOn,
    note,
    ...(before ? {} : { created_by: user.id }),
  });
  const after = await lockLetter(db, id);
  await recordChange(db, user, {
    type: 'letter',
    id,
    name: `${facility.name} in ${contract.number}`,
    action: before ? 'Edit' : 'Create',
    version,
    changes: changesBetween(before ? letterInWords(before) : {}, letterInWords(after), LETTER_LABELS),
  });
}

/**
 * Ends the facility's letter for the tier that was approved from that day. Revokes a letter that would end before it begins. Returns whether one
 * existed.
 */
export async function endLetter(
  { db, user, now }: Keeping,
  { contract, facility, tierId, from, last, note }: OfLetter & { last: IsoDate; note: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('contract_loc')
    .select('id')
    .where('contract_id', '=', contract.id)
    .where('facility_id', '=', facility.id)
    .where('tier_id', '=', tierId)
    .where('valid_from', '=', from)
    .where('state', '=', 'Approved')
    .executeTakeFirst();
  const before = row ? await lockLetter(db, row.id) : null;
  if (before?.state !== 'Approved') return false;
  if (before.to !== null && before.to <= last) return true;
  const values = last < before.from ? { state: 'Revoked', state_at: now } : { valid_to: last };
  const { version } = await bumpRecord(db, 'letter', before.id, { ...values, note });
  const after = await lockLetter(db, before.id);
  await recordChange(db, user, {
    type: 'letter',
    id: before.id,
    name: `${facility.name} in ${contract.number}`,
    action: 'Edit',
    version,
    changes: changesBetween(letterInWords(before), letterInWords(after), LETTER_LABELS),
  });
  return true;
}
