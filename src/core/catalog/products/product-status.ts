// Defines the statuses of a product.
import { z } from 'zod';

/** Draft: being written, hidden from users who quote. Merged: its items moved to another product. */
export const ProductStatus = z.enum(['Draft', 'Active', 'Discontinued', 'Merged']);
export type ProductStatus = z.infer<typeof ProductStatus>;

/** The statuses that the user may choose. Only a merge sets Merged. */
export const ChosenStatus = ProductStatus.exclude(['Merged']);
export type ChosenStatus = z.infer<typeof ChosenStatus>;
