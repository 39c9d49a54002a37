// Defines the calls of the gallery: pictures in places on products, their viewers, and missing pictures (Item images, specification section 7).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { Id, PageInput, pageOf, QueryId, Text, Version, Worth } from '#platform/shared/wire.ts';
import { PICTURE_ROLES } from '../pictures.contract.ts';

/** The viewers that a picture can be hidden from: staff by role, and the customer. */
export const VIEWERS = [...ROLES, 'customer'] as const;
export const Viewer = z.enum(VIEWERS);
export type Viewer = z.infer<typeof Viewer>;

/** The stage of a product's picture: in its place, on its way there, or removed but still restorable. */
export const GALLERY_STAGES = ['filed', 'waiting', 'upload', 'file', 'removed'] as const;
export type GalleryStage = (typeof GALLERY_STAGES)[number];

/** The most pictures that one call may change. */
export const MAX_PLACES = 200;

export const GalleryCriteria = PageInput.extend({
  /** Searches a product's name, brand, type and number, and its items. */
  keyword: Text(100).nullish(),
  /** Products with a picture in this stage. */
  stage: z.enum(GALLERY_STAGES).nullish(),
  /** Products with a picture that is hidden from this role. */
  hiddenFor: Viewer.nullish(),
  classId: Id.nullish(),
  /** True: products with a picture in its place; false: those without. */
  hasImage: z.boolean().nullish(),
  /** Only this product. */
  productId: Id.nullish(),
});
export type GalleryCriteria = z.infer<typeof GalleryCriteria>;

/** A picture in its place on a product. `id` is the id of the place. */
const PlacedPicture = z.object({
  id: z.number().int(),
  version: z.number().int(),
  pictureId: z.number().int().nullable(),
  /** The name of its file. */
  name: z.string(),
  alt: z.string(),
  hiddenRoles: z.array(Viewer),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** Null if the picture is hidden from all roles of the reader. */
  url: z.string().nullable(),
  largeUrl: z.string().nullable(),
  /** The number of other products that also show it. */
  alsoOn: z.number().int(),
});
export type PlacedPicture = z.infer<typeof PlacedPicture>;

const RemovedPicture = z.object({
  id: z.number().int(),
  version: z.number().int(),
  name: z.string(),
  url: z.string().nullable(),
  removedAt: z.string(),
  /** The last day on which it can be restored. */
  until: z.string(),
});
export type RemovedPicture = z.infer<typeof RemovedPicture>;

/** A picture for the product that has no place yet. */
const ComingPicture = z.object({
  pictureId: z.number().int(),
  name: z.string(),
  stage: z.enum(['waiting', 'upload', 'file']),
  /** True if a job is working on it. */
  working: z.boolean(),
  problem: z.string(),
  url: z.string().nullable(),
});
export type ComingPicture = z.infer<typeof ComingPicture>;

const GalleryProduct = z.object({
  id: z.number().int(),
  name: z.string(),
  brand: z.string(),
  className: z.string(),
  status: z.string(),
  /** In order; the first is the main picture. */
  pictures: z.array(PlacedPicture),
  removed: z.array(RemovedPicture),
  coming: z.array(ComingPicture),
});
export type GalleryProduct = z.infer<typeof GalleryProduct>;

const LackingProduct = z.object({
  id: z.number().int(),
  name: z.string(),
  className: z.string(),
  items: z.number().int(),
  openQuotes: z.number().int(),
  /** The value of its lines on open quotes, without optional and inactive lines. */
  openValue: Worth,
  /** The value of its lines on quotes won in the last twelve months. */
  soldValue: Worth,
});
export type LackingProduct = z.infer<typeof LackingProduct>;

/** The fields of the form of a picture in its place. */
export const PictureEdit = z.object({
  id: Id,
  version: Version,
  alt: Text(500),
  hiddenRoles: z.array(Viewer).max(VIEWERS.length).optional(),
});
export type PictureEdit = z.infer<typeof PictureEdit>;

const ReportFilter = z.object({ classId: Id.nullish() });

const access = PICTURE_ROLES;
const Ids = z.array(Id).min(1).max(MAX_PLACES);

export const ItemImageGallery = {
  SearchItemImageAdvanced: post(
    '/api/ItemImageProcess/SearchItemImageAdvanced',
    GalleryCriteria,
    pageOf(GalleryProduct),
    {
      access,
      summary: 'Products with their pictures in order, also those that have none.',
    },
  ),
  ExportItemImages: post('/api/ItemImageProcess/ExportItemImages', GalleryCriteria, Bytes, {
    access,
    file: 'text/csv',
    summary: 'One row for each picture in its place, and one for each product without.',
  }),
  DeleteItemImage: post(
    '/api/ItemImageProcess/DeleteItemImage',
    QueryId,
    z.object({
      id: z.number().int(),
      version: z.number().int(),
      name: z.string(),
      productName: z.string(),
      /** The last day on which RestoreItemImages can restore it. */
      until: z.string(),
      /** Open quotes with an item of the product. `sentQuotes`: quotes sent with the picture, which keep it. */
      openQuotes: z.number().int(),
      sentQuotes: z.number().int(),
      /** The newest twenty quotes of both kinds. */
      quotes: z.array(z.object({ id: z.number().int(), number: z.string(), sent: z.boolean() })),
    }),
    {
      access,
      in: 'query',
      writes: true,
      summary: 'Removes a picture from one product, by the id of its place. Returns where it was used.',
    },
  ),
  RestoreItemImages: post(
    '/api/ItemImageProcess/RestoreItemImages',
    z.object({
      places: z
        .array(z.object({ id: Id, version: Version, hiddenRoles: z.array(Viewer).optional() }))
        .min(1)
        .max(MAX_PLACES),
    }),
    z.object({
      restored: z.number().int(),
      kept: z.array(z.object({ id: z.number().int(), name: z.string(), problem: z.string() })),
    }),
    {
      access,
      writes: true,
      summary:
        'Undoes removing and hiding: restores the places of pictures and the roles they were hidden from. Returns those that have changed since.',
    },
  ),
  UpdateItemImageHidenRoles: post(
    '/api/ItemImageProcess/UpdateItemImageHidenRoles',
    z
      .object({ ids: Ids, hiddenRoles: z.array(Viewer).max(VIEWERS.length), version: Version.optional() })
      .refine(({ ids, version }) => version === undefined || ids.length === 1, {
        path: ['version'],
        message: 'A version is that of one picture.',
      }),
    z.object({
      changed: z.number().int(),
      /** The former state of the changed pictures, as RestoreItemImages accepts it. `version` is the one after the change. */
      before: z.array(z.object({ id: z.number().int(), version: z.number().int(), hiddenRoles: z.array(Viewer) })),
    }),
    {
      access,
      writes: true,
      summary:
        'Hides pictures from exactly these roles, at once and at old addresses too. `customer` is the page and PDF of a customer.',
    },
  ),
  SaveItemImage: post('/api/ItemImageProcess/SaveItemImage', PictureEdit, PictureEdit.required(), {
    access,
    writes: true,
    summary: 'The alternative text of a picture on one product and, if given, the roles it is hidden from.',
  }),
  SaveItemImageOrder: post(
    '/api/ItemImageProcess/SaveItemImageOrder',
    z.object({
      productId: Id,
      places: z
        .array(z.object({ id: Id, version: Version }))
        .min(1)
        .max(500),
    }),
    z.array(z.object({ id: z.number().int(), version: z.number().int() })),
    { access, writes: true, summary: 'All pictures of a product in their new order; the first is the main picture.' },
  ),
  GetTotalImageRpt: post(
    '/api/ItemImageProcess/GetTotalImageRpt',
    ReportFilter,
    z.object({
      /** Pictures by stage; for a class, those on its products or meant for them. */
      stages: z.object({
        waiting: z.number().int(),
        upload: z.number().int(),
        file: z.number().int(),
        filed: z.number().int(),
        removed: z.number().int(),
        refused: z.number().int(),
      }),
      products: z.number().int(),
      withoutPicture: z.number().int(),
      /** The first hundred without a picture, most quoted and sold first. */
      lacking: z.array(LackingProduct),
      /** The number of hidden pictures, for each role that any picture is hidden from. */
      hidden: z.array(z.object({ role: Viewer, pictures: z.number().int() })),
      /** The number of pictures that are stored here and not in the cloud. Null if no cloud is connected. */
      onlyHere: z.number().int().nullable(),
    }),
    { access, summary: 'Pictures by stage, what is hidden, and the products that lack a picture most.' },
  ),
  ExportTotalImageRpt: post('/api/ItemImageProcess/ExportTotalImageRpt', ReportFilter, Bytes, {
    access,
    file: 'text/csv',
    summary: 'Every product without a picture, most quoted and sold first.',
  }),
};
