// The statuses of a product, as the trade names them.
import { z } from 'zod';

/** Draft: being written, shown to nobody who quotes. Merged: its items went to another product. */
export const ProductStatus = z.enum(['Draft', 'Active', 'Discontinued', 'Merged']);
export type ProductStatus = z.infer<typeof ProductStatus>;

/** What a person may choose; Merged comes about by merging alone. */
export const ChosenStatus = ProductStatus.exclude(['Merged']);
export type ChosenStatus = z.infer<typeof ChosenStatus>;
