// What a promotion is, what it says to a rep, and when it applies (specification sections 3, 6 and 9; design 4, step 5).
import { z } from 'zod';

export const Promotion = z.object({
  id: z.number().int(),
  /** BuyXGetYFree, DiscountPct, or anything else: a fixed promotional price. */
  promotionType: z.string(),
  itemNumber: z.string(),
  buyXGetYFreeBuyQty: z.number(),
  buyXGetYFreeGetQty: z.number(),
  promotionAmt: z.number(),
  minQty: z.number(),
  /** 0 or less: unlimited. */
  maxQty: z.number(),
  /** Empty: any unit. */
  uom: z.string(),
});
export type Promotion = z.infer<typeof Promotion>;
