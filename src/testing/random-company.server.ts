// A random company from a seed: facilities with parents, items in several units, and every kind of price, whose days begin and end around the quotes'.
import type { Db } from '#platform/db/database.server.ts';
import { followIds, insertRows } from '#demo/insert-rows.server.ts';
import { type Random, seeded } from '#demo/random.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { addDays } from '#platform/shared/dates.ts';

export const TODAY = '2026-11-21';
/** The dates of quotes: first and last days of prices, and days beside them. */
export const QUOTE_DAYS = ['2026-11-01', '2026-11-15', '2026-11-20', TODAY, '2026-11-30', '2026-12-01', '2026-12-15'];
/** Quantities: breaks and limits, and numbers beside them. */
export const QUANTITIES = [0.5, 1, 1, 2, 4, 5, 9, 10, 11, 12, 24, 25, 49, 50, 99, 100, 101, 250];

const FROM = [...Array<string>(8).fill('2020-01-01'), '2026-07-01', '2026-11-01', '2026-11-15', TODAY, '2026-12-01'];
const TO = [null, null, null, null, '2026-10-31', '2026-11-14', '2026-11-15', '2026-11-20', TODAY, '2026-11-30'];
const UNITS: Record<string, number>[] = [
  { EA: 1 },
  { EA: 1, BX: 50 },
  { EA: 1, BX: 10, CS: 100 },
  { EA: 1, PK: 25, CS: 250 },
  { BX: 1, CS: 12 },
  { EA: 1, DZ: 12, GR: 144 },
  { FT: 1, RL: 12.5 },
];
const BREAKS = [25, 50, 100];
const SIZES = { facilities: 200, items: 150, gpos: 6, contracts: 30, templates: 10, templateLines: 6 };

type Rows<T extends keyof Tables> = Parameters<typeof insertRows<T>>[2];
export type RandomItem = { id: number; number: string; units: Record<string, number> };
export type RandomCompany = {
  facilities: { id: number; currnIdx: number; taxRate: number; taxExempt: boolean }[];
  items: RandomItem[];
  /** The items of the contracts that may have to do with a facility. */
  itemsOf: (facilityId: number) => RandomItem[];
  templates: { id: number; lines: { item: RandomItem; unit: string; qty: number }[] }[];
};

/** Fills an empty database, except for people and their territory. */
export async function aRandomCompany(db: Db, seed: number): Promise<RandomCompany> {
  const random = seeded(seed);
  const euro = (chance: number) => (random.chance(chance) ? 1009 : random.pick([1007, 1007, 1008]));
  const facilities = facilitiesOf(random);
  const items = Array.from({ length: SIZES.items }, (_, index): RandomItem => {
    const id = 1000 + index;
    return { id, number: `RC-${id}`, units: random.pick(UNITS) };
  });
  const worth = new Map(items.map(({ id }) => [id, random.pick([0.08, 0.9, 4, 30, 700]) * (1 + random.next())]));
  /** A price of an item in a unit, about its worth. */
  const priced = (item: RandomItem, unit: string, share: number) =>
    round((worth.get(item.id) ?? 1) * (item.units[unit] ?? 1) * share * (0.85 + random.next() * 0.3), random);

  await insertRows(
    db,
    'item',
    items.map(({ id, number, units }) => ({
      id,
      item_number: number,
      description: `Item ${id}`,
      base_unit: Object.keys(units)[0],
      status: 'Active',
    })),
  );
  await insertRows(
    db,
    'item_unit',
    items.flatMap(({ id, units }) => Object.entries(units).map(([unit, factor]) => ({ item_id: id, unit, factor }))),
  );

  /** Rows by unit, currency, break and days, none twice from the same day. */
  function ladder(item: RandomItem, share: number, currnIdx: number) {
    const unit = random.pick(Object.keys(item.units));
    const breaks = random.chance(0.4) ? [random.pick([1, 1, 1, 5, 10]), random.pick(BREAKS)] : [1];
    return breaks.flatMap((min_qty, step) =>
      spans(random).map(({ from, to }) => ({
        item_id: item.id,
        currn_idx: currnIdx,
        unit,
        min_qty,
        price: priced(item, unit, share * (1 - step * 0.1)),
        valid_from: from,
        valid_to: to,
      })),
    );
  }
  const once = <T extends { item_id: number; currn_idx: number; unit: string; min_qty: number; valid_from: string }>(
    rows: T[],
    owner: (row: T) => number,
  ) => [
    ...new Map(
      rows.map((row) => [
        [owner(row), row.item_id, row.currn_idx, row.unit, row.min_qty, row.valid_from].join(' '),
        row,
      ]),
    ).values(),
  ];
  const lists = items.flatMap((item) => [
    ...(random.chance(0.93) ? ladder(item, 1, 1007) : []),
    ...(random.chance(0.6) ? ladder(item, 1, 1007) : []),
    ...(random.chance(0.9) ? ladder(item, 0.9, 1009) : []),
  ]);
  await insertRows(
    db,
    'item_price',
    once(lists, () => 0),
  );

  await insertRows(db, 'facility', facilities);
  const accounts = Array.from({ length: 2500 }, () => {
    const facility_id = random.pick(facilities).id;
    return ladder(random.pick(items), 0.8, euro(0.2)).map((row) => ({ facility_id, ...row }));
  }).flat();
  await insertRows(
    db,
    'account_price',
    once(accounts, ({ facility_id }) => facility_id),
  );

  await insertRows(
    db,
    'gpo',
    Array.from({ length: SIZES.gpos }, (_, index) => ({ id: index + 1, name: `GPO ${index + 1}` })),
  );
  const memberships = membershipsOf(random, facilities);
  await insertRows(db, 'gpo_membership', memberships);
  const gposOf = Map.groupBy(memberships, ({ facility_id }) => facility_id);

  const contracts: (Rows<'gpo_contract'>[number] & { id: number; gpo_id: number | null; open_to: string })[] = [];
  const tiers: (Rows<'contract_tier'>[number] & { id: number; contract_id: number; needs_loc: boolean })[] = [];
  const lines: (Rows<'contract_line'>[number] & { id: number; contract_id: number; item_id: number })[] = [];
  const prices: Rows<'contract_line_price'> = [];
  const roster: (Rows<'contract_roster'>[number] & { contract_id: number; facility_id: number })[] = [];
  const letters: Rows<'contract_loc'> = [];
  for (let id = 1; id <= SIZES.contracts; id++) {
    const before = contracts.at(-1);
    const follows = before !== undefined && random.chance(0.25);
    const gpo_id = follows ? before['gpo_id'] : random.chance(0.2) ? null : random.int(1, SIZES.gpos);
    const state = random.pick([
      'Active',
      'Active',
      'Active',
      'Active',
      'Active',
      'Active',
      'Active',
      'Draft',
      'Terminated',
    ]);
    const to = random.chance(0.7) ? '2099-12-31' : random.pick(['2026-11-30', TODAY, '2026-11-14']);
    contracts.push({
      id,
      number: `RC-C${id}`,
      gpo_id,
      title: `Contract ${id}`,
      currn_idx: follows ? before['currn_idx'] : euro(0.2),
      effective_from: random.chance(0.75) ? '2020-01-01' : random.pick(['2026-11-15', TODAY]),
      effective_to: to,
      extended_to: to === '2099-12-31' || random.chance(0.5) ? null : random.pick(['2026-12-01', '2027-06-30']),
      predecessor_id: follows ? id - 1 : null,
      state,
      terminated_on: state === 'Terminated' ? random.pick(['2026-11-14', TODAY, '2026-11-30']) : null,
      open_to: random.chance(0.35) ? 'members' : 'roster',
    });
    const own: typeof tiers = [];
    for (let no = 1; no <= random.int(1, 4); no++) {
      own.push({
        id: id * 10 + no,
        contract_id: id,
        tier_no: no,
        name: `Tier ${no}`,
        needs_loc: random.chance(no === 1 ? 0.1 : 0.5),
        fallback_tier_id: no > 1 && random.chance(0.8) ? id * 10 + random.int(1, no - 1) : null,
        provisional_allowed: random.chance(0.7),
      });
    }
    tiers.push(...own);
    // A successor sells much of what its predecessor sold.
    const old = follows ? lines.filter((line) => line.contract_id === id - 1).map(({ item_id }) => item_id) : [];
    const sold = new Set([
      ...old.filter(() => random.chance(0.7)),
      ...Array.from({ length: random.int(25, 60) }, () => random.pick(items).id),
    ]);
    for (const item of items.filter(({ id: itemId }) => sold.has(itemId))) {
      const named = Object.keys(item.units);
      const units = random.chance(0.15) ? named.slice(0, 2) : [random.pick(named)];
      for (const unit of units) {
        const line = {
          id: lines.length + 1,
          contract_id: id,
          item_id: item.id,
          unit,
          valid_from: random.chance(0.1) ? random.pick(FROM) : null,
          valid_to: random.chance(0.1) ? random.pick(TO.slice(-3)) : null,
        };
        lines.push(line);
        for (const [step, tier] of own.entries()) {
          if (random.chance(0.07)) continue;
          for (const { from, to: last } of spans(random)) {
            prices.push({
              contract_line_id: line.id,
              tier_id: tier.id,
              price: priced(item, unit, 0.75 - step * 0.05),
              valid_from: from,
              valid_to: last,
            });
          }
        }
      }
    }
    // A contract mostly lists members of its GPO.
    const isMember = (id: number) => gposOf.get(id)?.some((candidate) => candidate.gpo_id === gpo_id) ?? false;
    for (const facility of facilities.filter((candidate) => random.chance(isMember(candidate.id) ? 0.7 : 0.04))) {
      // Two entries of one facility never begin on the same day.
      for (const from of new Set(random.chance(0.15) ? [random.pick(FROM), random.pick(FROM)] : [random.pick(FROM)])) {
        const tier = random.pick(own);
        const excluded = random.chance(0.06);
        const covers_children = random.chance(0.6);
        const last = random.chance(0.5) ? null : random.pick(TO);
        roster.push({
          contract_id: id,
          facility_id: facility.id,
          tier_id: excluded ? null : tier.id,
          excluded,
          covers_children,
          valid_from: from,
          valid_to: last !== null && last < from ? null : last,
        });
        for (const signed of own.filter(({ needs_loc }) => needs_loc && random.chance(0.75))) {
          const [since, until] = [random.pick(FROM), random.pick(TO)];
          letters.push({
            contract_id: id,
            tier_id: signed.id,
            facility_id: facility.id,
            covers_children: random.chance(0.5),
            state: random.pick(['Approved', 'Approved', 'Approved', 'Signed', 'Rejected']),
            valid_from: since,
            valid_to: until !== null && until < since ? null : until,
          });
        }
      }
    }
  }
  await insertRows(db, 'gpo_contract', contracts);
  await insertRows(db, 'contract_tier', tiers);
  await insertRows(db, 'contract_line', lines);
  await insertRows(db, 'contract_line_price', prices);
  await insertRows(db, 'contract_roster', roster);
  await insertRows(db, 'contract_loc', letters);

  await insertRows(
    db,
    'promotion',
    items.flatMap((item) =>
      Array.from({ length: random.pick([0, 1, 1, 2]) }, () => {
        const type = random.pick(['BuyXGetYFree', 'DiscountPct', 'DiscountPct', 'FixedPrice', 'FixedPrice']);
        const uom = random.chance(0.6) ? random.pick(Object.keys(item.units)) : '';
        const unit = uom || (Object.keys(item.units)[0] ?? '');
        const from = random.pick(FROM);
        const last = random.pick(TO);
        return {
          item_id: item.id,
          promotion_type: type,
          buy_qty: type === 'BuyXGetYFree' ? random.pick([2, 5, 10, 12]) : 0,
          get_qty: type === 'BuyXGetYFree' ? random.int(1, 3) : 0,
          amount:
            type === 'DiscountPct'
              ? random.pick([2.5, 7.5, 12.25, 33])
              : type === 'FixedPrice'
                ? priced(item, unit, 0.7)
                : 0,
          min_qty: random.pick([0, 0, 1, 10, 25]),
          max_qty: random.pick([0, 0, -1, 50, 100]),
          uom,
          currn_idx: euro(0.25),
          valid_from: from,
          valid_to: last !== null && last < from ? null : last,
          active: random.chance(0.93),
        };
      }),
    ),
  );

  const templates = Array.from({ length: SIZES.templates }, (_, index) => ({
    id: index + 1,
    lines: Array.from({ length: SIZES.templateLines }, () => {
      const item = random.pick(items);
      return { item, unit: random.pick(['', ...Object.keys(item.units)]), qty: random.pick(QUANTITIES) };
    }),
  }));
  await insertRows(
    db,
    'quote_template',
    templates.map(({ id }) => ({ id, name: `Template ${id}`, active: true })),
  );
  await insertRows(
    db,
    'quote_template_item',
    templates.flatMap((template) =>
      template.lines.map(({ item, unit, qty }, position) => ({
        template_id: template.id,
        position,
        type: 'item',
        item_id: item.id,
        qty,
        unit,
      })),
    ),
  );
  for (const table of ['facility', 'item', 'gpo', 'gpo_contract', 'contract_tier', 'contract_line', 'quote_template'])
    await followIds(db, table);

  const byId = new Map(items.map((item) => [item.id, item]));
  const parentOf = new Map(facilities.map(({ id, parent_id }) => [id, parent_id]));
  return {
    facilities: facilities.map(({ id, currn_idx: currnIdx, tax_rate: taxRate, tax_exempt: taxExempt }) => ({
      id,
      currnIdx,
      taxRate,
      taxExempt,
    })),
    items,
    itemsOf: (facilityId) => {
      const chain = new Set<number>();
      for (let at: number | null = facilityId; at !== null; at = parentOf.get(at) ?? null) chain.add(at);
      const gpos = new Set([...chain].flatMap((id) => (gposOf.get(id) ?? []).map(({ gpo_id }) => gpo_id)));
      const listed = new Set(
        roster.filter(({ facility_id }) => chain.has(facility_id)).map(({ contract_id }) => contract_id),
      );
      for (const { id, gpo_id, open_to } of contracts) {
        if (gpo_id !== null && gpos.has(gpo_id) && open_to === 'members') listed.add(id);
        if (gpo_id !== null && gpos.size > 0 && !gpos.has(gpo_id)) listed.delete(id);
      }
      const result = new Set(lines.filter(({ contract_id }) => listed.has(contract_id)).map(({ item_id }) => item_id));
      return [...result].flatMap((id) => byId.get(id) ?? []);
    },
    templates,
  };
}

/** Systems, hospitals of them, wards of those, and some on their own. */
function facilitiesOf(random: Random) {
  const ids = Array.from({ length: SIZES.facilities }, (_, index) => 1000 + index);
  return ids.map((id, index) => ({
    id,
    acct_no: `RC${id}`,
    name: `Facility ${id}`,
    parent_id: index < 20 || random.chance(0.15) ? null : 1000 + random.int(0, Math.min(index - 1, 60)),
    currn_idx: random.chance(0.2) ? 1009 : random.pick([1007, 1007, 1007, 1008]),
    tax_rate: random.pick([0, 0, 6.25, 8.375]),
    tax_exempt: random.chance(0.2),
    ship_to_zip: '60601',
    active: true,
  }));
}

/** Most facilities declare a primary GPO or another one, some several, some none. */
function membershipsOf(random: Random, facilities: { id: number }[]) {
  return facilities.flatMap(({ id }) => {
    const gpos = [...new Set([random.int(1, SIZES.gpos), random.int(1, SIZES.gpos)])];
    if (random.chance(0.25)) return [];
    const from = random.pick(FROM);
    const last = random.pick(TO);
    return gpos.slice(0, random.int(1, gpos.length)).map((gpo_id, index) => ({
      facility_id: id,
      gpo_id,
      is_primary: index === 0 && random.chance(0.85),
      valid_from: from,
      valid_to: last !== null && last < from ? null : last,
    }));
  });
}

/** One span of days, or two that meet or leave a gap. */
function spans(random: Random): { from: string; to: string | null }[] {
  const from = random.pick(FROM);
  const to = random.pick(TO);
  if (to === null || to < from) return [{ from, to: null }];
  if (random.chance(0.3)) return [{ from, to }];
  const next = addDays(to, random.pick([1, 1, 1, 8]));
  return [
    { from, to },
    { from: next, to: random.chance(0.8) ? null : addDays(next, 20) },
  ];
}

/** Prices as people agree on them: some to whole cents, some to four places. */
function round(price: number, random: Random): number {
  const places = random.chance(0.6) && price >= 1 ? 100 : 10_000;
  return Math.max(1, Math.round(price * places)) / places;
}
