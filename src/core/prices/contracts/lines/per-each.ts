// Converts a price per unit into a price per base unit.
import { AmountOutOfRange, convertPrice, type Decimal } from '#platform/shared/money.ts';

/**
 * Returns a price per base unit with four places. `factor` is the number of base units per unit: 41.00 per BX of 50 is 0.8200. Returns null without a
 * factor, and for a result below 0.00005 or too large for four places.
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
