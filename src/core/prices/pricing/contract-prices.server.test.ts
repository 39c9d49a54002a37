// Tests which contract price a facility has on a day: roster, parents, members, letters of commitment, dated prices, successors (design 4).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '#platform/db/database.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import {
  aContract,
  aContractPrice,
  aGpo,
  aLetter,
  aMembership,
  aRosterRow,
  aTier,
} from '#testing/factories/contracts.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { resolvePrices } from './price-lines.server.ts';

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const LIST = 100;

/** An item at 100.00 a box, and its own facility with this number of ancestors. Returns the ancestors nearest first. */
async function aBuyer({ parents = 0 } = {}) {
  const { db } = database;
  const item = await anItem(db, { units: { EA: 1, BX: 10 }, prices: [{ unit: 'BX', price: LIST }] });
  const above: number[] = [];
  for (let level = 0; level < parents; level++) {
    above.unshift((await aFacility(db, above[0] === undefined ? {} : { parentId: above[0] })).id);
  }
  const facility = await aFacility(db, above[0] === undefined ? {} : { parentId: above[0] });
  return { item, facility, parents: above };
}

async function priceOn(priceDate: string, facilityId: number, itemId: number) {
  const terms = { facilityId, currnIdx: 1007, priceDate, places: 4 as const };
  const [price] = await resolvePrices(database.db, terms, [{ itemId, unit: 'BX', qty: 40 }]);
  if (!price) throw new Error('no answer');
  return price;
}

/** The price on a day, and its last day. */
async function termsOn(priceDate: string, facilityId: number, itemId: number) {
  const { systemPrice, priceEnds } = await priceOn(priceDate, facilityId, itemId);
  return [systemPrice, priceEnds];
}

const noteOf = (price: Awaited<ReturnType<typeof priceOn>>) =>
  price.proof.flatMap(({ step, note }) => (step === 'Contract' ? [note] : []));

test('a change of tier applies from its day, and the price of the earlier tier ends the day before', async () => {
  const { db } = database;
  const { item, facility } = await aBuyer();
  const {
    id: contractId,
    tierId,
    lineIds,
  } = await aContract(db, { lines: [{ itemId: item.id, price: 41, unit: 'BX' }] });
  const third = await aTier(db, { contractId, no: 3 });
  await aContractPrice(db, { lineId: lineIds[0] ?? 0, tierId: third.id, price: 38.5 });
  await aRosterRow(db, { contractId, facilityId: facility.id, tierId, to: '2026-10-31' });
  await aRosterRow(db, { contractId, facilityId: facility.id, tierId: third.id, from: '2026-11-01' });
  expect(await termsOn('2026-10-20', facility.id, item.id)).toEqual([41, '2026-10-31']);
  expect(await termsOn('2026-11-01', facility.id, item.id)).toEqual([38.5, '2099-12-31']);
});

test('the price row of the day applies', async () => {
  const { db } = database;
  const { item, facility } = await aBuyer();
  const contract = await aContract(db, {
    facilityIds: [facility.id],
    lines: [{ itemId: item.id, price: 40, unit: 'BX' }],
  });
  await db
    .updateTable('contract_line_price')
    .set({ valid_to: '2026-06-30' })
    .where('tier_id', '=', contract.tierId)
    .execute();
  await aContractPrice(db, {
    lineId: contract.lineIds[0] ?? 0,
    tierId: contract.tierId,
    price: 42,
    from: '2026-07-02',
  });
  expect(await termsOn('2026-06-30', facility.id, item.id)).toEqual([40, '2026-06-30']);
  const between = await priceOn('2026-07-01', facility.id, item.id);
  expect(between).toMatchObject({ systemPrice: LIST, priceSource: 'List' });
  expect(noteOf(between)[0]).toContain('Tier 1 has no price on this day');
  expect(await termsOn('2026-07-02', facility.id, item.id)).toEqual([42, '2099-12-31']);
});

describe('a tier that needs a letter of commitment', () => {
  async function committed(
    letters: { state?: string; from?: string; to?: string; atParent?: boolean; coversChildren?: boolean }[],
  ) {
    const { db } = database;
    const { item, facility, parents } = await aBuyer({ parents: 1 });
    const {
      id: contractId,
      tierId: base,
      lineIds,
    } = await aContract(db, {
      lines: [{ itemId: item.id, price: 45, unit: 'BX' }],
    });
    const third = await aTier(db, { contractId, no: 3, needsLoc: true, fallbackId: base });
    await aContractPrice(db, { lineId: lineIds[0] ?? 0, tierId: third.id, price: 38.5 });
    await aRosterRow(db, { contractId, facilityId: facility.id, tierId: third.id });
    for (const { atParent, ...letter } of letters) {
      const facilityId = atParent ? (parents[0] ?? 0) : facility.id;
      await aLetter(db, { contractId, tierId: third.id, facilityId, ...letter });
    }
    return priceOn('2026-10-10', facility.id, item.id);
  }

  test.each([
    ['none', [], 45, '2099-12-31', 'there is none'],
    ['sent', [{ state: 'Sent' }], 45, '2099-12-31', 'now: sent'],
    ['approved', [{}], 38.5, '2099-12-31', ''],
    ['approved to a day', [{ to: '2026-12-01' }], 38.5, '2026-12-01', ''],
    ['approved from tomorrow', [{ from: '2026-10-11' }], 45, '2099-12-31', 'approved from 10/11/2026'],
    ['ended yesterday', [{ to: '2026-10-09' }], 45, '2099-12-31', 'it ended on 10/09/2026'],
    ['revoked', [{ state: 'Revoked' }], 45, '2099-12-31', 'now: revoked'],
    ['approved, a newer one rejected', [{}, { state: 'Rejected' }], 38.5, '2099-12-31', ''],
    ['the parent’s for its facilities', [{ atParent: true, coversChildren: true }], 38.5, '2099-12-31', ''],
    ['the parent’s for itself', [{ atParent: true }], 45, '2099-12-31', 'there is none'],
  ])('%s', async (_, letters, price, ends, note) => {
    const result = await committed(letters);
    expect([result.systemPrice, result.priceEnds]).toEqual([price, ends]);
    expect(noteOf(result)[0]).toContain(
      note ? `Tier 3 needs an approved letter of commitment (${note}): tier 1 counts` : 'Taken',
    );
  });

  test('without a tier to fall back to has no contract price', async () => {
    const { db } = database;
    const { item, facility } = await aBuyer();
    await aContract(db, {
      needsLoc: true,
      facilityIds: [facility.id],
      lines: [{ itemId: item.id, price: 38.5, unit: 'BX' }],
    });
    expect(await priceOn('2026-10-10', facility.id, item.id)).toMatchObject({ systemPrice: LIST, priceSource: 'List' });
  });
});

describe('a successor', () => {
  const renewed = async (onNewRoster: boolean, overrides: { state?: 'Draft'; to?: string } = {}) => {
    const { db } = database;
    const { item, facility } = await aBuyer();
    const old = await aContract(db, {
      to: '2026-12-31',
      facilityIds: [facility.id],
      lines: [{ itemId: item.id, price: 40, unit: 'BX' }],
    });
    const successor = await aContract(db, {
      predecessorId: old.id,
      from: '2026-12-01',
      ...overrides,
      lines: [{ itemId: item.id, price: 42, unit: 'BX' }],
    });
    if (onNewRoster) {
      await aRosterRow(db, {
        contractId: successor.id,
        facilityId: facility.id,
        tierId: successor.tierId,
        from: '2026-12-01',
      });
    }
    return { item, facility, successor };
  };

  test('replaces its predecessor from its first day, for facilities on its roster', async () => {
    const { item, facility } = await renewed(true);
    expect(await termsOn('2026-11-30', facility.id, item.id)).toEqual([40, '2026-11-30']);
    expect(await termsOn('2026-12-01', facility.id, item.id)).toEqual([42, '2099-12-31']);
  });

  test('leaves the old contract’s price to facilities that are not on its roster', async () => {
    const { item, facility } = await renewed(false);
    expect(await termsOn('2026-12-01', facility.id, item.id)).toEqual([40, '2026-12-31']);
  });

  test('in draft replaces nothing', async () => {
    const { item, facility } = await renewed(true, { state: 'Draft' });
    expect(await termsOn('2026-12-01', facility.id, item.id)).toEqual([40, '2026-12-31']);
  });

  test('of a successor replaces the first one too', async () => {
    const { item, facility, successor } = await renewed(false, { to: '2026-12-05' });
    const third = await aContract(database.db, {
      predecessorId: successor.id,
      from: '2026-12-06',
      facilityIds: [facility.id],
      lines: [{ itemId: item.id, price: 44, unit: 'BX' }],
    });
    expect(third.id).toBeGreaterThan(successor.id);
    expect(await termsOn('2026-12-05', facility.id, item.id)).toEqual([40, '2026-12-05']);
    expect(await termsOn('2026-12-06', facility.id, item.id)).toEqual([44, '2099-12-31']);
  });
});

describe('through a parent', () => {
  test('an entry applies to children at every level if it covers them, but not to an excluded one or past a nearer entry', async () => {
    const { db } = database;
    const { item, facility, parents } = await aBuyer({ parents: 2 });
    const [near, far] = parents as [number, number];
    const brother = await aFacility(db, { parentId: near });
    const {
      id: contractId,
      tierId,
      lineIds,
    } = await aContract(db, { lines: [{ itemId: item.id, price: 50, unit: 'BX' }] });
    const bare = await aRosterRow(db, { contractId, facilityId: far, tierId });
    expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(LIST);
    await db.updateTable('contract_roster').set({ covers_children: true }).where('id', '=', bare.id).execute();
    const covered = await priceOn('2026-10-10', facility.id, item.id);
    expect(covered).toMatchObject({ systemPrice: 50, priceSource: 'Contract' });
    expect(noteOf(covered)[0]).toContain('On the roster through Facility');

    const second = await aTier(db, { contractId, no: 2 });
    await aContractPrice(db, { lineId: lineIds[0] ?? 0, tierId: second.id, price: 47 });
    await aRosterRow(db, { contractId, facilityId: near, tierId: second.id, coversChildren: true });
    expect((await priceOn('2026-10-10', brother.id, item.id)).systemPrice).toBe(47);

    await aRosterRow(db, { contractId, facilityId: facility.id, tierId: null, from: '2026-10-10', to: '2026-10-10' });
    const excluded = await priceOn('2026-10-10', facility.id, item.id);
    expect(excluded.systemPrice).toBe(LIST);
    expect(noteOf(excluded)[0]).toContain('the facility is excluded from the contract');
    expect((await priceOn('2026-10-11', facility.id, item.id)).systemPrice).toBe(47);
    expect((await priceOn('2026-10-10', brother.id, item.id)).systemPrice).toBe(47);
  });

  test('twelve facilities of a parent, one excluded: eleven have the price', async () => {
    const { db } = database;
    const { item, parents } = await aBuyer({ parents: 1 });
    const parentId = parents[0] ?? 0;
    const { id: contractId, tierId } = await aContract(db, { lines: [{ itemId: item.id, price: 50, unit: 'BX' }] });
    await aRosterRow(db, { contractId, facilityId: parentId, tierId, coversChildren: true });
    const children = [];
    for (let n = 0; n < 12; n++) children.push(await aFacility(db, { parentId }));
    await aRosterRow(db, { contractId, facilityId: children[4]?.id ?? 0, tierId: null });
    const prices = await Promise.all(children.map(({ id }) => priceOn('2026-10-10', id, item.id)));
    expect(prices.filter(({ systemPrice }) => systemPrice === 50)).toHaveLength(11);
  });

  test('the membership of the nearest facility that has one applies', async () => {
    const { db } = database;
    const { item, facility, parents } = await aBuyer({ parents: 1 });
    const [ours, theirs] = [await aGpo(db), await aGpo(db)];
    await aContract(db, {
      gpoId: theirs.id,
      facilityIds: [facility.id],
      lines: [{ itemId: item.id, price: 50, unit: 'BX' }],
    });
    await aMembership(db, { facilityId: parents[0] ?? 0, gpoId: ours.id });
    expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(LIST);
    const own = await aMembership(db, { facilityId: facility.id, gpoId: theirs.id });
    expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(50);
    await db.updateTable('gpo_membership').set({ gpo_id: ours.id }).where('id', '=', own.id).execute();
    expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(LIST);
  });
});

describe('a row of a roster is a membership in the GPO', () => {
  /** A facility on the roster of a contract of a new GPO that sells the item at the price. */
  async function listed(
    itemId: number,
    facilityId: number,
    price: number,
    input: Parameters<typeof aContract>[1] = {},
  ) {
    const gpo = await aGpo(database.db);
    const contract = await aContract(database.db, {
      gpoId: gpo.id,
      facilityIds: [facilityId],
      lines: [{ itemId, price, unit: 'BX' }],
      ...input,
    });
    return { gpo, ...contract };
  }

  test('and the one GPO whose rosters name the facility is its primary', async () => {
    const { db } = database;
    const { item, facility } = await aBuyer();
    const { gpo } = await listed(item.id, facility.id, 50, { to: '2026-12-31' });
    expect(await termsOn('2026-10-10', facility.id, item.id)).toEqual([50, '2026-12-31']);
    // Another contract of the same GPO adds no choice, and neither does a declared membership that is not primary.
    const lower = await aContract(db, {
      gpoId: gpo.id,
      facilityIds: [facility.id],
      lines: [{ itemId: item.id, price: 48, unit: 'BX' }],
    });
    const other = await aGpo(db);
    await aMembership(db, { facilityId: facility.id, gpoId: other.id, primary: false });
    const price = await priceOn('2026-10-10', facility.id, item.id);
    expect([price.systemPrice, price.choice]).toEqual([48, '']);
    // As a member, it also gets the contracts that are open to members.
    await aContract(db, { gpoId: gpo.id, openTo: 'members', lines: [{ itemId: item.id, price: 47, unit: 'BX' }] });
    expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(47);
    expect(lower.id).toBeGreaterThan(0);
  });

  test('two GPOs are a choice, which a declared primary makes', async () => {
    const { db } = database;
    const { item, facility } = await aBuyer();
    const first = await listed(item.id, facility.id, 50);
    const second = await listed(item.id, facility.id, 45, { from: '2026-10-05' });
    expect((await priceOn('2026-10-04', facility.id, item.id)).systemPrice).toBe(50);
    const names = [first.gpo.name, second.gpo.name].toSorted();
    const undecided = await priceOn('2026-10-10', facility.id, item.id);
    expect(undecided).toMatchObject({ systemPrice: LIST, priceSource: 'List' });
    expect(undecided.choice).toBe(
      `Two GPOs: choose. The rosters of ${names.join(' and ')} name the facility, and none of them is its primary GPO`,
    );
    await aMembership(db, { facilityId: facility.id, gpoId: first.gpo.id });
    const chosen = await priceOn('2026-10-10', facility.id, item.id);
    expect([chosen.systemPrice, chosen.choice]).toEqual([50, '']);
    expect(noteOf(chosen).join()).toContain(`Offered, not used: ${second.gpo.name} is not the declared primary GPO`);
  });

  test.each([
    ['a draft', { state: 'Draft' as const }],
    ['a contract that ended', { to: '2026-10-09' }],
    ['a contract that begins later', { from: '2026-10-11' }],
  ])('but not that of %s', async (_, input) => {
    const { item, facility } = await aBuyer();
    await listed(item.id, facility.id, 50);
    await listed(item.id, facility.id, 45, input);
    expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(50);
  });

  test('but not one that ended, begins later or excludes', async () => {
    const { db } = database;
    const { item, facility } = await aBuyer();
    await listed(item.id, facility.id, 50);
    const rows = [{ to: '2026-10-09' }, { from: '2026-10-11' }, { tierId: null }];
    for (const row of rows) {
      const contract = await listed(item.id, facility.id, 45, { facilityIds: [] });
      await aRosterRow(db, { contractId: contract.id, facilityId: facility.id, tierId: contract.tierId, ...row });
    }
    expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(50);
  });

  test('of the facility and of a parent that covers it', async () => {
    const { db } = database;
    const { item, facility, parents } = await aBuyer({ parents: 1 });
    const contract = await listed(item.id, facility.id, 50, { facilityIds: [] });
    const row = { contractId: contract.id, facilityId: parents[0] ?? 0, tierId: contract.tierId };
    await aRosterRow(db, { ...row, coversChildren: true });
    expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(50);
    await listed(item.id, facility.id, 45);
    expect((await priceOn('2026-10-10', facility.id, item.id)).choice).toContain('Two GPOs: choose');
  });
});

test('a contract that is open to members gives its lowest tier to each of them; a roster entry comes first', async () => {
  const { db } = database;
  const { item, facility } = await aBuyer();
  const gpo = await aGpo(db);
  const { id: contractId, lineIds } = await aContract(db, {
    gpoId: gpo.id,
    openTo: 'members',
    lines: [{ itemId: item.id, price: 50, unit: 'BX' }],
  });
  expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(LIST);
  await aMembership(db, { facilityId: facility.id, gpoId: gpo.id, to: '2026-10-31' });
  const member = await priceOn('2026-10-10', facility.id, item.id);
  expect([member.systemPrice, member.priceEnds]).toEqual([50, '2026-10-31']);
  expect(noteOf(member)[0]).toContain('Every member of');
  expect((await priceOn('2026-11-01', facility.id, item.id)).systemPrice).toBe(LIST);

  const second = await aTier(db, { contractId, no: 2 });
  await aContractPrice(db, { lineId: lineIds[0] ?? 0, tierId: second.id, price: 47 });
  await aRosterRow(db, { contractId, facilityId: facility.id, tierId: second.id });
  expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(47);
});

test.each([
  ['draft', { state: 'Draft' as const }, LIST],
  ['terminated yesterday', { state: 'Terminated' as const, terminatedOn: '2026-10-09' }, LIST],
  ['terminated today', { state: 'Terminated' as const, terminatedOn: '2026-10-10' }, 50],
  ['not begun', { from: '2026-10-11' }, LIST],
])('a contract: %s', async (_, input, price) => {
  const { item, facility } = await aBuyer();
  await aContract(database.db, {
    ...input,
    facilityIds: [facility.id],
    lines: [{ itemId: item.id, price: 50, unit: 'BX' }],
  });
  expect((await priceOn('2026-10-10', facility.id, item.id)).systemPrice).toBe(price);
});
