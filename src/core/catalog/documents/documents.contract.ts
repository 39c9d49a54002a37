// Defines the calls for documents of products and items: categories, revisions, links (specification section 7, Item product database).
import { z } from 'zod';
import { Bytes, Nothing, post } from '#platform/api/endpoint.ts';
import { LAST_PAGE } from '#platform/shared/page-number.ts';
import type { Role } from '#platform/shared/roles.ts';
import {
  changesOverVersion,
  Id,
  pageOf,
  QueryId,
  RequiredText,
  SEND_VERSION,
  Text,
  TypedDate,
  Version,
} from '#platform/shared/wire.ts';

export const DOCUMENT_WRITERS: readonly Role[] = ['systemadmin', 'salesadmin', 'contractdept'];

/** Internal: users who see cost and margin. Staff: everyone who signs in. Customer: customers, too. */
export const Audience = z.enum(['Internal', 'Staff', 'Customer']);
export type Audience = z.infer<typeof Audience>;

export const DocCategory = z.object({
  id: z.number().int(),
  version: z.number().int(),
  name: z.string(),
  audience: Audience,
  /** True if the document is preselected when a quote is sent. */
  offered: z.boolean(),
  documents: z.number().int(),
});
export type DocCategory = z.infer<typeof DocCategory>;

export const DocCategoryEdit = z
  .object({
    id: Id.or(z.literal(0)),
    version: Version.optional(),
    name: RequiredText(100),
    audience: Audience,
    /** Omitted means unchanged, or false for a new category. */
    offered: z.boolean().optional(),
  })
  .check(changesOverVersion);
export type DocCategoryEdit = z.infer<typeof DocCategoryEdit>;

/** The state of today's revision, or of the newest one if none is valid today. */
export const DOC_STATES = ['Current', 'EndsSoon', 'Coming', 'Ended'] as const;
/** 'Unlinked' and 'EndsSoon' need attention. */
export const DOC_FILTERS = [...DOC_STATES, 'Unlinked'] as const;
/** A document ends soon if its last day is at most this many days away and no later revision follows. */
export const SOON_DAYS = 60;

export const DocRevision = z.object({
  id: z.number().int(),
  label: z.string(),
  name: z.string(),
  mediaType: z.string(),
  size: z.number().int(),
  validFrom: z.string(),
  validTo: z.string().nullable(),
  uploadedBy: z.string(),
  uploadedAt: z.string(),
});
export type DocRevision = z.infer<typeof DocRevision>;

export const DocRow = z.object({
  id: z.number().int(),
  version: z.number().int(),
  docCategoryId: z.number().int(),
  category: z.string(),
  audience: Audience,
  title: z.string(),
  language: z.string(),
  revision: DocRevision,
  revisions: z.number().int(),
  state: z.enum(DOC_STATES),
  products: z.number().int(),
  items: z.number().int(),
  updatedAt: z.string(),
});
export type DocRow = z.infer<typeof DocRow>;

export const DocLink = z.object({
  id: z.number().int(),
  productId: z.number().int().nullable(),
  itemId: z.number().int().nullable(),
  /** The product's name, or the item's number and description. */
  name: z.string(),
});
export type DocLink = z.infer<typeof DocLink>;

/**
 * The fields of a document's form. Omitted fields stay unchanged. Label and validity belong to the newest revision. A new file makes a new revision,
 * which starts without them.
 */
export const DocEdit = z
  .object({
    id: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
    version: z.coerce.number({ error: SEND_VERSION }).int().max(2_147_483_647).optional(),
    docCategoryId: QueryId.shape.id,
    /** Empty means the current title, or the name of the file for a new document. */
    title: Text(300).optional(),
    /** 'en', 'es', 'pt-BR'. The default of a new document is 'en'. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, 'A language such as en or es')
      .optional(),
    label: Text(60).optional(),
    /** Empty means today for a new revision, and unchanged for a stored one. */
    validFrom: z.literal('').or(TypedDate).optional(),
    /** Empty means no end. */
    validTo: z.literal('').or(TypedDate).optional(),
  })
  .check(changesOverVersion)
  .refine(({ validFrom, validTo }) => !validFrom || !validTo || validTo >= validFrom, {
    path: ['validTo'],
    message: 'The end cannot be before the start',
  });

const Ids = z.array(Id).max(500);

const reads = { access: DOCUMENT_WRITERS } as const;
const writes = { access: DOCUMENT_WRITERS, writes: true } as const;

export const ItemDocuments = {
  GetItmDocCategories: post('/api/ItemProdDb/GetItmDocCategories', Nothing, z.array(DocCategory), reads),
  SaveItmDocCategory: post('/api/ItemProdDb/SaveItmDocCategory', DocCategoryEdit, DocCategory, writes),
  RemoveItmDocCategory: post(
    '/api/ItemProdDb/RemoveItmDocCategory',
    z.object({ id: Id, version: Version }),
    z.object({ id: z.number().int() }),
    { ...writes, summary: 'Removes a category that no document uses.' },
  ),
  getItmDocs: post(
    '/api/ItemProdDb/getItmDocs',
    z.object({
      /** 0 means all. */
      docCategoryId: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
      keyword: Text(100).default(''),
      state: z.enum(DOC_FILTERS).optional(),
      page: z.coerce.number().int().min(1).max(LAST_PAGE).default(1),
      pageSize: z.coerce.number().int().min(1).max(200).default(20),
      /** 'title.asc'; an unknown column means the default order. */
      sort: Text(50).optional(),
    }),
    pageOf(DocRow),
    { ...reads, in: 'query', summary: 'Documents by title, category and state.' },
  ),
  ExportItmDocs: post(
    '/api/ItemProdDb/ExportItmDocs',
    z.object({ docCategoryId: Id.nullish(), keyword: Text(100).nullish(), state: z.enum(DOC_FILTERS).nullish() }),
    Bytes,
    { ...reads, file: 'text/csv' },
  ),
  GetItmDoc: post(
    '/api/ItemProdDb/GetItmDoc',
    QueryId,
    z.object({
      document: DocRow,
      /** Newest first. */
      revisions: z.array(DocRevision),
      /** The first 500, products first. */
      links: z.array(DocLink),
    }),
    { ...reads, in: 'query' },
  ),
  saveItmDoc: post('/api/ItemProdDb/saveItmDoc', DocEdit, DocRow, {
    ...writes,
    in: 'upload',
    fileOptional: true,
    bodyLimit: 25 * 1024 * 1024,
    summary: 'Saves a document. A file creates a new revision; a new document requires one.',
  }),
  DownloadItmDoc: post('/api/ItemProdDb/DownloadItmDoc', QueryId, Bytes, {
    ...reads,
    in: 'query',
    file: 'application/octet-stream',
    summary: 'The file of one revision.',
  }),
  saveItemXDoc: post(
    '/api/ItemProdDb/saveItemXDoc',
    z
      .object({ docId: Id, productIds: Ids.nullish(), itemIds: Ids.nullish() })
      .refine(({ productIds, itemIds }) => (productIds?.length ?? 0) + (itemIds?.length ?? 0) > 0, {
        path: ['productIds'],
        message: 'Choose products or items.',
      }),
    z.object({
      /** The new links, so that the user can undo them. */
      linkIds: z.array(z.number().int()),
      /** The number of links that already existed. */
      already: z.number().int(),
    }),
    { ...writes, summary: 'Links a document to products and items.' },
  ),
  FindLinkTargets: post(
    '/api/ItemProdDb/FindLinkTargets',
    z.object({ keyword: Text(100) }),
    z.array(z.object({ kind: z.enum(['product', 'item']), id: z.number().int(), name: z.string() })),
    { ...reads, summary: 'The ten best products and items by part of their name or number.' },
  ),
  deleteItemXDoc: post('/api/ItemProdDb/deleteItemXDoc', QueryId, z.object({ removed: z.number().int() }), {
    ...writes,
    in: 'query',
    summary: 'Unlinks a document from a product or an item.',
  }),
  RemoveItemXDocs: post(
    '/api/ItemProdDb/RemoveItemXDocs',
    z.object({ ids: z.array(Id).min(1).max(500) }),
    z.object({ removed: z.number().int() }),
    { ...writes, summary: 'Removes links. Links that no longer exist are skipped.' },
  ),
};
