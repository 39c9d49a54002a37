// Reads, checks and writes the head of a contract.
import { sql } from 'kysely';
import type { z } from 'zod';
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import {
  changesOf,
  lockForSave,
  oneRecord,
  otherWithName,
  type RecordKind,
  saveRecord,
} from '#platform/history/record-kit.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import type { Named } from '#platform/shared/wire.ts';
import { CONTRACT, type ContractEdit, type ContractInput, WholeContract } from '../contract-edit.ts';
import type { ContractState } from '../contract-status.ts';
import { awardInWords, gpoInWords } from '../contract-words.ts';
import { CONTRACT_COLUMNS, GPO_OF_CONTRACT } from './contract-head.server.ts';

type Whole = z.infer<typeof WholeContract>;

/** Throws 404 if there is no such contract. `lock` locks the row until the transaction ends. */
async function readContract(db: Db, id: number, lock?: 'lock'): Promise<ContractEdit> {
  const query = db
    .selectFrom('gpo_contract')
    .select([
      ...CONTRACT_COLUMNS,
      GPO_OF_CONTRACT,
      sql<string>`''`.as('newGpo'),
      sql<Named | null>`(select json_build_object('id', id, 'name', number) from gpo_contract before
        where id = gpo_contract.predecessor_id)`.as('predecessor'),
      'admin_fee_pct as adminFeePct',
      sql<ContractEdit['contact']>`(select json_build_object('id', id, 'name', full_name, 'userName', user_name)
        from app_user where id = gpo_contract.contact_id)`.as('contact'),
      'notes',
    ])
    .select((eb) => [
      eb.ref('state').$castTo<ContractState>().as('state'),
      eb.ref('open_to').$castTo<'roster' | 'members'>().as('openTo'),
    ])
    .where('id', '=', id);
  return oneRecord('contract', query, lock);
}

const blankContract = (today: IsoDate): ContractEdit => ({ ...CONTRACT.blank, from: today });

/** A contract to edit, with the choices of its form. Id 0 means a new contract. */
export async function contractToEdit(db: Db, id: number, today: IsoDate) {
  const contract = id === 0 ? blankContract(today) : await readContract(db, id);
  const gpos = await db.selectFrom('gpo').select(['id', 'name']).orderBy(sql`lower(name)`).execute();
  const categories = await db
    .selectFrom('gpo_contract')
    .select('category')
    .where('category', '<>', '')
    .groupBy('category')
    .orderBy(sql`lower(category)`)
    .execute();
  return { contract, gpos, categories: categories.map(({ category }) => category) };
}

/**
 * Saves the head of a contract. Fields left out keep their value. Throws 409 if another user changed it. Throws 422 for a number in use, days that
 * contradict each other, a predecessor that would form a cycle, a forbidden change of state, and a new currency after prices exist.
 */
export async function saveContract(
  { db, user, today }: { db: Db; user: Caller; today: IsoDate },
  { version, ...input }: z.output<typeof ContractInput>,
): Promise<ContractEdit> {
  const before = await lockForSave(db, KIND, { id: input.id, version });
  const values = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const checked = WholeContract.safeParse({ ...blankContract(today), ...before, ...values });
  if (!checked.success)
    throw invalid(checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  const whole = checked.data;
  const errors = [
    ...(await wrongNumber(db, input.id, whole)),
    ...(await wrongState(db, before, whole)),
    ...(await wrongPredecessor(db, input.id, whole)),
    ...(await wrongReferences(db, before, whole)),
  ];
  if (errors.length > 0) throw invalid(errors);
  const gpoId = whole.gpo === null ? null : whole.gpo.id || (await gpoNamed(db, whole.newGpo));
  const ends = before?.state === 'Active' && whole.state === 'Terminated';
  const starts = before?.state === 'Draft' && whole.state === 'Active';
  const step = ends ? { action: 'Terminate' as const } : starts ? { action: 'Activate' as const } : {};
  return saveRecord({ db, user }, KIND, before, contractColumns(whole, gpoId), step);
}

function contractColumns(whole: Whole, gpoId: number | null) {
  return {
    number: whole.number,
    gpo_id: gpoId,
    title: whole.title,
    category: whole.category,
    award_type: whole.awardType,
    currn_idx: whole.currnIdx,
    effective_from: whole.from,
    effective_to: whole.to,
    extended_to: whole.extendedTo,
    predecessor_id: whole.predecessor?.id ?? null,
    state: whole.state,
    terminated_on: whole.terminatedOn,
    open_to: whole.openTo,
    admin_fee_pct: whole.adminFeePct,
    price_firm_until: whole.priceFirmUntil,
    freight_terms: whole.freightTerms,
    payment_terms: whole.paymentTerms,
    minimum_order: whole.minimumOrder,
    returns_terms: whole.returnsTerms,
    eligibility: whole.eligibility,
    contact_id: whole.contact?.id ?? null,
    gpo_contact: whole.gpoContact,
    notes: whole.notes,
  };
}

async function wrongNumber(db: Db, id: number, { number }: Whole): Promise<FieldError[]> {
  const other = await otherWithName(db, 'contract', { id, name: number }, { column: 'number' });
  return other ? [{ path: 'number', message: `There is already a contract ${other.name}.` }] : [];
}

/** The state goes from Draft to Active to Terminated. A termination can be revoked, but a contract never returns to Draft. */
async function wrongState(db: Db, before: ContractEdit | null, { state }: Whole): Promise<FieldError[]> {
  const refused = (message: string) => [{ path: 'state', message }];
  if (!before) return state === 'Draft' ? [] : refused('A new contract is a draft. Add its tiers, then activate it.');
  if (state === before.state) return [];
  if (state === 'Draft')
    return refused('A contract that was active cannot become a draft again. Terminate it instead.');
  if (before.state !== 'Draft') return [];
  if (state === 'Terminated') return refused('A draft is not in force, so there is nothing to terminate.');
  const tier = await db
    .selectFrom('contract_tier')
    .select('id')
    .where('contract_id', '=', before.id)
    .executeTakeFirst();
  return tier ? [] : refused('Add a tier first: prices and rosters are kept by tier.');
}

async function wrongPredecessor(db: Db, id: number, { predecessor }: Whole): Promise<FieldError[]> {
  if (!predecessor) return [];
  // Holds this lock until the transaction ends. Otherwise two users could make two contracts each other's predecessor.
  await sql`select pg_advisory_xact_lock(hashtext('contract-predecessor'))`.execute(db);
  const refused = (message: string) => [{ path: 'predecessor', message }];
  const { rows } = await sql<{ id: number }>`with recursive before as (
      select id, predecessor_id from gpo_contract where id = ${predecessor.id}
      union select c.id, c.predecessor_id from gpo_contract c join before on c.id = before.predecessor_id)
    select id from before`.execute(db);
  if (rows.length === 0) return refused('This contract does not exist.');
  if (predecessor.id === id) return refused('A contract cannot follow itself.');
  return rows.some((row) => row.id === id) ? refused('That contract already follows this one.') : [];
}

async function wrongReferences(db: Db, before: ContractEdit | null, whole: Whole): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const { gpo, contact } = whole;
  if (gpo?.id && gpo.id !== before?.gpo?.id) {
    const row = await db.selectFrom('gpo').select('id').where('id', '=', gpo.id).executeTakeFirst();
    if (!row) errors.push({ path: 'gpo', message: 'This GPO does not exist.' });
  }
  if (contact && contact.id !== before?.contact?.id) {
    const row = await db
      .selectFrom('app_user')
      .select('id')
      .where('id', '=', contact.id)
      .where('active', '=', true)
      .executeTakeFirst();
    if (!row) errors.push({ path: 'contact', message: 'This person is not an active user.' });
  }
  if (before && currencyOf(whole.currnIdx) !== currencyOf(before.currnIdx)) {
    const priced = await db
      .selectFrom('contract_line_price')
      .innerJoin('contract_line', 'contract_line.id', 'contract_line_id')
      .select('contract_line.id')
      .where('contract_id', '=', before.id)
      .limit(1)
      .executeTakeFirst();
    const message = `Its prices are in ${currencyOf(before.currnIdx)}. A contract in another currency is a new one.`;
    if (priced) errors.push({ path: 'currnIdx', message });
  }
  return errors;
}

/** Returns the id of the GPO with a name. Adds the GPO if it does not exist. */
async function gpoNamed(db: Db, name: string): Promise<number> {
  // Holds this lock until the transaction ends. If two users add the same group simultaneously, the second one gets the first one's row.
  await sql`select pg_advisory_xact_lock(hashtext('gpo-name'), hashtext(${name.toLowerCase()}))`.execute(db);
  const row = await db
    .selectFrom('gpo')
    .select('id')
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst();
  return (row ?? (await db.insertInto('gpo').values({ name }).returning('id').executeTakeFirstOrThrow())).id;
}

const LABELS = { ...CONTRACT.labels, adminFeePct: 'Administrative fee %' };
/** The history's label for the administrative fee. Some users who can read the history may not see that entry. */
export const FEE_LABEL = LABELS.adminFeePct;

const KIND: RecordKind<ContractEdit, 'contract'> = {
  type: 'contract',
  read: readContract,
  nameOf: ({ number }) => number,
  changes: changesOf(LABELS, historyWords),
};

/** The values as text for the history. */
function historyWords(contract: ContractEdit) {
  return {
    ...contract,
    gpo: gpoInWords(contract.gpo?.name ?? null),
    awardType: awardInWords(contract.awardType),
    currnIdx: currencyOf(contract.currnIdx),
    from: formatDate(contract.from),
    to: formatDate(contract.to),
    extendedTo: formatDate(contract.extendedTo),
    terminatedOn: formatDate(contract.terminatedOn),
    openTo: contract.openTo === 'members' ? 'all members' : 'the roster',
    priceFirmUntil: formatDate(contract.priceFirmUntil),
  };
}
