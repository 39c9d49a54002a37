// An item of a configuration: as a configurator leaves it, and as it is kept until a person takes it over.
import { z } from 'zod';
import type { Decimal } from '#shared/money.ts';
import { Price, Quantity, RequiredText, Text } from '#shared/wire.ts';

export const Position = RequiredText(100);

/** An item as a configurator leaves it. */
export const PostedItem = z.object({
  /** What the configurator calls the item within its configuration. */
  position: Position,
  itemNumber: RequiredText(100),
  description: Text(1000).default(''),
  qty: Quantity,
  /** As the configurator writes it; empty: the item's base unit. */
  unit: Text(20).default(''),
  /** What was chosen, in words. */
  optionText: Text(2000).default(''),
  /** Per unit, in the quote's currency. */
  price: Price.nullish(),
});

export type StagedItem = {
  /** What the configurator calls the item; once only in a configuration. */
  position: string;
  itemNumber: string;
  description: string;
  /** Null only with a problem. */
  qty: Decimal | null;
  unit: string;
  optionText: string;
  /** Per unit, in the quote's currency; null: ours is meant. */
  price: Decimal | null;
  /** Why the row is not understood; left out: it is. */
  problem?: string;
};
