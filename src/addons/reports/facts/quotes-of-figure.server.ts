// The part of the quotes that one figure is made of.
import type { RawBuilder, SqlBool } from 'kysely';

/** The condition on `report_quote quote` and what each quote adds to the figure. */
export type Part = {
  where: RawBuilder<SqlBool>;
  /** The quote's total, unless the figure says otherwise. */
  amount?: RawBuilder<unknown>;
  /** What the amount is, as a column of the list says it. 'Total' unless given. */
  amountTitle?: string;
  /** `report_quote quote` with what the conditions need besides. */
  from?: RawBuilder<unknown>;
  /** Only for readers who may know the cost. */
  needsCost?: boolean;
};
