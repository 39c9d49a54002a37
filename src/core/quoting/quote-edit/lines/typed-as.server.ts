// Converts a typed price, or a typed amount off, to another unit of its item. It always starts from the value as typed.
import type { ItemFacts } from '#core/prices/pricing/priced-item.server.ts';
import type { Line, TypedAs } from '#core/quoting/quotes/quote-rows.ts';
import { compare, convertPrice, type Decimal, type PricePlaces, roundPrice } from '#platform/shared/money.ts';

type Units = ItemFacts['units'];
type Typed = Pick<Line, 'unit' | 'manual_price' | 'manual_discount_amount' | 'typed_as'>;

/** The price per `unit`, in the company's places. Null without a factor. In its own unit, the price as typed. */
export function priceIn(
  { price, unit: own }: TypedAs,
  unit: string,
  units: Units,
  places: PricePlaces,
): Decimal | null {
  if (unit === own) return price;
  const factor = (name: string) => units.find((candidate) => candidate.unit === name)?.factor;
  const [from, to] = [factor(own), factor(unit)];
  return from === undefined || to === undefined ? null : roundPrice(convertPrice(price, from, to), places);
}

/**
 * Converts the typed values of a line to another unit. If a factor has changed and the typed price no longer converts to the line's price, the line's
 * price is used. Throws AmountOutOfRange for a price too large to store.
 */
export function convertTyped(
  line: Typed,
  unit: string,
  units: Units,
  places: PricePlaces,
): Pick<Line, 'manual_price' | 'manual_discount_amount' | 'typed_as'> {
  const { manual_price: price, manual_discount_amount: off } = line;
  const now = price ?? off;
  if (now === null) return { manual_price: null, manual_discount_amount: null, typed_as: null };
  const typedAs = keptTypedAs(line, line.typed_as, units, places) ?? { price: now, unit: line.unit };
  const next = priceIn(typedAs, unit, units, places);
  return {
    manual_price: price === null ? null : next,
    manual_discount_amount: price === null ? next : null,
    typed_as: next === null || typedAs.unit === unit ? null : typedAs,
  };
}

export function sameTypedAs(typed: TypedAs | null, other: TypedAs): boolean {
  return typed !== null && compare(typed.price, other.price) === 0 && typed.unit === other.unit;
}

/** The price as typed, if the line's typed value is converted from it. Otherwise null. */
export function keptTypedAs(
  { unit, manual_price: price, manual_discount_amount: off }: Omit<Typed, 'typed_as'>,
  typedAs: TypedAs | null,
  units: Units,
  places: PricePlaces,
): TypedAs | null {
  const now = price ?? off;
  if (typedAs === null || now === null || typedAs.unit === unit) return null;
  const same = [places, 4 as const].some((candidate) => {
    const converted = priceIn(typedAs, unit, units, candidate);
    return converted !== null && compare(converted, now) === 0;
  });
  return same ? typedAs : null;
}
