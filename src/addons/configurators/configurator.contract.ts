// Defines the calls with which configurators post items and users add them to quotes: two of the specification (section 7), and our own.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Configured } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { FoundRow } from '#core/quoting/quote-edit/paste/pasted-row.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Id, QueryId, RequiredText, Text, Version } from '#platform/shared/wire.ts';
import { CHANGES, TAKEN_FIELDS } from './differences.ts';
import { Position, PostedItem } from './posted-item.ts';

const ConfigId = RequiredText(100);
const whichQuote = z.refine<{ quoteId?: number | null | undefined; quoteNumber?: string | null | undefined }>(
  ({ quoteId, quoteNumber }) => Boolean(quoteId) || Boolean(quoteNumber),
  { path: ['quoteNumber'], message: 'Send the quoteNumber or the quoteId.' },
);

export const Configurator = {
  PostConfiguratorItems: post(
    '/api/Configurator/PostConfiguratorItems',
    z
      .object({
        quoteId: Id.nullish(),
        /** The number in any usual notation: 104512, 104512-R2. A new revision is the same quote. */
        quoteNumber: Text(40).nullish(),
        configId: ConfigId,
        /** The title of the section on the quote. */
        name: Text(200).default(''),
        items: z.array(PostedItem).max(10_000, 'At most 10,000 items'),
      })
      .check(whichQuote),
    z.object({ quoteId: z.number().int(), configId: z.string(), items: z.number().int() }),
    {
      access: QUOTING_ROLES,
      writes: true,
      answersOf: 'QuoteEdit',
      bodyLimit: 8 * 1024 * 1024,
      summary:
        'Sends a whole configuration to a quote. Sending the same configId again replaces it. A user adds its items on the quote board.',
    },
  ),
  UploadConfiguratorItems: post(
    '/api/Configurator/UploadConfiguratorItems',
    z.object({ quoteId: QueryId.shape.id.nullish(), quoteNumber: Text(40).nullish() }).check(whichQuote),
    z.object({
      quoteId: z.number().int(),
      configurations: z.array(
        z.object({
          configId: z.string(),
          name: z.string(),
          items: z.number().int(),
          /** The number of rows that could not be read. Each of them waits with its reason. */
          problems: z.number().int(),
        }),
      ),
      /** Headings of columns that the reader does not recognize. */
      ignored: z.array(z.string()),
    }),
    {
      access: QUOTING_ROLES,
      in: 'upload',
      writes: true,
      answersOf: 'QuoteEdit',
      toDisk: true,
      bodyLimit: 8 * 1024 * 1024,
      summary:
        'Sends the configurations in a CSV, Excel or JSON file to a quote, like PostConfiguratorItems. The quote board shows the rows that could not be read.',
    },
  ),
  DiscardConfiguration: post(
    '/api/Configurator/DiscardConfiguration',
    z.object({
      quoteId: Id,
      configId: ConfigId,
      /** The version of the configuration that the caller read. */
      version: Version,
    }),
    z.object({ configId: z.string() }),
    {
      access: QUOTING_ROLES,
      writes: true,
      answersOf: 'QuoteEdit',
      summary:
        'Discards the waiting items of a configuration. Its lines stay on the quote, and the configurator can send the items again.',
    },
  ),
};

const Taken = Configured.shape.taken.unwrap();

/** A configurator's item beside the line made from it, if there is one. */
const ConfiguratorItem = z.object({
  configId: z.string(),
  /** The item's id within its configuration. Empty only in rows that could not be read. */
  position: z.string(),
  /** Whether it matches one of our items, none, or several, from which the user must choose. */
  match: z.enum(['found', 'unknown', 'several']),
  /** The change since the user last added it. Gone: a line still has the item, but the configurator does not. */
  change: z.enum(CHANGES),
  /** The fields that differ in a changed item. */
  fields: z.array(z.enum(TAKEN_FIELDS)),
  /** A sentence that describes what the user must answer, fix or check before adding it. Empty if there is nothing. */
  problem: z.string(),
  /** False if the row of a file could not be read, so that it cannot be added. */
  isUnderstood: z.boolean(),
  /** The item as last added. Null if it is not on the quote. */
  before: Taken.extend({ qty: z.number() }).nullable(),
  /** The item as it waits now. Null if it is gone. */
  after: Taken.extend({ qty: z.number().nullable() }).nullable(),
  /** Our items that may match, with the units that may be meant. */
  candidates: FoundRow.shape.candidates,
  /** The line made from the item. */
  line: z
    .object({
      id: z.number().int(),
      lineNo: z.number().int(),
      itemNumber: z.string(),
      qty: z.number(),
      unit: z.string(),
      linked: z.boolean(),
      /** Whether the line has the configurator's price. */
      atPrice: z.boolean(),
    })
    .nullable(),
});
export type ConfiguratorItem = z.infer<typeof ConfiguratorItem>;

const SavedItem = z.object({
  configId: ConfigId,
  position: Position,
  action: z.enum(['add', 'update', 'remove']),
  /** The user's choice if several of our items match. */
  itemId: Id.nullish(),
  /** The user's choice if the unit is ambiguous. */
  unit: Text(20).nullish(),
  /** Adds an item that is not ours as a custom item. */
  custom: z.boolean().optional(),
  /** Whose price the line gets. If omitted, a new line gets ours, and a line with the configurator's price keeps it. */
  price: z.enum(['ours', 'configurator']).optional(),
});

export const QuoteConfigurator = {
  GetDmsConfiguratorItems: post(
    '/api/QuoteEdit/GetDmsConfiguratorItems',
    z.object({ quoteId: z.coerce.number().int().min(1).max(2_147_483_647) }),
    z.object({
      /** The quote's version, which SaveDmsItemsToQuote requires. */
      version: z.number().int(),
      /** Whether the user may add items now. `mayLeave`: whether the user may upload files. `reason`: why not. */
      editable: z.boolean(),
      mayLeave: z.boolean(),
      reason: z.string(),
      /** The address where users configure for this quote. Null if no external configurator is connected. */
      url: z.string().nullable(),
      configurations: z.array(
        z.object({
          configId: z.string(),
          name: z.string(),
          source: z.string(),
          version: z.number().int(),
          postedAt: z.string(),
          postedBy: z.string(),
          items: z.number().int(),
          /** The number of rows of a file that could not be read. */
          problems: z.number().int(),
        }),
      ),
      items: z.array(ConfiguratorItem),
    }),
    {
      access: 'user',
      in: 'query',
      summary:
        'The configurator items waiting for a quote, matched with catalog items, with new, changed and removed items.',
    },
  ),
  SaveDmsItemsToQuote: post(
    '/api/QuoteEdit/SaveDmsItemsToQuote',
    z.object({
      quoteId: Id,
      /** The version of the quote that the caller read. */
      version: Version,
      items: z.array(SavedItem).min(1, 'Choose at least one item').max(10_000, 'At most 10,000 items'),
      /** The reason why lines get the configurator's price. */
      priceReason: Text(500).default(''),
      /** The configurations that the caller read. The call is refused if a configurator has changed one since. */
      configurations: z
        .array(z.object({ configId: ConfigId, version: Version }))
        .max(10_000)
        .optional(),
    }),
    QuoteEditData,
    {
      access: QUOTING_ROLES,
      writes: true,
      bodyLimit: 4 * 1024 * 1024,
      summary: 'Adds, updates or removes quote lines from configurator items: all of them, or none.',
    },
  ),
};
