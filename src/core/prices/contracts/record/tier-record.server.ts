// Reads, checks and writes the tiers of a contract.
import { sql } from 'kysely';
import type { z } from 'zod';
import { type FieldError, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import {
  lockForSave,
  oneRecord,
  type RecordKind,
  recordPart,
  saveRecord,
} from '#platform/history/record-kit.server.ts';
import { type TierInput, WholeTier } from '../contract-edit.ts';

/** A tier for its form. */
type Tier = {
  id: number;
  contractId: number;
  contractNumber: string;
  tierNo: number;
  name: string;
  requirement: string;
  needsLoc: boolean;
  fallbackTierId: number | null;
  fallbackNo: number | null;
  provisionalAllowed: boolean;
  version: number;
};
type SavedTier = Omit<Tier, 'contractNumber' | 'fallbackNo'>;
type Context = { db: Db; user: Caller };

async function readTier(db: Db, id: number, lock?: 'lock'): Promise<Tier> {
  const query = db
    .selectFrom('contract_tier')
    .select(['id', 'contract_id as contractId', 'tier_no as tierNo', 'name', 'requirement', 'needs_loc as needsLoc'])
    .select(['fallback_tier_id as fallbackTierId', 'provisional_allowed as provisionalAllowed', 'version'])
    .select([
      sql<string>`(select number from gpo_contract where id = contract_tier.contract_id)`.as('contractNumber'),
      sql<
        number | null
      >`(select tier_no from contract_tier fallback where fallback.id = contract_tier.fallback_tier_id)`.as(
        'fallbackNo',
      ),
    ])
    .where('id', '=', id);
  return oneRecord('contractTier', query, lock);
}

/**
 * Adds, changes or removes a tier. Throws 409 if another user changed it, or if something refers to a tier to remove. Throws 422 for a rank in use,
 * and for a fallback that is not a lower tier of the same contract, so that no chain of fallbacks forms a cycle.
 */
export async function saveTier(
  { db, user }: Context,
  { version, remove, ...input }: z.output<typeof TierInput>,
): Promise<SavedTier | null> {
  // Locks the contract, because its tiers are checked against each other.
  const contract = await db
    .selectFrom('gpo_contract')
    .select(['id', 'number'])
    .where('id', '=', input.contractId)
    .forUpdate()
    .executeTakeFirst();
  if (!contract) throw notFound('contract');
  const before = await lockForSave(db, TIER, { id: input.id, version });
  if (before && before.contractId !== contract.id) throw notFound('contract tier');
  if (remove) {
    if (before) await removeTier({ db, user }, before);
    return null;
  }
  const values = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const all = await db
    .selectFrom('contract_tier')
    .select(['id', 'tier_no as tierNo', 'name', 'fallback_tier_id as fallbackTierId'])
    .where('contract_id', '=', contract.id)
    .execute();
  const blank = { requirement: '', needsLoc: false, fallbackTierId: null, provisionalAllowed: false };
  const next = Math.max(0, ...all.map(({ tierNo }) => tierNo)) + 1;
  const checked = WholeTier.safeParse({ tierNo: next, name: '', ...blank, ...before, ...values });
  if (!checked.success)
    throw invalid(checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  const whole = checked.data;
  const errors = wrongRank(input.id, whole, all);
  if (errors.length > 0) throw invalid(errors);
  const {
    contractNumber: _number,
    fallbackNo: _no,
    ...saved
  } = await saveRecord({ db, user }, TIER, before, {
    contract_id: contract.id,
    tier_no: whole.tierNo,
    name: whole.name,
    requirement: whole.requirement,
    needs_loc: whole.needsLoc,
    fallback_tier_id: whole.fallbackTierId,
    provisional_allowed: whole.provisionalAllowed,
  });
  return saved;
}

type Other = { id: number; tierNo: number; name: string; fallbackTierId: number | null };

function wrongRank(id: number, whole: z.infer<typeof WholeTier>, all: Other[]): FieldError[] {
  const same = all.find((candidate) => candidate.id !== id && candidate.tierNo === whole.tierNo);
  if (same) return [{ path: 'tierNo', message: `Tier ${same.tierNo} is ${same.name}.` }];
  const refused = (message: string) => [{ path: 'fallbackTierId', message }];
  if (whole.fallbackTierId !== null) {
    const fallback = all.find((candidate) => candidate.id === whole.fallbackTierId);
    if (!fallback) return refused('This tier does not belong to the contract.');
    if (fallback.id === id || fallback.tierNo >= whole.tierNo) return refused('A tier must fall back to a lower one.');
  }
  const above = all.find(
    (candidate) => candidate.id !== id && candidate.fallbackTierId === id && candidate.tierNo <= whole.tierNo,
  );
  return above
    ? [{ path: 'tierNo', message: `Tier ${above.tierNo} falls back to this tier, which must stay below it.` }]
    : [];
}

async function removeTier({ db, user }: Context, tier: Tier): Promise<void> {
  const { rows } = await sql<{ what: string }>`
    select 'prices' as what where exists (select from contract_line_price where tier_id = ${tier.id})
    union all select 'facilities on the roster' where exists (select from contract_roster where tier_id = ${tier.id})
    union all select 'letters of commitment' where exists (select from contract_loc where tier_id = ${tier.id})
    union all select 'a tier that falls back to it' where exists (select from contract_tier where fallback_tier_id = ${tier.id})`.execute(
    db,
  );
  if (rows.length > 0) {
    const what = rows.map((row) => row.what).join(', ');
    throw new HttpError(409, `Tier ${tier.tierNo} has ${what}, so it cannot be removed.`);
  }
  await db.deleteFrom('contract_tier').where('id', '=', tier.id).execute();
  const shared = { id: tier.contractId, name: tier.contractNumber };
  await recordPart({ db, user }, 'contract', shared, 'Remove tier', {
    field: 'Tier',
    before: `${tier.tierNo}. ${tier.name}`,
    after: '',
  });
}

const LABELS = {
  tierNo: 'Tier',
  name: 'Name',
  requirement: 'Requirement',
  needsLoc: 'Needs a letter of commitment',
  fallbackNo: 'Falls back to tier',
  provisionalAllowed: 'Provisional prices allowed',
};

const TIER: RecordKind<Tier, 'contractTier'> = {
  type: 'contractTier',
  read: readTier,
  nameOf: ({ contractNumber, tierNo }) => `${contractNumber}, tier ${tierNo}`,
  changes: (before, after) => changesBetween(before ?? {}, after, LABELS),
};
