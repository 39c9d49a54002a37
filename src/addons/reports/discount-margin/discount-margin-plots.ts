// The plots of discount and margin: from list to net, the spread of discounts, and what is below the system price.
import { figureIn, type Plot } from '../plots/plot.ts';
import { type HrefOf, plotRow } from '../plots/words.ts';
import type { DiscountMarginReport, DiscountMark, Mark } from '../reports.contract.ts';
import type { WaterfallStep } from '../slices.ts';

const STEPS: Record<WaterfallStep, string> = {
  list: 'List',
  contract: 'Account and contract',
  promotion: 'Promotions',
  typed: 'Typed prices',
  quoteDiscount: 'Quote discount',
  net: 'Net',
  freight: 'Freight',
  tax: 'Tax',
  total: 'Total',
};
const LEVELS: readonly WaterfallStep[] = ['list', 'net', 'total'];
const DRAWN = 12;

export function waterfall({ waterfall: steps, currnIdx }: DiscountMarginReport, hrefOf: HrefOf): Plot {
  return {
    kind: 'bridge',
    title: 'From list price to total',
    unit: { amountIn: currnIdx },
    over: 'Step',
    series: [{ name: 'Amount', tone: 0 }],
    facts: ['% of list', 'Quotes'],
    rows: steps.map(({ step, amount, pct, count, slice }) => ({
      label: STEPS[step],
      values: [amount],
      hrefs: [hrefOf(slice)],
      facts: [figureIn('percent', pct), count.toLocaleString('en-US')],
      beside: figureIn('percent', pct),
      whole: LEVELS.includes(step),
    })),
  };
}

/** The spread of discounts, with margins if the reader may see them. */
function spread(title: string, over: string, marks: readonly DiscountMark[], currnIdx: number, hrefOf: HrefOf): Plot {
  const seesMargin = marks.some(({ marginPct }) => marginPct !== null);
  return {
    kind: 'ranges',
    title,
    unit: 'percent',
    over,
    series: ['10th percentile', 'Median', '90th percentile'].map((name) => ({ name, tone: 0 })),
    facts: ['Overall discount', 'Net amount', ...(seesMargin ? ['Margin'] : [])],
    drawn: DRAWN,
    rows: marks.map((mark) => ({
      label: mark.name,
      values: [mark.lowPct, mark.medianPct, mark.highPct],
      hrefs: [hrefOf(mark.slice), hrefOf(mark.slice), hrefOf(mark.slice)],
      facts: [
        figureIn('percent', mark.discountPct),
        figureIn({ amountIn: currnIdx }, mark.amount),
        ...(seesMargin ? [figureIn('percent', mark.marginPct)] : []),
      ],
    })),
    note: 'Each bar spans the 10th to the 90th percentile of discounts off list. The line marks the median.',
  };
}

export const discountByRep = ({ byRep, currnIdx }: DiscountMarginReport, hrefOf: HrefOf): Plot =>
  spread('Discounts by sales rep', 'Sales rep', byRep, currnIdx, hrefOf);

export const discountByClass = ({ byClass, currnIdx }: DiscountMarginReport, hrefOf: HrefOf): Plot =>
  spread('Discounts by item class', 'Item class', byClass, currnIdx, hrefOf);

/** Margins in percent of the groups with a known cost. Null for readers who may not know it. */
export function marginBy(key: 'rep' | 'class', { byRep, byClass }: DiscountMarginReport, hrefOf: HrefOf): Plot | null {
  const known = (key === 'rep' ? byRep : byClass).filter(({ marginPct }) => marginPct !== null);
  if (known.length === 0) return null;
  return {
    kind: 'bars',
    title: key === 'rep' ? 'Margin by sales rep' : 'Margin by item class',
    unit: 'percent',
    over: key === 'rep' ? 'Sales rep' : 'Item class',
    series: [{ name: 'Margin', tone: 4 }],
    drawn: DRAWN,
    rows: known.map(({ name, marginPct, slice }) => ({ label: name, values: [marginPct], hrefs: [hrefOf(slice)] })),
    note: 'Only lines with a known cost.',
  };
}

function leaks(title: string, over: string, marks: readonly Mark[], currnIdx: number, hrefOf: HrefOf): Plot {
  return {
    kind: 'bars',
    title,
    unit: { amountIn: currnIdx },
    over,
    series: [{ name: 'Below system price', tone: 1 }],
    facts: ['Quotes'],
    drawn: DRAWN,
    rows: marks.map((mark) => plotRow(mark, 'amount', currnIdx, hrefOf)),
  };
}

export const leakageByRep = ({ leakage, currnIdx }: DiscountMarginReport, hrefOf: HrefOf): Plot =>
  leaks('Leakage by sales rep', 'Sales rep', leakage.byRep, currnIdx, hrefOf);

export const leakageByClass = ({ leakage, currnIdx }: DiscountMarginReport, hrefOf: HrefOf): Plot =>
  leaks('Leakage by item class', 'Item class', leakage.byClass, currnIdx, hrefOf);
