// What a price per unit is per base unit.
import { AmountOutOfRange, convertPrice, type Decimal } from '#shared/money.ts';

/**
 * A price per base unit, four places, by how many base units the unit holds: 41.00 per BX of 50 is 0.8200. Null without a factor, and where
 * four places cannot say it: below 0.00005, or too large.
 */
export function perEach(price: Decimal, factor: Decimal | null): Decimal | null {
  if (factor === null) return null;
  try {
    const each = convertPrice(price, factor, 1);
    return each === 0 && price > 0 ? null : each;
  } catch (error) {
    if (error instanceof AmountOutOfRange) return null;
    throw error;
  }
}
