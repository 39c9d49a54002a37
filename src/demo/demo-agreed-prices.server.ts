// Fills the agreed prices of the demo company's facilities: contracts with tiers, lines and rosters, and account prices.
import type { Db } from '#platform/db/database.server.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import { type Decimal, lessPercent } from '#platform/shared/money.ts';
import { CLASSES } from './catalog.server.ts';
import type { CatalogItem } from './demo-catalog.server.ts';
import type { DemoFacility } from './demo-places.server.ts';
import { followIds, insertRows } from './insert-rows.server.ts';
import type { Random } from './random.server.ts';

export type DemoContract = {
  id: number;
  number: string;
  gpoId: number | null;
  from: IsoDate;
  to: IsoDate;
  tiers: { id: number; tierNo: number; name: string; needsLoc: boolean }[];
  /** By item: the line and its price by tier. */
  lines: Map<number, { id: number; unit: string; prices: Map<number, Decimal> }>;
  /** The tier by facility. A facility that is covered by its parent's row has no row of its own. */
  roster: Map<
    number,
    { tierId: number; locState: string | null; coversChildren?: true; coveredBy?: string; excluded?: true }
  >;
};
export type DemoContracts = {
  contracts: DemoContract[];
  gpoNames: string[];
  memberships: Map<number, { gpoId: number; isPrimary: boolean }[]>;
};

const GPOS = ['Unified Care Purchasing', 'Keystone Health Alliance', 'Prairie States GPO'];

export async function fillContracts(
  db: Db,
  random: Random,
  items: CatalogItem[],
  facilities: DemoFacility[],
  today: IsoDate,
): Promise<DemoContracts> {
  await insertRows(
    db,
    'gpo',
    GPOS.map((name, index) => ({ id: index + 1, name })),
  );
  const memberships = new Map(
    facilities.flatMap((facility) => {
      if (!random.chance(0.8)) return [];
      const primary = random.int(1, GPOS.length);
      const all = [{ gpoId: primary, isPrimary: true }];
      if (random.chance(0.15)) all.push({ gpoId: (primary % GPOS.length) + 1, isPrimary: false });
      return [[facility.id, all] as const];
    }),
  );
  await insertRows(
    db,
    'gpo_membership',
    [...memberships].flatMap(([facility_id, all]) =>
      all.map((entry) => ({
        facility_id,
        gpo_id: entry.gpoId,
        member_id: `M${String(facility_id * 31 + entry.gpoId).padStart(7, '0')}`,
        is_primary: entry.isPrimary,
        valid_from: '2022-01-01',
        valid_to: null,
      })),
    ),
  );
  const ids = { tier: 0, line: 0 };
  const contracts = [...Array(8).keys()].map((index): DemoContract => {
    const gpoId = index === 7 ? null : (index % GPOS.length) + 1;
    const group = (index * 5) % CLASSES.length;
    const tiers = (gpoId === null ? ['Local'] : ['Access', 'Commitment 60%', 'Commitment 85%']).map((name, at) => ({
      id: ++ids.tier,
      tierNo: at + 1,
      name,
      needsLoc: at === 2,
    }));
    const covered = items
      .filter(
        (item) => (item.classIndex === group || item.classIndex === (group + 3) % CLASSES.length) && random.chance(0.6),
      )
      .slice(0, 150);
    const lines = new Map(
      covered.map((item) => {
        const unit = Object.keys(item.units).at(-1) ?? 'EA';
        const list = item.prices.find((price) => price.unit === unit && price.minQty === 1)?.price ?? 0;
        return [
          item.id,
          {
            id: ++ids.line,
            unit,
            prices: new Map(tiers.map((tier, at) => [tier.id, lessPercent(list, 8 + at * 5 + random.int(0, 4))])),
          },
        ] as const;
      }),
    );
    const members =
      gpoId === null
        ? facilities.slice(0, 12)
        : facilities.filter((facility) => memberships.get(facility.id)?.some((candidate) => candidate.gpoId === gpoId));
    const roster = new Map(
      members.flatMap((facility) => {
        if (!random.chance(0.7)) return [];
        const tier = random.pick(tiers);
        return [
          [
            facility.id,
            { tierId: tier.id, locState: tier.needsLoc ? random.pick(['Approved', 'Approved', 'Received']) : null },
          ] as const,
        ];
      }),
    );
    if (gpoId === null) coverFamily(roster, facilities, tiers[0]?.id ?? 0);
    const number = `${gpoId === null ? 'L' : (GPOS[gpoId - 1]?.[0] ?? 'G')}-${2231 + index * 17}`;
    return {
      id: index + 1,
      number,
      gpoId,
      from: addDays(today, -500 + index * 30),
      to: addDays(today, index === 2 ? 45 : 200 + index * 60),
      tiers,
      lines,
      roster,
    };
  });
  await storeContracts(db, random, contracts);
  for (const table of ['gpo', 'gpo_contract', 'contract_tier', 'contract_line']) await followIds(db, table);
  return { contracts, gpoNames: GPOS, memberships };
}

async function storeContracts(db: Db, random: Random, contracts: readonly DemoContract[]): Promise<void> {
  await insertRows(
    db,
    'gpo_contract',
    contracts.map((contract, index) => ({
      id: contract.id,
      number: contract.number,
      gpo_id: contract.gpoId,
      title: `${CLASSES[(index * 5) % CLASSES.length]?.name ?? ''} and related supplies`,
      category: CLASSES[(index * 5) % CLASSES.length]?.name ?? '',
      award_type: contract.gpoId === null ? 'local' : random.pick(['sole', 'dual', 'multi']),
      currn_idx: 1007,
      effective_from: contract.from,
      effective_to: contract.to,
      version: 1,
    })),
  );
  await insertRows(
    db,
    'contract_tier',
    contracts.flatMap((contract) =>
      contract.tiers.map((tier) => ({
        id: tier.id,
        contract_id: contract.id,
        tier_no: tier.tierNo,
        name: tier.name,
        requirement: tier.needsLoc ? 'Signed letter of commitment, 85% of purchases' : '',
        needs_loc: tier.needsLoc,
      })),
    ),
  );
  await insertRows(
    db,
    'contract_line',
    contracts.flatMap((contract) =>
      [...contract.lines].map(([item_id, line]) => ({
        id: line.id,
        contract_id: contract.id,
        item_id,
        unit: line.unit,
      })),
    ),
  );
  await insertRows(
    db,
    'contract_line_price',
    contracts.flatMap((contract) =>
      [...contract.lines.values()].flatMap((line) =>
        [...line.prices].map(([tier_id, price]) => ({
          contract_line_id: line.id,
          tier_id,
          price,
          valid_from: contract.from,
        })),
      ),
    ),
  );
  await insertRows(
    db,
    'contract_roster',
    contracts.flatMap((contract) =>
      [...contract.roster]
        .filter(([, { coveredBy }]) => coveredBy === undefined)
        .map(([facility_id, row]) => ({
          contract_id: contract.id,
          facility_id,
          tier_id: row.excluded ? null : row.tierId,
          member_id: `M${facility_id}`,
          covers_children: row.coversChildren ?? false,
          excluded: row.excluded ?? false,
          valid_from: contract.from,
          valid_to: null,
        })),
    ),
  );
  await insertRows(
    db,
    'contract_loc',
    contracts.flatMap((contract) =>
      [...contract.roster].flatMap(([facility_id, row]) =>
        row.locState
          ? [
              {
                contract_id: contract.id,
                tier_id: row.tierId,
                facility_id,
                state: row.locState,
                valid_from: contract.from,
              },
            ]
          : [],
      ),
    ),
  );
}

/** The first health system buys as a whole under the local agreement, except its last child. */
function coverFamily(roster: DemoContract['roster'], facilities: readonly DemoFacility[], tierId: number): void {
  const [parent] = facilities;
  if (!parent) return;
  const children = facilities.filter(({ parentId }) => parentId === parent.id);
  const row = { tierId, locState: null };
  roster.set(parent.id, { ...row, coversChildren: true });
  for (const child of children) roster.set(child.id, { ...row, coveredBy: parent.name });
  const last = children.at(-1);
  if (last) roster.set(last.id, { ...row, excluded: true });
}

export type DemoAccountPrice = { id: number; facilityId: number; itemId: number; unit: string; price: Decimal };

/** One facility in ten has account prices on a dozen items. */
export async function fillAccountPrices(
  db: Db,
  random: Random,
  items: CatalogItem[],
  facilities: DemoFacility[],
): Promise<DemoAccountPrice[]> {
  const rows: DemoAccountPrice[] = [];
  for (const facility of facilities) {
    if (!random.chance(0.1) || facility.currnIdx !== 1007) continue;
    const start = random.int(0, items.length - 1);
    for (let n = 0; n < Math.min(12, items.length); n++) {
      const item = items[(start + n * 7) % items.length];
      const list = item?.prices.find((price) => price.currnIdx === 1007);
      if (item && list)
        rows.push({
          id: rows.length + 1,
          facilityId: facility.id,
          itemId: item.id,
          unit: list.unit,
          price: lessPercent(list.price, random.int(4, 12)),
        });
    }
  }
  const unique = [...new Map(rows.map((row) => [`${row.facilityId} ${row.itemId} ${row.unit}`, row])).values()];
  await insertRows(
    db,
    'account_price',
    unique.map((row) => ({
      id: row.id,
      facility_id: row.facilityId,
      item_id: row.itemId,
      currn_idx: 1007,
      unit: row.unit,
      min_qty: 1,
      price: row.price,
      valid_from: '2023-01-01',
      valid_to: null,
      reference: 'Price agreement',
    })),
  );
  await followIds(db, 'account_price');
  return unique;
}
