// A second calculation of contract prices and quote totals, written from design 4 and not from the resolver, for tests to compare with.
// It knows no promotions: a quote with one is refused. Amounts are ten-thousandths in bigint.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';

/** A tier that the facility is supposed to have, with its letter of commitment. */
export type SupposedTier = { contractId: number; tierId: number };

type Dated = { valid_from: string; valid_to: string | null };
type Tables = {
  facility: { id: number; parent_id: number | null }[];
  item: { id: number; base_unit: string }[];
  item_unit: { item_id: number; unit: string; factor: number }[];
  item_price: (Dated & { item_id: number; unit: string; min_qty: number; price: number; currn_idx: number })[];
  account_price: (Dated & {
    facility_id: number;
    item_id: number;
    unit: string;
    min_qty: number;
    price: number;
    currn_idx: number;
  })[];
  gpo_membership: (Dated & { facility_id: number; gpo_id: number; is_primary: boolean })[];
  gpo_contract: {
    id: number;
    gpo_id: number | null;
    state: string;
    open_to: string;
    currn_idx: number;
    effective_from: string;
    effective_to: string;
    extended_to: string | null;
    terminated_on: string | null;
    predecessor_id: number | null;
  }[];
  contract_tier: {
    id: number;
    contract_id: number;
    tier_no: number;
    needs_loc: boolean;
    fallback_tier_id: number | null;
  }[];
  contract_line: {
    id: number;
    contract_id: number;
    item_id: number;
    unit: string;
    valid_from: string | null;
    valid_to: string | null;
  }[];
  contract_line_price: (Dated & { contract_line_id: number; tier_id: number; price: number })[];
  contract_roster: (Dated & {
    id: number;
    contract_id: number;
    facility_id: number;
    tier_id: number | null;
    covers_children: boolean;
    excluded: boolean;
  })[];
  contract_loc: (Dated & {
    contract_id: number;
    tier_id: number;
    facility_id: number;
    covers_children: boolean;
    state: string;
  })[];
};
const TABLES = [
  'facility',
  'item',
  'item_unit',
  'item_price',
  'account_price',
  'gpo_membership',
  'gpo_contract',
  'contract_tier',
  'contract_line',
  'contract_line_price',
  'contract_roster',
  'contract_loc',
] as const;

type QuoteRow = {
  id: number;
  facility_id: number;
  currn_idx: number;
  quote_date: string;
  discount_pct: number;
  freight_amount: number;
  tax_rate: number;
  tax_exempt: boolean;
  total_amount: number;
};
type LineRow = {
  type: string;
  active: boolean;
  optional: boolean;
  item_id: number | null;
  unit: string;
  qty: number;
  unit_price: number | null;
  manual_price: number | null;
  manual_discount_pct: number | null;
  manual_discount_amount: number | null;
  promotion_id: number | null;
};

const TEN_THOUSAND = 10_000n;
const units = (value: number): bigint => BigInt(Math.round(value * 10_000));
/** n / d, half away from zero; d is positive. */
const over = (n: bigint, d: bigint): bigint => (n >= 0n ? (2n * n + d) / (2n * d) : -((-2n * n + d) / (2n * d)));
const cents = (amount: bigint): bigint => over(amount, 100n) * 100n;
const holds = (day: string, from: string | null, to: string | null) =>
  (from === null || from <= day) && (to === null || day <= to);
const isEuro = (currnIdx: number) => currnIdx === 1009;

export class PriceOracle {
  readonly #tables: Tables;
  readonly #places: number;

  private constructor(tables: Tables, places: number) {
    this.#tables = tables;
    this.#places = places;
  }

  static async read(db: Db): Promise<PriceOracle> {
    const tables: Partial<Record<string, unknown>> = {};
    for (const table of TABLES) {
      const { rows } = await sql<{
        rows: unknown[];
      }>`select coalesce(json_agg(t), '[]') as rows from ${sql.table(table)} t`.execute(db);
      tables[table] = rows[0]?.rows;
    }
    const { price_places } = await db.selectFrom('company').select('price_places').executeTakeFirstOrThrow();
    return new PriceOracle(tables as Tables, price_places);
  }

  /** The total of a quote whose lines of the contract's items are priced as if the facility had the tier; the others keep their unit price. */
  async total(db: Db, quoteId: number, supposed: SupposedTier): Promise<{ stored: number; total: number }> {
    const { rows } = await sql<{ quote: QuoteRow; lines: LineRow[] }>`select to_json(q) as quote,
      (select json_agg(i order by i.line_no, i.id) from quote_item i where i.quote_id = q.id) as lines from quote q where q.id = ${quoteId}`.execute(
      db,
    );
    const [found] = rows;
    if (!found) throw new Error('no such quote');
    const { quote, lines } = found;
    const inContract = new Set(
      this.#tables.contract_line
        .filter((line) => line.contract_id === supposed.contractId)
        .map(({ item_id }) => item_id),
    );
    const extended = lines.map((line) => {
      if (line.promotion_id !== null) throw new Error('the oracle knows no promotions');
      const moves =
        line.type === 'item' && line.item_id !== null && inContract.has(line.item_id) && line.manual_price === null;
      const price = moves
        ? this.#unitPrice(quote, line, supposed)
        : line.unit_price === null
          ? null
          : units(line.unit_price);
      const counts = line.active && !line.optional && line.type !== 'section' && line.type !== 'note';
      return counts ? cents(over((price ?? 0n) * units(line.qty), TEN_THOUSAND)) : 0n;
    });
    const sum = extended.reduce((all, one) => all + one, 0n);
    const subtotal = sum - cents(over(sum * units(quote.discount_pct), 100n * TEN_THOUSAND));
    const tax = quote.tax_exempt ? 0n : cents(over(subtotal * units(quote.tax_rate), 100n * TEN_THOUSAND));
    const total = subtotal + tax + units(quote.freight_amount);
    return { stored: quote.total_amount, total: Number(total) / 10_000 };
  }

  /** The price of a line after its typed discount; null without one. */
  #unitPrice(quote: QuoteRow, line: LineRow, supposed: SupposedTier): bigint | null {
    const system = this.#systemPrice(quote, line, supposed);
    if (system === null) return null;
    const { manual_discount_pct: pct, manual_discount_amount: amount } = line;
    if (pct === null && amount === null) return system;
    const exact =
      pct === null
        ? system - units(amount ?? 0)
        : over(system * (100n * TEN_THOUSAND - units(pct)), 100n * TEN_THOUSAND);
    const left = exact > 0n ? exact : 0n;
    const rounded = this.#rounded(left);
    return rounded > system && left < system ? left : rounded;
  }

  #rounded(price: bigint): bigint {
    return this.#places === 2 && price >= TEN_THOUSAND ? cents(price) : price;
  }

  #systemPrice(quote: QuoteRow, line: LineRow, supposed: SupposedTier): bigint | null {
    const { item_id: itemId } = line;
    if (itemId === null) return null;
    return (
      this.#contractPrice(quote, itemId, line.unit, supposed) ??
      this.#rowPrice(quote, line, [
        this.#accountRows(quote.facility_id),
        this.#accountRows(this.#parentOf(quote.facility_id)),
      ]) ??
      this.#rowPrice(quote, line, [this.#tables.item_price])
    );
  }

  #parentOf(id: number): number | null {
    return this.#tables.facility.find((one) => one.id === id)?.parent_id ?? null;
  }

  #accountRows(facilityId: number | null) {
    return this.#tables.account_price.filter((row) => row.facility_id === facilityId);
  }

  #factor(itemId: number, unit: string): bigint | null {
    if (this.#tables.item.find(({ id }) => id === itemId)?.base_unit === unit) return TEN_THOUSAND;
    const found = this.#tables.item_unit.find((row) => row.item_id === itemId && row.unit === unit);
    return found ? units(found.factor) : null;
  }

  /** The price per unit of one per another; null without a factor or when it comes to nothing. */
  #converted(itemId: number, price: number, from: string, to: string): bigint | null {
    if (from === to) return units(price);
    const [own, asked] = [this.#factor(itemId, from), this.#factor(itemId, to)];
    if (own === null || asked === null) return null;
    const converted = over(units(price) * asked, own);
    return converted === 0n && price > 0 ? null : this.#rounded(converted);
  }

  /** Asked unit first, then smaller units, the largest first, then larger ones, the smallest first. */
  #nearness(itemId: number, unit: string, asked: string): number {
    if (unit === asked) return 0;
    const ratio = Number(this.#factor(itemId, unit) ?? 1n) / Number(this.#factor(itemId, asked) ?? 1n);
    return ratio <= 1 ? 1 + (1 - ratio) : 2 + ratio;
  }

  #rowPrice(quote: QuoteRow, { item_id, unit, qty }: LineRow, ranks: Tables['item_price'][]): bigint | null {
    const itemId = item_id ?? 0;
    for (const rows of ranks) {
      const able = rows
        .filter((row) => row.item_id === itemId && isEuro(row.currn_idx) === isEuro(quote.currn_idx))
        .filter((row) => holds(quote.quote_date, row.valid_from, row.valid_to))
        .filter((row) => this.#converted(itemId, row.price, row.unit, unit) !== null)
        .filter((row) => {
          if (row.min_qty <= 1) return true;
          const [own, asked] = [this.#factor(itemId, row.unit) ?? 1n, this.#factor(itemId, unit) ?? 1n];
          return units(qty) * asked >= units(row.min_qty) * own;
        })
        .toSorted(
          (a, b) =>
            this.#nearness(itemId, a.unit, unit) - this.#nearness(itemId, b.unit, unit) ||
            b.min_qty - a.min_qty ||
            b.valid_from.localeCompare(a.valid_from),
        );
      if (able[0]) return this.#converted(itemId, able[0].price, able[0].unit, unit);
    }
    return null;
  }

  /** The facility and its parents, nearest first. */
  #chain(id: number): number[] {
    const chain: number[] = [];
    for (let at: number | null = id; at !== null && chain.length < 9; at = this.#parentOf(at)) chain.push(at);
    return chain;
  }

  #row(contractId: number, chain: number[], day: string): Tables['contract_roster'][number] | undefined {
    for (const [depth, facilityId] of chain.entries()) {
      const [newest] = this.#tables.contract_roster
        .filter((row) => row.contract_id === contractId && row.facility_id === facilityId)
        .filter((row) => (depth === 0 || row.covers_children) && holds(day, row.valid_from, row.valid_to))
        .toSorted((a, b) => b.valid_from.localeCompare(a.valid_from) || b.id - a.id);
      if (newest) return newest;
    }
    return undefined;
  }

  /** The declared memberships of the nearest facility with any, and the GPOs whose rosters name the facility. */
  #gpos(
    chain: number[],
    day: string,
    supposed: SupposedTier,
  ): { members: Set<number>; counts: (gpoId: number) => boolean } {
    const declared =
      chain
        .map((id) =>
          this.#tables.gpo_membership.filter(
            (one) => one.facility_id === id && holds(day, one.valid_from, one.valid_to),
          ),
        )
        .find((some) => some.length > 0) ?? [];
    const named = new Set<number>();
    for (const contract of this.#tables.gpo_contract) {
      if (contract.gpo_id === null) continue;
      if (contract.id === supposed.contractId) named.add(contract.gpo_id);
      else if (this.#isInEffect(contract, day)) {
        const row = this.#row(contract.id, chain, day);
        if (row && !row.excluded) named.add(contract.gpo_id);
      }
    }
    const primary = new Set(declared.filter(({ is_primary }) => is_primary).map(({ gpo_id }) => gpo_id));
    return {
      members: new Set([...declared.map(({ gpo_id }) => gpo_id), ...named]),
      counts: (gpoId) => (primary.size > 0 ? primary.has(gpoId) : named.size === 1 && named.has(gpoId)),
    };
  }

  #isInEffect(contract: Tables['gpo_contract'][number], day: string): boolean {
    const { effective_from, effective_to, extended_to, terminated_on, state } = contract;
    const last = [extended_to ?? effective_to, ...(terminated_on ? [terminated_on] : [])].toSorted()[0] ?? '';
    return state !== 'Draft' && effective_from <= day && day <= last;
  }

  /** The tier that counts: the row's, or its fallback while its letter of commitment is not approved. */
  #tierOf(tierId: number | null, chain: number[], day: string): number | null {
    let tier = this.#tables.contract_tier.find(({ id }) => id === tierId);
    for (let step = 0; tier && step < 9; step++) {
      const { id, contract_id, needs_loc, fallback_tier_id } = tier;
      const approved = this.#tables.contract_loc.some(
        (loc) =>
          loc.contract_id === contract_id &&
          loc.tier_id === id &&
          loc.state === 'Approved' &&
          holds(day, loc.valid_from, loc.valid_to) &&
          chain.some((one, depth) => one === loc.facility_id && (depth === 0 || loc.covers_children)),
      );
      if (!needs_loc || approved) return id;
      tier = this.#tables.contract_tier.find((one) => one.id === fallback_tier_id);
    }
    return null;
  }

  #contractPrice(quote: QuoteRow, itemId: number, unit: string, supposed: SupposedTier): bigint | null {
    const day = quote.quote_date;
    const chain = this.#chain(quote.facility_id);
    const { members, counts } = this.#gpos(chain, day, supposed);
    const offers = this.#tables.gpo_contract.flatMap((contract) => {
      if (!this.#isInEffect(contract, day) || isEuro(contract.currn_idx) !== isEuro(quote.currn_idx)) return [];
      if (contract.gpo_id !== null && !counts(contract.gpo_id)) return [];
      let tierId: number | null;
      if (contract.id === supposed.contractId) ({ tierId } = supposed);
      else {
        const row = this.#row(contract.id, chain, day);
        if (row?.excluded) return [];
        if (row) tierId = this.#tierOf(row.tier_id, chain, day);
        else if (contract.open_to === 'members' && contract.gpo_id !== null && members.has(contract.gpo_id)) {
          const [base] = this.#tables.contract_tier
            .filter((tier) => tier.contract_id === contract.id)
            .toSorted((a, b) => a.tier_no - b.tier_no);
          tierId = this.#tierOf(base?.id ?? null, chain, day);
        } else return [];
      }
      const prices = this.#tables.contract_line
        .filter((line) => line.contract_id === contract.id && line.item_id === itemId)
        .filter((line) => holds(day, line.valid_from, line.valid_to))
        .flatMap((line) => {
          const price = this.#tables.contract_line_price.find(
            (one) =>
              one.contract_line_id === line.id && one.tier_id === tierId && holds(day, one.valid_from, one.valid_to),
          );
          const amount = price ? this.#converted(itemId, price.price, line.unit, unit) : null;
          return price && amount !== null ? [{ amount, near: this.#nearness(itemId, line.unit, unit) }] : [];
        })
        .toSorted((a, b) => a.near - b.near);
      return prices[0] ? [{ contract, amount: prices[0].amount }] : [];
    });
    const replaced = new Set(offers.map(({ contract }) => contract.predecessor_id));
    const able = offers.filter(({ contract }) => !replaced.has(contract.id));
    const local = able.filter(({ contract }) => contract.gpo_id === null);
    const [lowest] = (local.length > 0 ? local : able).map(({ amount }) => amount).toSorted((a, b) => (a < b ? -1 : 1));
    return lowest ?? null;
  }
}
