// The plots of contracts and items: what is used, what ends, what is at risk, and the spread of an item's prices.
import { RISK_KINDS, RISK_WORDS } from '#addons/quotes-at-risk/risk-kinds.ts';
import { addMonths, formatDate } from '#platform/shared/dates.ts';
import { formatPrice } from '#platform/shared/money.ts';
import { figureIn, type Plot } from '../plots/plot.ts';
import { type HrefOf, monthName } from '../plots/words.ts';
import type { ContractUseReport, UsedItem } from '../reports.contract.ts';

const DRAWN = 12;
const QUOTED = { name: 'Quoted', tone: 2 };
const WON = { name: 'Won', tone: 0 };

type Use = Pick<
  ContractUseReport['contracts'][number],
  'quoted' | 'quotedAmount' | 'quotedSlice' | 'won' | 'wonAmount' | 'wonSlice'
>;

function used(
  title: string,
  over: string,
  rows: readonly (Use & { label: string })[],
  currnIdx: number,
  hrefOf: HrefOf,
): Plot {
  return {
    kind: 'bars',
    title,
    unit: { amountIn: currnIdx },
    over,
    series: [QUOTED, WON],
    facts: ['Quotes', 'Won quotes'],
    drawn: DRAWN,
    rows: rows.map((row) => ({
      label: row.label,
      values: [row.quotedAmount, row.wonAmount],
      hrefs: [hrefOf(row.quotedSlice), hrefOf(row.wonSlice)],
      facts: [row.quoted.toLocaleString('en-US'), row.won.toLocaleString('en-US')],
    })),
  };
}

export function contractUse({ contracts, currnIdx }: ContractUseReport, hrefOf: HrefOf): Plot {
  const rows = contracts.map((contract) => ({
    ...contract,
    label: [contract.number, contract.gpo].filter(Boolean).join(' · '),
  }));
  return used('Quoted and won by contract', 'Contract', rows, currnIdx, hrefOf);
}

export function tierUse({ contracts, currnIdx }: ContractUseReport, hrefOf: HrefOf): Plot {
  const rows = contracts.flatMap(({ number, tiers }) =>
    tiers.map((tier) => ({ ...tier, label: `${number} · ${tier.name}` })),
  );
  return used('Quoted and won by tier', 'Tier', rows, currnIdx, hrefOf);
}

export function expiringContracts({ expiring, currnIdx }: ContractUseReport, hrefOf: HrefOf): Plot {
  return {
    kind: 'bars',
    title: 'Open amount under contracts ending within 90 days',
    unit: { amountIn: currnIdx },
    over: 'Contract',
    series: [{ name: 'Open', tone: 1 }],
    facts: ['Title', 'Ends on', 'Quotes'],
    drawn: DRAWN,
    rows: expiring.map((entry) => ({
      label: `${entry.number}, ends ${formatDate(entry.endsOn)}`,
      values: [entry.amount],
      hrefs: [hrefOf(entry.slice)],
      facts: [entry.title, formatDate(entry.endsOn), entry.count.toLocaleString('en-US')],
    })),
  };
}

/** `risksHref` is the address of the list of quotes at risk. */
export function risksByMonth({ risks, currnIdx, asOf }: ContractUseReport, risksHref: string | null): Plot {
  const [month, , year] = formatDate(asOf).split('/');
  const now = `${year ?? ''}-${month ?? ''}`;
  const last = risks.reduce((latest, risk) => (risk.month > latest ? risk.month : latest), now);
  const changed = { label: 'Earlier', of: risks.filter((risk) => risk.month < now) };
  const coming = monthsTo(now, last).map((key) => ({
    label: monthName(key),
    of: risks.filter((risk) => risk.month === key),
  }));
  const rows = risks.length === 0 ? [] : changed.of.length > 0 ? [changed, ...coming] : coming;
  return {
    kind: 'columns',
    title: 'Lines at risk by month of price change',
    unit: { amountIn: currnIdx },
    over: 'Month',
    series: [{ name: 'Price change', tone: 1 }],
    facts: ['Reasons'],
    rows: rows.map(({ label, of }) => ({
      label,
      values: [Math.round(of.reduce((sum, { difference }) => sum + difference, 0) * 100) / 100],
      hrefs: [risksHref],
      facts: [whyOf(of)],
    })),
    note: 'New price minus quoted price, times quantity. Earlier: prices that have already changed.',
  };
}

/** The months from one to another, including both. */
function monthsTo(from: string, to: string): string[] {
  return from > to ? [] : [from, ...monthsTo(addMonths(`${from}-01`, 1).slice(0, 7), to)];
}

function whyOf(risks: ContractUseReport['risks']): string {
  const quotes = new Map<string, number>();
  for (const { kind, quotes: more } of risks) quotes.set(kind, (quotes.get(kind) ?? 0) + more);
  return RISK_KINDS.flatMap((kind) => {
    const count = quotes.get(kind);
    return count ? [`${RISK_WORDS[kind].label}: ${figureIn('quotes', count)}`] : [];
  }).join(', ');
}

const OF_ITEMS = {
  quoted: { title: 'Most quoted items', tone: 2 },
  won: { title: 'Most won items', tone: 0 },
  lost: { title: 'Most lost items', tone: 1 },
} as const;

export function items(field: keyof typeof OF_ITEMS, report: ContractUseReport, hrefOf: HrefOf): Plot {
  const { title, tone } = OF_ITEMS[field];
  const results = { quoted: report.mostQuoted, won: report.mostWon, lost: report.mostLost }[field];
  return {
    kind: 'bars',
    title,
    unit: { amountIn: report.currnIdx },
    over: 'Item',
    series: [{ name: field === 'quoted' ? 'Quoted' : field === 'won' ? 'Won' : 'Lost', tone }],
    facts: ['Quotes'],
    drawn: DRAWN,
    rows: results.map((item) => ({
      label: labelOf(item),
      values: [item[`${field}Amount`]],
      hrefs: [hrefOf(item[`${field}Slice`])],
      facts: [item[field].toLocaleString('en-US')],
    })),
  };
}

/** How far below or above the median price facilities pay for the same item. */
export function priceSpread({ mostQuoted, currnIdx }: ContractUseReport, hrefOf: HrefOf): Plot {
  const known = mostQuoted.flatMap((item) =>
    item.price && item.price.median > 0 ? [{ item, price: item.price }] : [],
  );
  const off = (price: number, middle: number) => Math.round((price / middle - 1) * 1000) / 10;
  return {
    kind: 'ranges',
    title: 'Price spread of items across facilities',
    unit: 'percent',
    over: 'Item',
    series: ['Lowest', 'Median', 'Highest'].map((name) => ({ name, tone: 3 })),
    facts: ['Lowest price', 'Median price', 'Highest price', 'Unit', 'Facilities'],
    drawn: DRAWN,
    rows: known.map(({ item, price: { low, median, high, unit, facilities } }) => ({
      label: labelOf(item),
      values: [off(low, median), 0, off(high, median)],
      hrefs: [hrefOf(item.quotedSlice), hrefOf(item.quotedSlice), hrefOf(item.quotedSlice)],
      facts: [...[low, median, high].map((price) => formatPrice(price, currnIdx)), unit, String(facilities)],
    })),
    note: 'Compared with the median net price, in the unit quoted most often. The table shows the prices.',
  };
}

const labelOf = ({ itemNumber, description }: UsedItem) => `${itemNumber} ${description}`;
