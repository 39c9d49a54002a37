// What the random companies of the proof of reports share: items of a few classes, contracts with tiers, a promotion, people and places.
import type { Db } from '#platform/db/database.server.ts';
import { aContractPrice, aGpo, aTier } from '../factories/contracts.server.ts';
import { anItem, anItemClass, aPromotion } from '../factories/catalog.server.ts';
import { aFacility, aRegion, aTerritory, aUser } from '../factories/people.server.ts';
import type { Catalog, Company, Deal } from './random-deals.server.ts';

/** One that goes on because it was extended, one that ends soon, and one that was ended. */
const CONTRACT_DAYS: { effective_to: string; extended_to?: string; terminated_on?: string }[] = [
  { effective_to: '2026-10-31', extended_to: '2099-12-31' },
  { effective_to: '2026-12-31' },
  { effective_to: '2099-12-31', terminated_on: '2026-11-01' },
];

export async function dealCatalog(db: Db): Promise<Catalog> {
  const groups = [await anItemClass(db), await anItemClass(db), await anItemClass(db)];
  const items: number[] = [];
  const classes = new Map<number, number>();
  for (let n = 0; n < 9; n++) {
    const group = groups[n % groups.length];
    const { id } = await anItem(db, { price: 10, ...(group ? { classId: group.id } : {}) });
    items.push(id);
    classes.set(id, group?.id ?? 0);
  }
  const contractLines: Catalog['contractLines'] = [];
  const gpo = await aGpo(db);
  const endsOn: Catalog['endsOn'] = new Map();
  for (const [n, days] of CONTRACT_DAYS.entries()) {
    const { id: contractId } = await db
      .insertInto('gpo_contract')
      .values({
        number: `PROOF-${n}`,
        gpo_id: gpo.id,
        title: `Proof ${n}`,
        effective_from: '2020-01-01',
        ...days,
        state: days.terminated_on ? 'Terminated' : 'Active',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    endsOn.set(contractId, days.terminated_on ?? days.extended_to ?? days.effective_to);
    const tiers = [await aTier(db, { contractId, no: 1 }), await aTier(db, { contractId, no: 2 })];
    for (const itemId of items.slice(n, n + 3)) {
      const line = await db
        .insertInto('contract_line')
        .values({ contract_id: contractId, item_id: itemId, unit: 'EA' })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const tier of tiers) {
        await aContractPrice(db, { lineId: line.id, tierId: tier.id, price: 9 });
        contractLines.push({ id: line.id, contractId, tierId: tier.id });
      }
    }
  }
  const [first = 0] = items;
  await aPromotion(db, { itemId: first });
  const promotion = await db
    .selectFrom('promotion')
    .select('id')
    .where('item_id', '=', first)
    .executeTakeFirstOrThrow();
  const rules = await db.selectFrom('approval_rule').select('id').orderBy('id').limit(3).execute();
  const approver = await aUser(db, { roles: ['salesadmin'] });
  return {
    items,
    classes,
    contractLines,
    endsOn,
    promotionId: promotion.id,
    rules: rules.map(({ id }) => id),
    approver: approver.id,
  };
}

const TRADES = ['Acute care', 'Clinic', ''];

/** A region with its territories, reps and facilities, which no other company has. */
export async function aPlace(
  db: Db,
  n: number,
): Promise<Pick<Company, 'regionId' | 'territories' | 'reps'> & { facilities: Deal['facility'][] }> {
  const region = await aRegion(db);
  const territories: number[] = [];
  for (let at = 0; at <= n % 2; at++) territories.push((await aTerritory(db, { regionId: region.id })).id);
  const reps: number[] = [];
  for (let at = 0; at <= n % 3; at++) reps.push((await aUser(db)).id);
  const facilities: Deal['facility'][] = [];
  for (const trade of TRADES) {
    const { id } = await aFacility(db);
    await db.updateTable('facility').set({ class_of_trade: trade }).where('id', '=', id).execute();
    facilities.push({ id, trade });
  }
  return { regionId: region.id, territories, reps, facilities };
}
