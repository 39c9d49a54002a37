// The conditions on quotes and lines for discounts, leakage and cost. The lists behind the figures use them, too.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { hasKey } from '../facts/buckets.server.ts';
import { LINE_LEAK } from '../facts/kept-sums.server.ts';
import type { Part } from '../facts/quotes-of-figure.server.ts';
import { isQuoted, linesSelected, selected, type Terms } from '../facts/selection.server.ts';
import type { Slice, WaterfallStep } from '../slices.ts';
import { MIN_FOR_USUAL } from './discount-margin.definitions.ts';

/** The amount that a quote adds to each step. */
export const STEP_AMOUNTS: Record<WaterfallStep, RawBuilder<unknown>> = {
  list: sql`quote.list_amount`,
  contract: sql`quote.contract_amount - quote.list_amount`,
  promotion: sql`quote.promotion_amount - quote.contract_amount`,
  typed: sql`quote.typed_amount - quote.promotion_amount`,
  quoteDiscount: sql`quote.net_amount - quote.typed_amount`,
  net: sql`quote.net_amount`,
  freight: sql`quote.freight_amount`,
  tax: sql`quote.total_amount - quote.net_amount - quote.freight_amount`,
  total: sql`quote.total_amount`,
};
const STEP_TITLES: Record<WaterfallStep, string> = {
  list: 'List value',
  contract: 'Account and contract',
  promotion: 'Promotions',
  typed: 'Typed prices',
  quoteDiscount: 'Quote discount',
  net: 'Net',
  freight: 'Freight',
  tax: 'Tax',
  total: 'Total',
};

/** Discounts above this, in hundredths of a percent, are outliers. Null if there are too few quotes to compare. */
export const usualLimit = (terms: Terms): RawBuilder<number | null> =>
  sql`(select case when usual.count >= ${sql.lit(MIN_FOR_USUAL)} then (quartiles[2] + 1.5 * (quartiles[2] - quartiles[1]))::int end
    from (select percentile_disc(array[0.25, 0.75]) within group (order by quote.discount) as quartiles, count(*) as count
      from report_quote quote where ${selected(terms)} and ${isQuoted(terms)}) usual)`;

/** A sum over the lines of a quote that the filters of lines and the class select, as a subselect. */
const sumOfLines = (value: RawBuilder<unknown>, terms: Terms, and: RawBuilder<SqlBool> = sql<SqlBool>`true`) =>
  sql`(select sum(${value}) from report_counted_line line
    where line.quote_id = quote.id and ${linesSelected(terms)} and ${and})`;
const hasLine = (terms: Terms, and: RawBuilder<SqlBool>) =>
  sql<SqlBool>`exists (select from report_counted_line line
    where line.quote_id = quote.id and ${linesSelected(terms)} and ${and})`;

type DiscountSlice = Extract<Slice, { kind: 'waterfall' | 'rep' | 'class' | 'outliers' | 'leakage' | 'uncosted' }>;

export function discountPart(slice: DiscountSlice, terms: Terms): Part {
  const part = (where: RawBuilder<SqlBool>, amount: RawBuilder<unknown>, amountTitle: string): Part => ({
    where: sql<SqlBool>`${isQuoted(terms)} and ${where}`,
    amount,
    amountTitle,
  });
  const all = sql<SqlBool>`true`;
  const net = STEP_AMOUNTS.net;
  switch (slice.kind) {
    case 'waterfall': {
      const amount = STEP_AMOUNTS[slice.step];
      const isLevel = slice.step === 'list' || slice.step === 'net' || slice.step === 'total';
      return part(isLevel ? all : sql<SqlBool>`${amount} <> 0`, amount, STEP_TITLES[slice.step]);
    }
    case 'rep':
      return part(hasKey(sql`quote.sales_rep_id`, slice.key), net, 'Net');
    case 'class': {
      const isOfClass = hasKey(sql`line.class_id`, slice.key);
      return part(hasLine(terms, isOfClass), sumOfLines(sql`line.net_amount`, terms, isOfClass), 'Net in item class');
    }
    case 'outliers':
      return part(sql<SqlBool>`quote.discount > ${usualLimit(terms)}`, net, 'Net');
    case 'leakage': {
      const ofClass = slice.by === 'class' ? hasKey(sql`line.class_id`, slice.key) : all;
      const ofRep = slice.by === 'rep' ? hasKey(sql`quote.sales_rep_id`, slice.key) : all;
      const leaks = sql<SqlBool>`line.rule_amount > line.net_amount and ${ofClass}`;
      return part(
        sql<SqlBool>`${ofRep} and ${hasLine(terms, leaks)}`,
        sumOfLines(LINE_LEAK, terms, ofClass),
        'Below system price',
      );
    }
    case 'uncosted':
      return {
        ...part(sql<SqlBool>`quote.uncosted_lines > 0`, sql`quote.uncosted_amount`, 'Net of lines without a cost'),
        needsCost: true,
      };
  }
}
