// A second calculation of prices and quote totals, written from the rules (docs/quoting.md) and not from the
// resolver, for tests to compare with. Amounts are ten-thousandths in bigint.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';

/** A tier that the facility is supposed to have, with its letter of commitment. */
export type SupposedTier = { contractId: number; tierId: number };

/** What the price of a line depends on besides the line. */
export type PriceTerms = { facilityId: number; currnIdx: number; day: string };
/** A line as somebody asked for it. */
export type AskedLine = {
  itemId: number;
  unit: string;
  qty: number;
  typed: { price: number } | { pct: number } | { off: number } | null;
  promotionId: number | null;
};
export type OracleSource = '' | 'List' | 'Account' | 'Contract' | 'Promotion' | 'Manual';
export type PricedLine = {
  list: number | null;
  /** Before a typed price or discount. */
  system: number | null;
  unit: number | null;
  source: OracleSource;
  /** The rows and tiers from which the price before promotions may come: more than one where two contracts cost the same. */
  from: string[];
  /** Somebody has to choose between GPOs before a contract price can count. */
  toChoose: boolean;
  /** The price without the request that it depends on; absent: the price is firm. */
  without?: { unit: number | null; source: OracleSource };
};

type Dated = { valid_from: string; valid_to: string | null };
type Tables = {
  facility: { id: number; parent_id: number | null }[];
  item: { id: number; base_unit: string }[];
  item_unit: { item_id: number; unit: string; factor: number }[];
  item_price: (Dated & {
    id: number;
    item_id: number;
    unit: string;
    min_qty: number;
    price: number;
    currn_idx: number;
  })[];
  account_price: (Dated & {
    id: number;
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
  promotion: (Dated & {
    id: number;
    item_id: number;
    promotion_type: string;
    buy_qty: number;
    get_qty: number;
    amount: number;
    min_qty: number;
    max_qty: number;
    uom: string;
    currn_idx: number;
    active: boolean;
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
  'promotion',
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
const HUNDRED_PERCENT = 100n * TEN_THOUSAND;
const units = (value: number): bigint => BigInt(Math.round(value * 10_000));
const decimal = (value: bigint | null): number | null => (value === null ? null : Number(value) / 10_000);
/** n / d, half away from zero; d is positive. */
const over = (n: bigint, d: bigint): bigint => (n >= 0n ? (2n * n + d) / (2n * d) : -((-2n * n + d) / (2n * d)));
/** Whole cents of n / d ten-thousandths, rounded once. */
const cents = (n: bigint, d = 1n): bigint => over(n, d * 100n) * 100n;
const holds = (day: string, from: string | null, to: string | null) =>
  (from === null || from <= day) && (to === null || day <= to);
const isEuro = (currnIdx: number) => currnIdx === 1009;

type Offer = { price: bigint; from: string[] };
type PriceRow = Tables['item_price'][number];

export class PriceOracle {
  readonly #tables: Tables;
  readonly #places: number;
  readonly #pricesOfItem: Map<number, PriceRow[]>;
  readonly #accountPrices: Map<string, PriceRow[]>;
  readonly #linesOfItem: Map<number, Tables['contract_line']>;
  readonly #pricesOfLine: Map<number, Tables['contract_line_price']>;
  readonly #rosters: Map<string, Tables['contract_roster']>;
  readonly #facilities: Map<number, Tables['facility'][number]>;
  readonly #contracts: Map<number, Tables['gpo_contract'][number]>;
  readonly #tiers: Map<number, Tables['contract_tier'][number]>;

  private constructor(tables: Tables, places: number) {
    this.#tables = tables;
    this.#places = places;
    this.#pricesOfItem = Map.groupBy(tables.item_price, (row) => row.item_id);
    this.#accountPrices = Map.groupBy(tables.account_price, (row) => `${row.facility_id} ${row.item_id}`);
    this.#linesOfItem = Map.groupBy(tables.contract_line, (row) => row.item_id);
    this.#pricesOfLine = Map.groupBy(tables.contract_line_price, (row) => row.contract_line_id);
    this.#rosters = Map.groupBy(tables.contract_roster, (row) => `${row.contract_id} ${row.facility_id}`);
    this.#facilities = new Map(tables.facility.map((entry) => [entry.id, entry]));
    this.#contracts = new Map(tables.gpo_contract.map((entry) => [entry.id, entry]));
    this.#tiers = new Map(tables.contract_tier.map((entry) => [entry.id, entry]));
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

  /** The tiers of a contract, by rank. */
  tiersOf(contractId: number): { id: number; no: number }[] {
    return this.#tables.contract_tier
      .filter((tier) => tier.contract_id === contractId)
      .toSorted((a, b) => a.tier_no - b.tier_no)
      .map(({ id, tier_no }) => ({ id, no: tier_no }));
  }

  /** The contract of a source that is a tier's price of one of its lines. */
  contractOf(from: string): number | undefined {
    const [, id] = /^contract_line (\d+) /.exec(from) ?? [];
    return this.#tables.contract_line.find((line) => line.id === Number(id))?.contract_id;
  }

  /** Whether an item is in a contract on a day. */
  hasLine(contractId: number, itemId: number, day: string): boolean {
    const lines = this.#linesOfItem.get(itemId) ?? [];
    return lines.some((line) => line.contract_id === contractId && holds(day, line.valid_from, line.valid_to));
  }

  promotionsOf(itemId: number): number[] {
    return this.#tables.promotion.filter((candidate) => candidate.item_id === itemId).map(({ id }) => id);
  }

  /**
   * The price of a line. With `supposed` it is as if the facility had that tier. With `requested` the line belongs to a quote that waits for a request
   * for that tier, which allows a provisional price.
   */
  price(
    terms: PriceTerms,
    line: AskedLine,
    { supposed, requested }: { supposed?: SupposedTier; requested?: SupposedTier } = {},
  ): PricedLine {
    const firm = this.#priceAs(terms, line, supposed);
    if (!requested || (line.typed !== null && 'price' in line.typed)) return firm;
    const then = this.#priceAs(terms, line, requested);
    // A fixed promotional price does not come from the tier, unless nothing else gives a price that it is lower than; a percentage off it does.
    const fixed =
      firm.unit !== null &&
      this.#promotion(terms, line, null)?.fixed &&
      this.#priceAs(terms, { ...line, typed: null }, requested).source === 'Promotion';
    if (then.unit === null || !then.from.some((from) => from.endsWith(` tier ${requested.tierId}`)) || fixed)
      return firm;
    if (firm.unit !== null && then.unit >= firm.unit) return firm;
    return { ...then, without: { unit: firm.unit, source: firm.source } };
  }

  /** The quantity that comes free with a line. */
  freeQty(terms: PriceTerms, line: AskedLine): number {
    return this.#promotion(terms, line, null)?.free ?? 0;
  }

  /** Whether a line may have a promotion: free goods, or a price lower than the line's. */
  promotionCounts(terms: PriceTerms, line: AskedLine): boolean {
    const { source } = this.#priceAs(terms, { ...line, typed: null }, undefined);
    return source === 'Promotion' || this.#promotion(terms, line, null)?.free !== undefined;
  }

  #priceAs(terms: PriceTerms, line: AskedLine, supposed: SupposedTier | undefined): PricedLine {
    const list = this.#rowPrice(terms, line, 'item_price', [this.#pricesOfItem.get(line.itemId) ?? []]);
    const parent = this.#facilities.get(terms.facilityId)?.parent_id ?? null;
    const account = this.#rowPrice(terms, line, 'account_price', [
      this.#accountPrices.get(`${terms.facilityId} ${line.itemId}`) ?? [],
      parent === null ? [] : (this.#accountPrices.get(`${parent} ${line.itemId}`) ?? []),
    ]);
    const { contract, toChoose } = this.#contractPrice(terms, line, supposed);
    const resolved = contract ?? account ?? list;
    let source: OracleSource = contract ? 'Contract' : account ? 'Account' : list ? 'List' : '';
    let system = resolved?.price ?? null;
    const promotion = this.#promotion(terms, line, system);
    if (promotion?.price !== undefined && system !== null && promotion.price < system) {
      system = promotion.price;
      source = 'Promotion';
    }
    const unit = this.#typed(line, system);
    return {
      list: decimal(list?.price ?? null),
      system: decimal(system),
      unit: decimal(unit),
      source: line.typed === null || unit === null ? source : 'Manual',
      from: resolved?.from ?? [],
      toChoose: toChoose && !contract,
    };
  }

  /** The price after what was typed. */
  #typed({ typed }: AskedLine, system: bigint | null): bigint | null {
    if (typed === null) return system;
    if ('price' in typed) return units(typed.price);
    if (system === null) return null;
    return this.#discounted(
      system,
      'pct' in typed ? over(system * (HUNDRED_PERCENT - units(typed.pct)), HUNDRED_PERCENT) : system - units(typed.off),
    );
  }

  #discounted(from: bigint, exact: bigint): bigint {
    const left = exact > 0n ? exact : 0n;
    const rounded = this.#rounded(left);
    return rounded > from && left < from ? left : rounded;
  }

  /** A promotion that counts for the line, with its price or its free goods. */
  #promotion(
    { day, currnIdx }: PriceTerms,
    { promotionId, itemId, unit, qty }: AskedLine,
    resolved: bigint | null,
  ): { price?: bigint; free?: number; fixed?: boolean } | null {
    const match = this.#tables.promotion.find(({ id }) => id === promotionId);
    if (!match?.active || match.item_id !== itemId || !holds(day, match.valid_from, match.valid_to)) return null;
    if (match.uom !== '' && match.uom !== unit) return null;
    if (qty < match.min_qty || (match.max_qty > 0 && qty > match.max_qty)) return null;
    if (match.promotion_type === 'BuyXGetYFree')
      return { free: match.buy_qty > 0 ? Math.floor(qty / match.buy_qty) * match.get_qty : 0 };
    if (match.promotion_type === 'DiscountPct') {
      if (resolved === null) return {};
      const exact = over(resolved * (HUNDRED_PERCENT - units(match.amount)), HUNDRED_PERCENT);
      return { price: this.#discounted(resolved, exact) };
    }
    return isEuro(match.currn_idx) === isEuro(currnIdx) ? { price: units(match.amount), fixed: true } : null;
  }

  /** The total of a stored quote whose lines of the contract's items are priced as if the facility had the tier; the others keep their unit price. */
  async total(db: Db, quoteId: number, supposed: SupposedTier): Promise<{ stored: number; total: number }> {
    const { rows } = await sql<{ quote: QuoteRow; lines: LineRow[] }>`select to_json(q) as quote,
      (select json_agg(i order by i.line_no, i.id) from quote_item i where i.quote_id = q.id) as lines from quote q
      where q.id = ${quoteId}`.execute(db);
    const [result] = rows;
    if (!result) throw new Error('no such quote');
    const { quote, lines } = result;
    const terms = { facilityId: quote.facility_id, currnIdx: quote.currn_idx, day: quote.quote_date };
    const priced = lines.map((line) => {
      const { type, item_id: itemId, unit, qty, promotion_id: promotionId } = line;
      const moves =
        type === 'item' &&
        itemId !== null &&
        this.hasLine(supposed.contractId, itemId, terms.day) &&
        line.manual_price === null;
      const counts = line.active && !line.optional && type !== 'section' && type !== 'note';
      const pct = line.manual_discount_pct;
      const off = line.manual_discount_amount;
      const typed = pct !== null ? { pct } : off !== null ? { off } : null;
      const price = moves
        ? this.price(terms, { itemId, unit, qty, promotionId, typed }, { supposed }).unit
        : line.unit_price;
      return { price, qty, counts };
    });
    return { stored: quote.total_amount, total: totalsOf(quote, priced).total };
  }

  #rounded(price: bigint): bigint {
    return this.#places === 2 && price >= TEN_THOUSAND ? cents(price) : price;
  }

  #factor(itemId: number, unit: string): bigint | null {
    if (this.#tables.item.find(({ id }) => id === itemId)?.base_unit === unit) return TEN_THOUSAND;
    const match = this.#tables.item_unit.find((row) => row.item_id === itemId && row.unit === unit);
    return match ? units(match.factor) : null;
  }

  /** The price per unit of one per another; null without a factor or when it comes to nothing. */
  #converted(itemId: number, price: number, from: string, to: string): bigint | null {
    if (from === to) return units(price);
    const [own, target] = [this.#factor(itemId, from), this.#factor(itemId, to)];
    if (own === null || target === null) return null;
    const converted = over(units(price) * target, own);
    return converted === 0n && price > 0 ? null : this.#rounded(converted);
  }

  /** Asked unit first, then smaller units, the largest first, then larger ones, the smallest first. */
  #nearness(itemId: number, unit: string, target: string): number {
    if (unit === target) return 0;
    const ratio = Number(this.#factor(itemId, unit) ?? 1n) / Number(this.#factor(itemId, target) ?? 1n);
    return ratio <= 1 ? 1 + (1 - ratio) : 2 + ratio;
  }

  #rowPrice(
    { currnIdx, day }: PriceTerms,
    { itemId, unit, qty }: AskedLine,
    table: string,
    ranks: PriceRow[][],
  ): Offer | null {
    for (const rows of ranks) {
      const able = rows
        .filter((row) => isEuro(row.currn_idx) === isEuro(currnIdx) && holds(day, row.valid_from, row.valid_to))
        .filter((row) => this.#converted(itemId, row.price, row.unit, unit) !== null)
        .filter((row) => {
          if (row.min_qty <= 1) return true;
          const [own, target] = [this.#factor(itemId, row.unit) ?? 1n, this.#factor(itemId, unit) ?? 1n];
          return units(qty) * target >= units(row.min_qty) * own;
        })
        .toSorted(
          (a, b) =>
            this.#nearness(itemId, a.unit, unit) - this.#nearness(itemId, b.unit, unit) ||
            b.min_qty - a.min_qty ||
            b.valid_from.localeCompare(a.valid_from),
        );
      const [best] = able;
      const price = best ? this.#converted(itemId, best.price, best.unit, unit) : null;
      if (best && price !== null) return { price, from: [`${table} ${best.id}`] };
    }
    return null;
  }

  /** The facility and its parents, nearest first. */
  #chain(id: number): number[] {
    const chain: number[] = [];
    for (let at: number | null = id; at !== null && chain.length < 9; at = this.#facilities.get(at)?.parent_id ?? null)
      chain.push(at);
    return chain;
  }

  #row(contractId: number, chain: number[], day: string): Tables['contract_roster'][number] | undefined {
    for (const [depth, facilityId] of chain.entries()) {
      const [newest] = (this.#rosters.get(`${contractId} ${facilityId}`) ?? [])
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
    supposed: SupposedTier | undefined,
  ): { members: Set<number>; counts: (gpoId: number) => boolean; toChoose: (gpoId: number) => boolean } {
    const declared =
      chain
        .map((id) =>
          this.#tables.gpo_membership.filter(
            (candidate) => candidate.facility_id === id && holds(day, candidate.valid_from, candidate.valid_to),
          ),
        )
        .find((list) => list.length > 0) ?? [];
    const named = new Set<number>();
    for (const contract of this.#tables.gpo_contract) {
      if (contract.gpo_id === null) continue;
      if (contract.id === supposed?.contractId) named.add(contract.gpo_id);
      else if (this.#isInEffect(contract, day)) {
        const row = this.#row(contract.id, chain, day);
        if (row && !row.excluded) named.add(contract.gpo_id);
      }
    }
    const primary = new Set(declared.filter(({ is_primary }) => is_primary).map(({ gpo_id }) => gpo_id));
    return {
      members: new Set([...declared.map(({ gpo_id }) => gpo_id), ...named]),
      counts: (gpoId) => (primary.size > 0 ? primary.has(gpoId) : named.size === 1 && named.has(gpoId)),
      toChoose: (gpoId) => primary.size === 0 && named.size > 1 && named.has(gpoId),
    };
  }

  #isInEffect(contract: Tables['gpo_contract'][number], day: string): boolean {
    const { effective_from, effective_to, extended_to, terminated_on, state } = contract;
    const last = [extended_to ?? effective_to, ...(terminated_on ? [terminated_on] : [])].toSorted()[0] ?? '';
    return state !== 'Draft' && effective_from <= day && day <= last;
  }

  /** The tier that counts: the row's, or its fallback while its letter of commitment is not approved. */
  #tierOf(tierId: number | null, chain: number[], day: string): number | null {
    let tier = this.#tiers.get(tierId ?? 0);
    for (let step = 0; tier && step < 9; step++) {
      const { id, contract_id, needs_loc, fallback_tier_id } = tier;
      const approved = this.#tables.contract_loc.some(
        (loc) =>
          loc.contract_id === contract_id &&
          loc.tier_id === id &&
          loc.state === 'Approved' &&
          holds(day, loc.valid_from, loc.valid_to) &&
          chain.some((candidate, depth) => candidate === loc.facility_id && (depth === 0 || loc.covers_children)),
      );
      if (!needs_loc || approved) return id;
      tier = this.#tiers.get(fallback_tier_id ?? 0);
    }
    return null;
  }

  #contractPrice(
    { currnIdx, day, facilityId }: PriceTerms,
    { itemId, unit }: AskedLine,
    supposed: SupposedTier | undefined,
  ): { contract: Offer | null; toChoose: boolean } {
    const chain = this.#chain(facilityId);
    const { members, counts, toChoose } = this.#gpos(chain, day, supposed);
    const offers = [...Map.groupBy(this.#linesOfItem.get(itemId) ?? [], (line) => line.contract_id)].flatMap(
      ([contractId, lines]) => {
        const contract = this.#contracts.get(contractId);
        if (!contract || !this.#isInEffect(contract, day) || isEuro(contract.currn_idx) !== isEuro(currnIdx)) return [];
        let tierId: number | null;
        if (contractId === supposed?.contractId) ({ tierId } = supposed);
        else {
          const row = this.#row(contractId, chain, day);
          if (row?.excluded) return [];
          if (row) tierId = this.#tierOf(row.tier_id, chain, day);
          else if (contract.open_to === 'members' && contract.gpo_id !== null && members.has(contract.gpo_id))
            tierId = this.#tierOf(this.tiersOf(contractId)[0]?.id ?? null, chain, day);
          else return [];
        }
        const [nearest] = lines
          .filter((line) => holds(day, line.valid_from, line.valid_to))
          .flatMap((line) => {
            const price = this.#pricesOfLine
              .get(line.id)
              ?.find(
                (candidate) => candidate.tier_id === tierId && holds(day, candidate.valid_from, candidate.valid_to),
              );
            const amount = price ? this.#converted(itemId, price.price, line.unit, unit) : null;
            return amount === null ? [] : [{ lineId: line.id, amount, near: this.#nearness(itemId, line.unit, unit) }];
          })
          .toSorted((a, b) => a.near - b.near);
        return nearest
          ? [{ contract, amount: nearest.amount, from: `contract_line ${nearest.lineId} tier ${tierId}` }]
          : [];
      },
    );
    const counting = offers.filter(({ contract }) => contract.gpo_id === null || counts(contract.gpo_id));
    const replaced = new Set(counting.flatMap(({ contract }) => this.#predecessors(contract.id)));
    const able = counting.filter(({ contract }) => !replaced.has(contract.id));
    const local = able.filter(({ contract }) => contract.gpo_id === null);
    const ranked = local.length > 0 ? local : able;
    const [lowest] = ranked.map(({ amount }) => amount).toSorted((a, b) => (a < b ? -1 : 1));
    return {
      contract:
        lowest === undefined
          ? null
          : { price: lowest, from: ranked.filter(({ amount }) => amount === lowest).map(({ from }) => from) },
      toChoose: offers.some(({ contract }) => contract.gpo_id !== null && toChoose(contract.gpo_id)),
    };
  }

  /** The contracts that a contract succeeds, directly and through others. */
  #predecessors(contractId: number): number[] {
    const results: number[] = [];
    for (let at = this.#contracts.get(contractId)?.predecessor_id ?? null; at !== null && !results.includes(at); ) {
      results.push(at);
      at = this.#contracts.get(at)?.predecessor_id ?? null;
    }
    return results;
  }
}

/** The totals of a quote whose lines have these prices; those that do not count add nothing. */
export function totalsOf(
  quote: Pick<QuoteRow, 'discount_pct' | 'freight_amount' | 'tax_rate' | 'tax_exempt'>,
  lines: { price: number | null; qty: number; counts: boolean }[],
): { subtotal: number; total: number } {
  const sum = lines.reduce(
    (all, { price, qty, counts }) => (counts ? all + cents(units(price ?? 0) * units(qty), TEN_THOUSAND) : all),
    0n,
  );
  const subtotal = sum - cents(sum * units(quote.discount_pct), HUNDRED_PERCENT);
  const tax = quote.tax_exempt ? 0n : cents(subtotal * units(quote.tax_rate), HUNDRED_PERCENT);
  const total = subtotal + tax + units(quote.freight_amount);
  return { subtotal: Number(subtotal) / 10_000, total: Number(total) / 10_000 };
}
