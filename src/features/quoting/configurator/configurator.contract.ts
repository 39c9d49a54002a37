// What configurators leave for a quote, and how a person takes it over: two calls of the specification (section 7), and ours beside them.
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { Configured, FoundRow, QuoteEditData } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { QUOTING_ROLES } from '#shared/roles.ts';
import { Id, QueryId, RequiredText, Text, Version } from '#shared/wire.ts';
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
        /** As people read it: 104512, 104512-R2. A new revision is the same quote. */
        quoteNumber: Text(40).nullish(),
        configId: ConfigId,
        /** What the section on the quote is called. */
        name: Text(200).default(''),
        items: z.array(PostedItem).max(10_000, 'At most 10,000 items'),
      })
      .check(whichQuote),
    z.object({ quoteId: z.number().int(), configId: z.string(), items: z.number().int() }),
    {
      access: QUOTING_ROLES,
      writes: true,
      bodyLimit: 8 * 1024 * 1024,
      summary:
        'Leaves a whole configuration for a quote; the same configId again replaces it. A person takes it over on the board.',
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
          /** Rows that are not understood; each waits with its reason. */
          problems: z.number().int(),
        }),
      ),
      /** Headings of columns that mean nothing here. */
      ignored: z.array(z.string()),
    }),
    {
      access: QUOTING_ROLES,
      in: 'upload',
      writes: true,
      toDisk: true,
      bodyLimit: 8 * 1024 * 1024,
      summary:
        'Leaves the configurations of a file for a quote, as PostConfiguratorItems does: CSV, Excel or JSON. What is not understood of it is shown on the board, row by row.',
    },
  ),
  DiscardConfiguration: post(
    '/api/Configurator/DiscardConfiguration',
    z.object({
      quoteId: Id,
      configId: ConfigId,
      /** Of the configuration, as it was read. */
      version: Version,
    }),
    z.object({ configId: z.string() }),
    {
      access: QUOTING_ROLES,
      writes: true,
      summary: 'Forgets what waits of a configuration. Lines that came of it stay, and it may be left again.',
    },
  ),
};

const Taken = Configured.shape.taken.unwrap();

/** An item of a configurator beside the line that was made of it, if one was. */
const ConfiguratorItem = z.object({
  configId: z.string(),
  /** Within its configuration; empty only in rows that are not understood. */
  position: z.string(),
  /** Which of our items is meant: one, none, or a person has to say. */
  match: z.enum(['found', 'unknown', 'several']),
  /** Since it was taken over last. Gone: the configurator no longer has it, a line does. */
  change: z.enum(CHANGES),
  /** What differs, of an item that was changed. */
  fields: z.array(z.enum(TAKEN_FIELDS)),
  /** What a person has to say, mend or look at before it is taken over, in a sentence; empty: nothing. */
  problem: z.string(),
  /** False: the row of a file could not be read, and cannot be taken over. */
  isUnderstood: z.boolean(),
  /** As it was taken over last; null: it is not on the quote. */
  before: Taken.extend({ qty: z.number() }).nullable(),
  /** As it waits; null: it is gone. */
  after: Taken.extend({ qty: z.number().nullable() }).nullable(),
  /** Items of ours that may be meant, and what each unit of them means. */
  candidates: FoundRow.shape.candidates,
  /** The line that was made of it. */
  line: z
    .object({
      id: z.number().int(),
      lineNo: z.number().int(),
      itemNumber: z.string(),
      qty: z.number(),
      unit: z.string(),
      linked: z.boolean(),
      /** It has the configurator's price. */
      atPrice: z.boolean(),
    })
    .nullable(),
});
export type ConfiguratorItem = z.infer<typeof ConfiguratorItem>;

const SavedItem = z.object({
  configId: ConfigId,
  position: Position,
  action: z.enum(['add', 'update', 'remove']),
  /** Which of our items is meant, when that is for a person to say. */
  itemId: Id.nullish(),
  /** Which unit of the item is meant, when that is for a person to say. */
  unit: Text(20).nullish(),
  /** An item that is not ours becomes a custom item. */
  custom: z.boolean().optional(),
  /** Whose price the line gets; left out: ours, and a line that has the configurator's keeps to it. */
  price: z.enum(['ours', 'configurator']).optional(),
});

export const QuoteConfigurator = {
  GetDmsConfiguratorItems: post(
    '/api/QuoteEdit/GetDmsConfiguratorItems',
    z.object({ quoteId: z.coerce.number().int().min(1).max(2_147_483_647) }),
    z.object({
      /** Of the quote: SaveDmsItemsToQuote takes it. */
      version: z.number().int(),
      /** Whether this person may take items over now, and leave files, and if not, why. */
      editable: z.boolean(),
      mayLeave: z.boolean(),
      reason: z.string(),
      /** Where people configure for this quote; null: no outside configurator is connected. */
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
          /** Rows of a file that are not understood. */
          problems: z.number().int(),
        }),
      ),
      items: z.array(ConfiguratorItem),
    }),
    {
      access: 'user',
      in: 'query',
      summary: 'What configurators left for a quote, matched with our items, and what of it is new, changed or gone.',
    },
  ),
  SaveDmsItemsToQuote: post(
    '/api/QuoteEdit/SaveDmsItemsToQuote',
    z.object({
      quoteId: Id,
      /** Of the quote, as it was read. */
      version: Version,
      items: z.array(SavedItem).min(1, 'Choose at least one item').max(10_000, 'At most 10,000 items'),
      /** Why lines get the configurator's price. */
      priceReason: Text(500).default(''),
      /** The configurations as they were read: refused when a configurator has changed one of them since. */
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
      summary: 'Takes items of configurators over into lines of a quote: whole, or not at all.',
    },
  ),
};
