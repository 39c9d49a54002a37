// A facility's agreements for tests: account prices, GPOs, and their contracts.
import type { Db } from '#platform/db/database.server.ts';

let last = 0;
const next = () => ++last;

export async function anAccountPrice(
  db: Db,
  overrides: {
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
      facility_id: overrides.facilityId,
      item_id: overrides.itemId,
      unit: overrides.unit ?? 'EA',
      price: overrides.price,
      min_qty: overrides.minQty ?? 1,
      reference: overrides.reference ?? '',
      ...(overrides.from === undefined ? {} : { valid_from: overrides.from }),
      valid_to: overrides.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

export async function aGpo(db: Db, overrides: { name?: string } = {}): Promise<{ id: number; name: string }> {
  const name = overrides.name ?? `GPO ${next()}`;
  const { id } = await db.insertInto('gpo').values({ name }).returning('id').executeTakeFirstOrThrow();
  return { id, name };
}

/** A GPO membership since 2020, the primary one unless the test says otherwise. */
export async function aMembership(
  db: Db,
  overrides: { facilityId: number; gpoId: number; primary?: boolean; to?: string | null },
): Promise<{ id: number }> {
  return db
    .insertInto('gpo_membership')
    .values({
      facility_id: overrides.facilityId,
      gpo_id: overrides.gpoId,
      is_primary: overrides.primary ?? true,
      valid_from: '2020-01-01',
      valid_to: overrides.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A tier of a contract, with the given letter of commitment and fallback. */
export async function aTier(
  db: Db,
  overrides: {
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
      contract_id: overrides.contractId,
      tier_no: overrides.no,
      name: overrides.name ?? `Tier ${overrides.no}`,
      needs_loc: overrides.needsLoc ?? false,
      fallback_tier_id: overrides.fallbackId ?? null,
      provisional_allowed: overrides.provisional ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A price of a contract's line in a tier, from 2020 on unless the test says otherwise. */
export async function aContractPrice(
  db: Db,
  overrides: { lineId: number; tierId: number; price: number; from?: string; to?: string | null },
): Promise<{ id: number }> {
  return db
    .insertInto('contract_line_price')
    .values({
      contract_line_id: overrides.lineId,
      tier_id: overrides.tierId,
      price: overrides.price,
      valid_from: overrides.from ?? '2020-01-01',
      valid_to: overrides.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** An entry on a contract's roster since 2020; without a tier it excludes the facility. */
export async function aRosterRow(
  db: Db,
  overrides: {
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
      contract_id: overrides.contractId,
      facility_id: overrides.facilityId,
      tier_id: overrides.tierId,
      excluded: overrides.tierId === null,
      covers_children: overrides.coversChildren ?? false,
      valid_from: overrides.from ?? '2020-01-01',
      valid_to: overrides.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A letter of commitment, approved since 2020 unless the test says otherwise. */
export async function aLetter(
  db: Db,
  overrides: {
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
      contract_id: overrides.contractId,
      tier_id: overrides.tierId,
      facility_id: overrides.facilityId,
      covers_children: overrides.coversChildren ?? false,
      state: overrides.state ?? 'Approved',
      valid_from: overrides.from ?? '2020-01-01',
      valid_to: overrides.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** An eligibility request, open unless the test says otherwise, that these quotes wait for. */
export async function anEligibilityRequest(
  db: Db,
  overrides: {
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
      contract_id: overrides.contractId,
      tier_id: overrides.tierId,
      facility_id: overrides.facilityId,
      requested_by: overrides.by,
      state: overrides.state ?? 'Requested',
      wanted_from: overrides.wantedFrom ?? '2026-01-01',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const quoteId of overrides.quoteIds ?? []) {
    await db
      .insertInto('eligibility_request_quote')
      .values({ request_id: request.id, quote_id: quoteId, added_by: overrides.by })
      .execute();
  }
  return request;
}

/** A contract with one tier, from 2020 to the end of 2099 unless the test says otherwise, with these facilities on its roster. Without a GPO it is a local agreement. */
export async function aContract(
  db: Db,
  overrides: {
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
  const number = overrides.number ?? `C-${1000 + next()}`;
  const { id } = await db
    .insertInto('gpo_contract')
    .values({
      number,
      gpo_id: overrides.gpoId ?? null,
      title: `Contract ${number}`,
      effective_from: overrides.from ?? '2020-01-01',
      state: overrides.state ?? 'Active',
      terminated_on: overrides.terminatedOn ?? null,
      open_to: overrides.openTo ?? 'roster',
      predecessor_id: overrides.predecessorId ?? null,
      effective_to: overrides.to ?? '2099-12-31',
      extended_to: overrides.extendedTo ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: tierId } = await db
    .insertInto('contract_tier')
    .values({ contract_id: id, tier_no: 1, name: 'Tier 1', needs_loc: overrides.needsLoc ?? false })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lineIds: number[] = [];
  for (const line of overrides.lines ?? []) {
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
  for (const facility_id of overrides.facilityIds ?? []) {
    await db
      .insertInto('contract_roster')
      .values({ contract_id: id, facility_id, tier_id: tierId, valid_from: '2020-01-01' })
      .execute();
    if (overrides.locState) {
      await db
        .insertInto('contract_loc')
        .values({ contract_id: id, tier_id: tierId, facility_id, state: overrides.locState, valid_from: '2020-01-01' })
        .execute();
    }
  }
  return { id, number, tierId, lineIds };
}
