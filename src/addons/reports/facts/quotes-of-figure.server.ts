// The set of quotes behind one figure.
import type { RawBuilder, SqlBool } from 'kysely';

/** The condition on `report_quote quote` and what each quote adds to the figure. */
export type Part = {
  where: RawBuilder<SqlBool>;
  /** The amount that each quote adds to the figure. By default the quote's total. */
  amount?: RawBuilder<unknown>;
  /** The heading of the amount's column in the list. By default 'Total'. */
  amountTitle?: string;
  /** `report_quote quote` with the other tables that the conditions need. */
  from?: RawBuilder<unknown>;
  /** True if only readers who may know the cost get it. */
  needsCost?: boolean;
};
