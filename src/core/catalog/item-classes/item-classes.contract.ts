// Defines the calls for item classes: their counts, and whether quotes offer them (specification sections 4 and 7).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { SALES_ADMINISTRATORS as access } from '#platform/shared/roles.ts';
import { PageInput, pageOf, QueryId, Text } from '#platform/shared/wire.ts';

export const ItemClassRow = z.object({
  id: z.number().int(),
  name: z.string(),
  visibleInWebQuote: z.boolean(),
  activeItems: z.number().int(),
  discontinuedItems: z.number().int(),
  products: z.number().int(),
});
export type ItemClassRow = z.infer<typeof ItemClassRow>;

export const ItemClassCriteria = PageInput.extend({
  keyword: Text(100).nullish(),
  /** Null means both. */
  visibleInWebQuote: z.boolean().nullish(),
});

export const ItemClass = {
  GetItemClasses: post('/api/ItemClass/GetItemClasses', ItemClassCriteria, pageOf(ItemClassRow), {
    access,
    summary: 'Item classes by name with their counts.',
  }),
  ExportItemClasses: post('/api/ItemClass/ExportItemClasses', ItemClassCriteria, Bytes, {
    access,
    file: 'text/csv',
  }),
  GetItemClassUse: post(
    '/api/ItemClass/GetItemClassUse',
    QueryId,
    z.object({
      activeItems: z.number().int(),
      /** The number of open quotes with an item of the class. */
      openQuotes: z.number().int(),
      /** The number of templates with an item of the class. */
      templates: z.number().int(),
    }),
    { access, in: 'query', summary: 'What hiding a class would affect.' },
  ),
  ShowHideItemClassInWebQuote: post(
    '/api/ItemClass/ShowHideItemClassInWebQuote',
    QueryId.extend({
      /** The requested state; without it the call toggles the class. */
      visible: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
    }),
    ItemClassRow,
    {
      access,
      in: 'query',
      writes: true,
      summary: 'Hides a class from search and the picker at once, or shows it again. Lines already on quotes stay.',
    },
  ),
};
