// The shapes of a configuration's item: as a configurator posts it, and as we store it until the user adds it to the quote.
import { z } from 'zod';
import type { Decimal } from '#platform/shared/money.ts';
import { Price, Quantity, RequiredText, Text } from '#platform/shared/wire.ts';

export const Position = RequiredText(100);

/** An item as a configurator posts it. */
export const PostedItem = z.object({
  /** The configurator's id for the item within its configuration. */
  position: Position,
  itemNumber: RequiredText(100),
  description: Text(1000).default(''),
  qty: Quantity,
  /** The unit as the configurator writes it. Empty means the item's base unit. */
  unit: Text(20).default(''),
  /** The chosen options, in words. */
  optionText: Text(2000).default(''),
  /** Per unit, in the quote's currency. */
  price: Price.nullish(),
});

export type StagedItem = {
  /** The configurator's id for the item, unique within its configuration. */
  position: string;
  itemNumber: string;
  description: string;
  /** Null only if the row has a problem. */
  qty: Decimal | null;
  unit: string;
  optionText: string;
  /** Per unit, in the quote's currency. Null if our price applies. */
  price: Decimal | null;
  /** Why the row could not be read. Omitted if it could. */
  problem?: string;
};
