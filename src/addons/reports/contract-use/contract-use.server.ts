// Computes what is quoted and won under each contract and tier, who never bought, what ends, and the items quoted, won and lost most.
import { type RawBuilder, sql } from 'kysely';
import { hasNoGpoTab } from '#platform/auth/gpo-tab.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { LAST_DAY, statusOn } from '#core/prices/contracts/contract-days.server.ts';
import { facilityInSight } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { inSight, seesAllQuotes } from '#core/quoting/quotes/sight.server.ts';
import { amountFrom, CONTRACT_SUMS, ITEM_SUMS } from '../facts/kept-sums.server.ts';
import {
  type Asked,
  inReport,
  IS_OPEN,
  isQuoted,
  linesSelected,
  selected,
  type Terms,
} from '../facts/selection.server.ts';
import { isOfAll, keptMonths, type Months, sumsOf } from '../facts/whole-months.server.ts';
import type { ReportFilters } from '../report-filters.ts';
import type { ContractUseReport, ReportHead, UsedItem } from '../reports.contract.ts';
import { sliceText } from '../slices.ts';
import {
  EXPIRES_WITHIN_DAYS,
  MAX_CONTRACTS,
  MAX_FACILITIES,
  MAX_ITEMS,
  MAX_NEVER_BOUGHT,
} from './contract-use.definitions.ts';

export function getContractUse(request: Asked, filters: ReportFilters): Promise<ContractUseReport> {
  return inReport(request, filters, reportOf);
}

async function reportOf(request: Asked, terms: Terms, head: ReportHead): Promise<ContractUseReport> {
  const months = await keptMonths(request.db, terms);
  return {
    ...head,
    contracts: await contracts(request, terms, months),
    neverBought: await neverBought(request, terms),
    expiring: await expiring(request, terms),
    risks: await risks(request, terms),
    ...(await mostOf(request, terms, months)),
  };
}

type Sums = { quoted: number; quotedAmount: number; won: number; wonAmount: number };
type Row = Sums & {
  contractId: number;
  tierId: number | null;
  isWhole: boolean;
  number: string;
  title: string;
  gpo: string;
  tier: string;
};

/** Sums by contract and by its tiers. A quote with lines in two tiers is one quote of the contract. */
async function contracts({ db }: Asked, terms: Terms, months: Months | null): Promise<ContractUseReport['contracts']> {
  const quotes = sql`case grouping(tier_id) when 1 then sum(contract_quotes) else sum(tier_quotes) end`;
  const wonQuotes = sql`case grouping(tier_id) when 1 then sum(contract_quotes) filter (where outcome = 'Won')
    else sum(tier_quotes) filter (where outcome = 'Won') end`;
  const { rows } = await sql<Row>`
    select use.*, c.number, c.title, coalesce(gpo.name, '') as gpo, coalesce(t.name, 'No tier named') as tier from (
      select contract_id as "contractId", nullif(tier_id, 0) as "tierId", grouping(tier_id) = 1 as "isWhole", ${quotes}::int as quoted,
        ${amountFrom('net')} as "quotedAmount", coalesce(${wonQuotes}, 0)::int as won,
          ${amountFrom('net', sql`filter (where outcome = 'Won')`)} as "wonAmount"
      from (${sumsOf(CONTRACT_SUMS, terms, months)}) sums
      group by grouping sets ((contract_id), (contract_id, tier_id)) having sum(tier_quotes) > 0) use
    join gpo_contract c on c.id = use."contractId" left join gpo on gpo.id = c.gpo_id left join contract_tier t on t.id = use."tierId"
    order by use."quotedAmount" desc, c.number, t.tier_no`.execute(db);
  const sums = ({ quoted, quotedAmount, won, wonAmount }: Row) => ({ quoted, quotedAmount, won, wonAmount });
  const slices = (kind: 'contract' | 'tier', key: number) => ({
    quotedSlice: sliceText({ kind, outcome: 'quoted', key: String(key) }),
    wonSlice: sliceText({ kind, outcome: 'won', key: String(key) }),
  });
  const tiers = Map.groupBy(
    rows.filter(({ isWhole, tierId }) => !isWhole && tierId !== null),
    ({ contractId }) => contractId,
  );
  return rows
    .filter(({ isWhole }) => isWhole)
    .slice(0, MAX_CONTRACTS)
    .map((row) => ({
      contractId: row.contractId,
      number: row.number,
      title: row.title,
      gpo: row.gpo,
      ...sums(row),
      ...slices('contract', row.contractId),
      tiers: (tiers.get(row.contractId) ?? []).map((tier) => ({
        tierId: tier.tierId ?? 0,
        name: tier.tier,
        ...sums(tier),
        ...slices('tier', tier.tierId ?? 0),
      })),
    }));
}

/** Whether any filter other than the contract restricts the quotes. */
const isNarrowed = ({ filters: { regionId, territoryId, repId, classId } }: Terms) =>
  Boolean(regionId ?? territoryId ?? repId ?? classId);

const BOUGHT_BY_ALL = sql`select contract_id, facility_id from report_bought where quotes > 0`;

/** The facilities on the roster of an active contract that are not excluded. With filters, only facilities of a selected quote. */
async function neverBought({ db, user, services }: Asked, terms: Terms): Promise<ContractUseReport['neverBought']> {
  if (await hasNoGpoTab(db, services, user.id)) return [];
  const { today, filters } = terms;
  const narrowed = isNarrowed(terms)
    ? sql`and r.facility_id in (select quote.facility_id from report_quote quote where ${selected(terms)})`
    : sql``;
  const boughtInSight = sql`
    select distinct line.contract_id, quote.facility_id from report_counted_line line join report_quote quote on quote.id = line.quote_id
    where quote.status_id = 'Won' and line.contract_id is not null and ${inSight(user)}`;
  const { rows } = await sql<ContractUseReport['neverBought'][number]>`
    with entitled as (
      select distinct r.contract_id, r.facility_id from contract_roster r join gpo_contract on gpo_contract.id = r.contract_id
      where not r.excluded and r.valid_from <= ${today}::date and (r.valid_to is null or r.valid_to >= ${today}::date)
        and ${statusOn(today)} in ('Active', 'Expiring')
        and (${filters.contractId ?? null}::int is null or r.contract_id = ${filters.contractId ?? null}::int)
        and ${facilityInSight(user, today, sql`r.facility_id`)} ${narrowed}),
    bought as (${seesAllQuotes(user) ? BOUGHT_BY_ALL : boughtInSight})
    select c.id as "contractId", c.number, c.title, count(*)::int as entitled,
      (count(*) filter (where b.facility_id is null))::int as never,
      coalesce((jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'acctNo', f.acct_no) order by f.name, f.id)
        filter (where b.facility_id is null)), '[]') as facilities
    from entitled e join gpo_contract c on c.id = e.contract_id join facility f on f.id = e.facility_id
    left join bought b on b.contract_id = e.contract_id and b.facility_id = e.facility_id
    group by c.id having count(*) filter (where b.facility_id is null) > 0
    order by never desc, c.number limit ${sql.lit(MAX_NEVER_BOUGHT)}`.execute(db);
  return rows.map((row) => ({ ...row, facilities: row.facilities.slice(0, MAX_FACILITIES) }));
}

async function expiring({ db }: Asked, terms: Terms): Promise<ContractUseReport['expiring']> {
  const { today } = terms;
  const open = sql`
    select line.contract_id, count(distinct quote.id)::int as count, sum(line.net_amount) as amount
    from report_quote quote join report_counted_line line on line.quote_id = quote.id
    where ${selected(terms)} and ${IS_OPEN} and ${linesSelected(terms)} and line.contract_id is not null group by 1`;
  const { rows } = await sql<Omit<ContractUseReport['expiring'][number], 'slice'>>`
    select gpo_contract.id as "contractId", gpo_contract.number, gpo_contract.title, ${LAST_DAY} as "endsOn", o.count, o.amount
    from gpo_contract join (${isOfAll(terms) ? openOfAll(terms) : open}) o on o.contract_id = gpo_contract.id
    where gpo_contract.state = 'Active' and ${LAST_DAY} between ${today}::date and ${today}::date + ${sql.lit(EXPIRES_WITHIN_DAYS)}
    order by "endsOn", gpo_contract.number`.execute(db);
  return rows.map((row) => ({
    ...row,
    slice: sliceText({ kind: 'contract', outcome: 'open', key: String(row.contractId) }),
  }));
}

/** The open quotes under each contract, from any month. */
const openOfAll = ({ currnIdx }: Terms) => sql`
  select contract_id, sum(contract_quotes)::int as count, ${amountFrom('net')} as amount from report_contract_month
  where outcome = 'Open' and currn_idx = ${currnIdx}::int group by contract_id having sum(contract_quotes) > 0`;

/** The lines at risk by month. A settled risk is not included. */
async function risks({ db }: Asked, terms: Terms): Promise<ContractUseReport['risks']> {
  const { contractId } = terms.filters;
  const ofContract: RawBuilder<unknown> = contractId ? sql`and risk.contract_id = ${contractId}::int` : sql``;
  const { rows } = await sql<ContractUseReport['risks'][number]>`
    select to_char(risk.day, 'YYYY-MM') as month, risk.kind, count(distinct risk.quote_id)::int as quotes,
      coalesce(sum(risk.difference) filter (where risk.counts), 0) as difference
    from quote_risk risk join report_quote quote on quote.id = risk.quote_id
    where risk.settled_at is null ${ofContract} and ${selected(terms)} group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

type ItemSums = {
  itemId: number;
  itemNumber: string;
  description: string;
  quoted: number;
  quotedAmount: number;
  won: number;
  wonAmount: number;
  lost: number;
  lostAmount: number;
};

/** Finds the items quoted, won and lost most, with the spread of their prices over facilities. */
async function mostOf(
  { db }: Asked,
  terms: Terms,
  months: Months | null,
): Promise<Pick<ContractUseReport, 'mostQuoted' | 'mostWon' | 'mostLost'>> {
  const ranks = ['quoted', 'won', 'lost'] as const;
  const { rows } = await sql<ItemSums & Record<`${(typeof ranks)[number]}Rank`, number>>`
    with amounts as (
      select item_id, ${amountFrom('quoted')} as quoted, ${amountFrom('won')} as won,
        ${amountFrom('lost')} as lost, sum(quoted_quotes)::int as quoted_quotes,
          sum(won_quotes)::int as won_quotes, sum(lost_quotes)::int as lost_quotes
      from (${sumsOf(ITEM_SUMS, terms, months)}) sums group by item_id),
    best as materialized (select * from (select *, ${sql.join(
      ranks.map(
        (rank) => sql`row_number() over (order by ${sql.ref(rank)} desc, item_id) as ${sql.ref(`${rank}_rank`)}`,
      ),
    )} from amounts where quoted_quotes > 0) ranked where least(quoted_rank, won_rank, lost_rank) <= ${sql.lit(MAX_ITEMS)})
    select best.item_id as "itemId", item.item_number as "itemNumber", item.description,
      best.quoted as "quotedAmount", best.won as "wonAmount", best.lost as "lostAmount",
      quoted_rank::int as "quotedRank", won_rank::int as "wonRank", lost_rank::int as "lostRank",
      quoted_quotes as quoted, won_quotes as won, lost_quotes as lost
    from best join item on item.id = best.item_id`.execute(db);
  const prices = await pricesOf(
    db,
    terms,
    rows.map(({ itemId }) => itemId),
  );
  const best = (rank: (typeof ranks)[number]) =>
    rows
      .filter((row) => row[`${rank}Rank`] <= MAX_ITEMS && row[rank] > 0)
      .toSorted((a, b) => a[`${rank}Rank`] - b[`${rank}Rank`])
      .map((row) => usedItem(row, prices.get(row.itemId) ?? null));
  return { mostQuoted: best('quoted'), mostWon: best('won'), mostLost: best('lost') };
}

function usedItem(row: ItemSums, price: UsedItem['price']): UsedItem {
  const { itemId, itemNumber, description, quoted, quotedAmount, won, wonAmount, lost, lostAmount } = row;
  const slice = (outcome: 'quoted' | 'won' | 'lost') => sliceText({ kind: 'item', outcome, key: String(itemId) });
  return {
    itemId,
    itemNumber,
    description,
    quoted,
    quotedAmount,
    quotedSlice: slice('quoted'),
    won,
    wonAmount,
    wonSlice: slice('won'),
    lost,
    lostAmount,
    lostSlice: slice('lost'),
    price,
  };
}

/** The net prices of each item in its most quoted unit, one for each facility: that of its newest quote. */
async function pricesOf(db: Db, terms: Terms, itemIds: number[]): Promise<Map<number, NonNullable<UsedItem['price']>>> {
  if (itemIds.length === 0) return new Map();
  const { rows } = await sql<{ itemId: number; unit: string; spread: number[]; facilities: number }>`
    with priced as (
      select line.item_id, line.unit, line.net_price, quote.facility_id, quote.quote_date, line.line_id
      from report_counted_line line join report_quote quote on quote.id = line.quote_id
      where line.item_id = any(${itemIds}::int[]) and line.net_price is not null and ${selected(terms)}
        and ${isQuoted(terms)} and ${linesSelected(terms)}),
    usual as (select distinct on (item_id) item_id, unit from priced group by item_id, unit order by item_id, count(*) desc, unit),
    newest as (select distinct on (item_id, facility_id) item_id, unit, net_price from priced join usual using (item_id, unit)
      order by item_id, facility_id, quote_date desc, line_id desc)
    select item_id as "itemId", unit,
      percentile_disc(array[0.0, 0.5, 1.0]) within group (order by net_price) as spread, count(*)::int as facilities
    from newest group by item_id, unit`.execute(db);
  return new Map(
    rows.map(({ itemId, unit, spread: [low = 0, median = 0, high = 0], facilities }) => [
      itemId,
      { unit, low, median, high, facilities },
    ]),
  );
}
