// A facility's agreements for tests: account prices, GPOs, and their contracts.
import type { Db } from '#platform/db/database.server.ts';

let last = 0;
const next = () => ++last;

export async function anAccountPrice(
  db: Db,
  given: {
    facilityId: number;
    itemId: number;
    price: number;
    unit?: string;
    minQty?: number;
    from?: string;
    to?: string | null;
    reference?: string;
  },
): Promise<{ id: number }> {
  return db
    .insertInto('account_price')
    .values({
      facility_id: given.facilityId,
      item_id: given.itemId,
      unit: given.unit ?? 'EA',
      price: given.price,
      min_qty: given.minQty ?? 1,
      reference: given.reference ?? '',
      ...(given.from === undefined ? {} : { valid_from: given.from }),
      valid_to: given.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

export async function aGpo(db: Db, given: { name?: string } = {}): Promise<{ id: number; name: string }> {
  const name = given.name ?? `GPO ${next()}`;
  const { id } = await db.insertInto('gpo').values({ name }).returning('id').executeTakeFirstOrThrow();
  return { id, name };
}

/** A GPO membership since 2020, the primary one unless the test says otherwise. */
export async function aMembership(
  db: Db,
  given: { facilityId: number; gpoId: number; primary?: boolean; to?: string | null },
): Promise<{ id: number }> {
  return db
    .insertInto('gpo_membership')
    .values({
      facility_id: given.facilityId,
      gpo_id: given.gpoId,
      is_primary: given.primary ?? true,
      valid_from: '2020-01-01',
      valid_to: given.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A tier of a contract, with the given letter of commitment and fallback. */
export async function aTier(
  db: Db,
  given: {
    contractId: number;
    no: number;
    name?: string;
    needsLoc?: boolean;
    fallbackId?: number;
    provisional?: boolean;
  },
): Promise<{ id: number }> {
  return db
    .insertInto('contract_tier')
    .values({
      contract_id: given.contractId,
      tier_no: given.no,
      name: given.name ?? `Tier ${given.no}`,
      needs_loc: given.needsLoc ?? false,
      fallback_tier_id: given.fallbackId ?? null,
      provisional_allowed: given.provisional ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A price of a contract's line in a tier, from 2020 on unless the test says otherwise. */
export async function aContractPrice(
  db: Db,
  given: { lineId: number; tierId: number; price: number; from?: string; to?: string | null },
): Promise<{ id: number }> {
  return db
    .insertInto('contract_line_price')
    .values({
      contract_line_id: given.lineId,
      tier_id: given.tierId,
      price: given.price,
      valid_from: given.from ?? '2020-01-01',
      valid_to: given.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** An entry on a contract's roster since 2020; without a tier it excludes the facility. */
export async function aRosterRow(
  db: Db,
  given: {
    contractId: number;
    facilityId: number;
    tierId: number | null;
    coversChildren?: boolean;
    from?: string;
    to?: string | null;
  },
): Promise<{ id: number }> {
  return db
    .insertInto('contract_roster')
    .values({
      contract_id: given.contractId,
      facility_id: given.facilityId,
      tier_id: given.tierId,
      excluded: given.tierId === null,
      covers_children: given.coversChildren ?? false,
      valid_from: given.from ?? '2020-01-01',
      valid_to: given.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A letter of commitment, approved since 2020 unless the test says otherwise. */
export async function aLetter(
  db: Db,
  given: {
    contractId: number;
    tierId: number;
    facilityId: number;
    state?: string;
    coversChildren?: boolean;
    from?: string;
    to?: string | null;
  },
): Promise<{ id: number }> {
  return db
    .insertInto('contract_loc')
    .values({
      contract_id: given.contractId,
      tier_id: given.tierId,
      facility_id: given.facilityId,
      covers_children: given.coversChildren ?? false,
      state: given.state ?? 'Approved',
      valid_from: given.from ?? '2020-01-01',
      valid_to: given.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** An eligibility request, open unless the test says otherwise, that these quotes wait for. */
export async function anEligibilityRequest(
  db: Db,
  given: {
    contractId: number;
    tierId: number;
    facilityId: number;
    by: number;
    quoteIds?: number[];
    state?: string;
    wantedFrom?: string;
  },
): Promise<{ id: number }> {
  const request = await db
    .insertInto('eligibility_request')
    .values({
      contract_id: given.contractId,
      tier_id: given.tierId,
      facility_id: given.facilityId,
      requested_by: given.by,
      state: given.state ?? 'Requested',
      wanted_from: given.wantedFrom ?? '2026-01-01',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const quoteId of given.quoteIds ?? []) {
    await db
      .insertInto('eligibility_request_quote')
      .values({ request_id: request.id, quote_id: quoteId, added_by: given.by })
      .execute();
  }
  return request;
}

/** A contract with one tier, from 2020 to the end of 2099 unless the test says otherwise, with these facilities on its roster. Without a GPO it is a local agreement. */
export async function aContract(
  db: Db,
  given: {
    gpoId?: number | null;
    number?: string;
    from?: string;
    to?: string;
    state?: 'Draft' | 'Active' | 'Terminated';
    terminatedOn?: string;
    openTo?: 'roster' | 'members';
    predecessorId?: number;
    extendedTo?: string;
    needsLoc?: boolean;
    /** The state of each facility's letter of commitment. Undefined: no letters. */
    locState?: string;
    facilityIds?: number[];
    lines?: { itemId: number; price: number; unit?: string; to?: string }[];
  } = {},
): Promise<{ id: number; number: string; tierId: number; lineIds: number[] }> {
  const number = given.number ?? `C-${1000 + next()}`;
  const { id } = await db
    .insertInto('gpo_contract')
    .values({
      number,
      gpo_id: given.gpoId ?? null,
      title: `Contract ${number}`,
      effective_from: given.from ?? '2020-01-01',
      state: given.state ?? 'Active',
      terminated_on: given.terminatedOn ?? null,
      open_to: given.openTo ?? 'roster',
      predecessor_id: given.predecessorId ?? null,
      effective_to: given.to ?? '2099-12-31',
      extended_to: given.extendedTo ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: tierId } = await db
    .insertInto('contract_tier')
    .values({ contract_id: id, tier_no: 1, name: 'Tier 1', needs_loc: given.needsLoc ?? false })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lineIds: number[] = [];
  for (const line of given.lines ?? []) {
    const { id: lineId } = await db
      .insertInto('contract_line')
      .values({ contract_id: id, item_id: line.itemId, unit: line.unit ?? 'EA', valid_to: line.to ?? null })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('contract_line_price')
      .values({ contract_line_id: lineId, tier_id: tierId, price: line.price, valid_from: '2020-01-01' })
      .execute();
    lineIds.push(lineId);
  }
  for (const facility_id of given.facilityIds ?? []) {
    await db
      .insertInto('contract_roster')
      .values({ contract_id: id, facility_id, tier_id: tierId, valid_from: '2020-01-01' })
      .execute();
    if (given.locState) {
      await db
        .insertInto('contract_loc')
        .values({ contract_id: id, tier_id: tierId, facility_id, state: given.locState, valid_from: '2020-01-01' })
        .execute();
    }
  }
  return { id, number, tierId, lineIds };
}
