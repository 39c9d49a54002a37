// The API calls for quote templates: their list, their lines and who may use them (specification section 7).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { ItemHit } from '#core/catalog/items/items.contract.ts';
import { MAX_DESCRIPTION_LENGTH } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { QUOTING_ROLES, ROLES, type Role } from '#platform/shared/roles.ts';
import {
  changesOverVersion,
  Id,
  PageInput,
  pageOf,
  Quantity,
  RequiredText,
  Text,
  Version,
} from '#platform/shared/wire.ts';

const ADMINISTRATORS: readonly Role[] = ['systemadmin', 'salesadmin'];
export const MAX_LINES = 500;
const TOO_MANY = `A template has at most ${MAX_LINES} lines.`;

const TemplateLineInput = z
  .object({
    type: z.enum(['item', 'section', 'note']).default('item'),
    itemId: Id.nullish(),
    /** The text of a section or note. For an item, a replacement for its description, or empty. */
    description: Text(MAX_DESCRIPTION_LENGTH).default(''),
    qty: Quantity.default(1),
    /** Empty for the item's base unit. */
    unit: Text(20).default(''),
  })
  .refine((line) => line.type !== 'item' || line.itemId, { path: ['itemId'], message: 'Choose an item.' })
  .refine((line) => line.type === 'item' || line.description !== '', {
    path: ['description'],
    message: 'This field is required',
  });
export type TemplateLineInput = z.output<typeof TemplateLineInput>;

const Lines = z.array(TemplateLineInput).max(MAX_LINES, TOO_MANY);

export const TemplateLine = z.object({
  type: z.enum(['item', 'section', 'note']),
  itemId: z.number().int().nullable(),
  itemNumber: z.string(),
  /** This template's own description. Empty to use the item's. */
  description: z.string(),
  itemDescription: z.string(),
  qty: z.number(),
  unit: z.string(),
  units: z.array(z.string()),
  /** Why a quote cannot contain it, in a sentence: discontinued, hidden class, unknown unit. Empty when a quote can. */
  problem: z.string(),
});
export type TemplateLine = z.infer<typeof TemplateLine>;

export const TemplateEdit = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  active: z.boolean(),
  ownerOnly: z.boolean(),
  allowedRoles: z.array(z.enum(ROLES)),
  customerMessage: z.string(),
  items: z.array(TemplateLine),
  version: z.number().int(),
});
export type TemplateEdit = z.infer<typeof TemplateEdit>;

/** Fields that are left out stay unchanged. A new template is active, is for all users who write quotes, and is otherwise empty. */
export const TemplateInput = z
  .object({
    /** 0 for a new template. */
    id: Id.or(z.literal(0)).default(0),
    name: RequiredText(100),
    description: Text(500).optional(),
    active: z.boolean().optional(),
    /** Whether only its creator may use it. */
    ownerOnly: z.boolean().optional(),
    /** The roles that may use it. Empty for all users who write quotes. */
    allowedRoles: z.array(z.enum(ROLES)).max(ROLES.length).optional(),
    customerMessage: Text(4_000).optional(),
    items: Lines.optional(),
    version: Version.optional(),
  })
  .check(changesOverVersion);

export const TemplateRow = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  active: z.boolean(),
  ownerOnly: z.boolean(),
  createdBy: z.string(),
  allowedRoles: z.array(z.enum(ROLES)),
  lines: z.number().int(),
  /** The number of quotes made from it, in any status. */
  quotes: z.number().int(),
  changedAt: z.string(),
});
export type TemplateRow = z.infer<typeof TemplateRow>;

export const TemplateCriteria = PageInput.extend({
  keyword: Text(100).nullish(),
  /** Null for both active and inactive templates. */
  active: z.boolean().nullish(),
});

/** The name and picture that screens show beside an item number. */
export const TemplateItemLook = ItemHit.pick({ id: true, productName: true, imgThumbnailUrl: true });
export type TemplateItemLook = z.infer<typeof TemplateItemLook>;

const EditData = z.object({
  template: TemplateEdit,
  /** The names and pictures of those items on its lines that have a product. */
  looks: z.array(TemplateItemLook),
  /** The user who created it. Empty when unknown. */
  createdBy: z.string(),
  quotes: z.number().int(),
});
export type TemplateEditData = z.infer<typeof EditData>;

const write = { access: ADMINISTRATORS, writes: true } as const;

export const QuoteTemplates = {
  SearchQuoteTemplates: post('/api/QuoteTemplate/SearchQuoteTemplates', TemplateCriteria, pageOf(TemplateRow), {
    access: ADMINISTRATORS,
    summary: 'Templates with their number of lines, who may use them and how many quotes were made from each.',
  }),
  ExportQuoteTemplates: post('/api/QuoteTemplate/ExportQuoteTemplates', TemplateCriteria, Bytes, {
    access: ADMINISTRATORS,
    file: 'text/csv',
  }),
  GetQuoteTemplateForEdit: post(
    '/api/QuoteTemplate/GetQuoteTemplateForEdit',
    z.object({ id: Id.or(z.literal(0)).default(0) }),
    EditData,
    { access: ADMINISTRATORS, summary: 'A template to edit, with its lines. Without an id, a new one.' },
  ),
  SaveQuoteTemplate: post('/api/QuoteTemplate/SaveQuoteTemplate', TemplateInput, TemplateEdit, {
    ...write,
    summary: 'Saves a template and its lines, if given. Omitted fields stay unchanged.',
  }),
  UpdateQuoteTemplateItems: post(
    '/api/QuoteTemplate/UpdateQuoteTemplateItems',
    z.object({ templateId: Id, items: Lines, version: Version }),
    TemplateEdit,
    { ...write, summary: 'Replaces all lines of a template, in the given order. Omitted lines are removed.' },
  ),
  InsertQuoteTemplateItem: post(
    '/api/QuoteTemplate/InsertQuoteTemplateItem',
    z.object({
      templateId: Id,
      item: TemplateLineInput,
      /** Its position, counted from 1. Without it, the line is added at the end. */
      position: z.number().int().min(1).max(MAX_LINES).optional(),
      version: Version,
    }),
    TemplateEdit,
    write,
  ),
  DuplicateQuoteTemplate: post('/api/QuoteTemplate/DuplicateQuoteTemplate', z.object({ id: Id }), TemplateEdit, {
    ...write,
    copies: true,
  }),
  ChangeOwnQuoteTemplate: post(
    '/api/QuoteTemplate/ChangeOwnQuoteTemplate',
    z.object({
      id: Id,
      name: RequiredText(100),
      /** If left out, unchanged. */
      active: z.boolean().optional(),
      version: Version,
    }),
    z.object({ id: z.number().int(), name: z.string(), active: z.boolean(), version: z.number().int() }),
    {
      access: QUOTING_ROLES,
      writes: true,
      summary: 'Renames a template that only this person uses, or ends it (active: false).',
    },
  ),
  SaveQuoteAsTemplate: post(
    '/api/QuoteTemplate/SaveQuoteAsTemplate',
    z.object({
      quoteId: Id,
      name: RequiredText(100),
      description: Text(500).default(''),
      /** Only administrators can share a template with all users. */
      forEverybody: z.boolean().default(false),
    }),
    z.object({
      id: z.number().int(),
      name: z.string(),
      lines: z.number().int(),
      /** The number of lines that a template cannot contain: free lines, lines without an item, lines removed from the quote. */
      leftOut: z.number().int(),
    }),
    {
      access: QUOTING_ROLES,
      writes: true,
      copies: true,
      answersOf: 'QuoteEdit',
      summary: 'Makes a template from the items, quantities, sections and notes of a quote, without its prices.',
    },
  ),
};
