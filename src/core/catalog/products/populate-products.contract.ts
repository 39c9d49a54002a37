// Defines the call that creates products for the items of a class (specification section 7, Item product database).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';

export const ItemProdDb = {
  PopulateInitData: post(
    '/api/ItemProdDb/PopulateInitData',
    z.object({ classId: z.coerce.number().int().min(1).max(2_147_483_647) }),
    z.object({
      /** The number of new products, one for each item of the class that had none. */
      made: z.number().int(),
      /** The number of items in the class. */
      items: z.number().int(),
      className: z.string(),
    }),
    {
      access: ['systemadmin'],
      in: 'query',
      writes: true,
      summary: 'Creates a product for each item of a class that has none.',
    },
  ),
};
