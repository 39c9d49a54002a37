// Defines the calls for pictures of products: the inbox, the gallery, and the cloud (Item images, specification section 7).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { ItemImage } from '#core/catalog/items/items.contract.ts';
import type { Role } from '#platform/shared/roles.ts';
import { Id, Named, PageInput, pageOf, QueryId, Text } from '#platform/shared/wire.ts';

/** The roles that manage pictures. */
export const PICTURE_ROLES: readonly Role[] = ['systemadmin', 'salesadmin'];

/** Waiting → Uploading → Uploaded → Filed → Removed; Waiting → Refused; Uploading → Failed → Uploading (docs/decisions/0025). */
export const PICTURE_STATES = ['Waiting', 'Uploading', 'Uploaded', 'Filed', 'Removed', 'Refused', 'Failed'] as const;
export type PictureState = (typeof PICTURE_STATES)[number];
/** The next step of a job. '' if no work is in progress. */
export const PICTURE_STEPS = ['', 'Check', 'Upload', 'File', 'Refuse'] as const;
export type PictureStep = (typeof PICTURE_STEPS)[number];
export const MATCHES = ['matched', 'ambiguous', 'unmatched'] as const;
export type Match = (typeof MATCHES)[number];

/** The three stages of the inbox, and the pictures that left it. */
export const INBOX_STAGES = ['waiting', 'upload', 'file', 'refused', 'removed'] as const;
export type InboxStage = (typeof INBOX_STAGES)[number];

export const FILE_OPERATIONS = ['assign', 'file', 'retry', 'refuse', 'restore', 'rotate'] as const;
export type PictureOperation = (typeof FILE_OPERATIONS)[number];

/** The largest file of an upload: a ZIP of pictures. */
export const LARGEST_UPLOAD = 250 * 1024 * 1024;
/** The number of days during which a removed picture can be restored. */
export const KEPT_DAYS = 30;

/** An item that the name of a file may mean. */
const Candidate = z.object({
  itemId: z.number().int(),
  itemNumber: z.string(),
  description: z.string(),
  productId: z.number().int().nullable(),
  productName: z.string(),
});

const PictureRow = z.object({
  id: z.number().int(),
  name: z.string(),
  state: z.enum(PICTURE_STATES),
  step: z.enum(PICTURE_STEPS),
  /** Why the picture was refused or failed, or what the user must decide. */
  problem: z.string(),
  match: z.enum(MATCHES),
  candidates: z.array(Candidate),
  product: Named.nullable(),
  mediaType: z.string(),
  size: z.number(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  url: z.string().nullable(),
  largeUrl: z.string().nullable(),
  /** The file names under which it arrived. */
  sources: z.array(z.string()),
  /** True if one of its files is in the watched inbox. */
  inInbox: z.boolean(),
  createdBy: z.string(),
  createdAt: z.string(),
  stateAt: z.string(),
  version: z.number().int(),
});
export type PictureRow = z.infer<typeof PictureRow>;

const UploadOutcome = z.object({
  name: z.string(),
  outcome: z.enum(['new', 'known', 'refused']),
  pictureId: z.number().int().nullable(),
  message: z.string(),
});
export type UploadOutcome = z.infer<typeof UploadOutcome>;

const access = PICTURE_ROLES;
const Ids = z.array(Id).min(1).max(500);

export const ItemImageProcess = {
  GetImagesWaitingForProcess: post(
    '/api/ItemImageProcess/GetImagesWaitingForProcess',
    PageInput.extend({
      stage: z.enum(INBOX_STAGES).default('waiting'),
      match: z.enum(MATCHES).nullish(),
      /** Searches file names. */
      keyword: Text(200).nullish(),
    }),
    pageOf(PictureRow).extend({
      counts: z.object({
        waiting: z.number().int(),
        upload: z.number().int(),
        file: z.number().int(),
        refused: z.number().int(),
        removed: z.number().int(),
        /** The number of waiting pictures with a known product. */
        matched: z.number().int(),
        ambiguous: z.number().int(),
        unmatched: z.number().int(),
        /** The number of pictures that jobs are working on. */
        working: z.number().int(),
      }),
      /** The place for new files; '' if no inbox is watched. */
      inbox: z.string(),
      /** The name of the cloud account; '' if none is connected. */
      cloud: z.string(),
    }),
    {
      access,
      summary: 'Pictures in the inbox, one stage at a time, with the items that their names may refer to.',
    },
  ),
  UploadItemImages: post(
    '/api/ItemImageProcess/UploadItemImages',
    z.looseObject({}),
    z.object({ files: z.array(UploadOutcome), skipped: z.number().int() }),
    {
      access,
      in: 'upload',
      toDisk: true,
      bodyLimit: LARGEST_UPLOAD,
      summary: 'Adds one picture, or a ZIP of at most 2,000, to the inbox. Identical files are stored as one picture.',
    },
  ),
  UploadImagesToCloud: post(
    '/api/ItemImageProcess/UploadImagesToCloud',
    z.object({ ids: z.array(Id).max(5000).nullish() }),
    z.object({
      queued: z.number().int(),
      skipped: z.number().int(),
      /** The reasons, for at most 200 of the named pictures. */
      problems: z.array(z.object({ id: z.number().int(), problem: z.string() })),
    }),
    {
      access,
      writes: true,
      summary:
        'Processes waiting pictures whose product is known: the named ones, or all. Named stored pictures that are missing in the cloud are uploaded too.',
    },
  ),
  FileOperation: post(
    '/api/ItemImageProcess/FileOperation',
    z
      .object({ ids: Ids, operation: z.enum(FILE_OPERATIONS), productId: Id.nullish() })
      .refine(({ operation, productId }) => operation !== 'assign' || productId, {
        path: ['productId'],
        message: 'Choose a product',
      }),
    z.object({ results: z.array(z.object({ id: z.number().int(), ok: z.boolean(), problem: z.string() })) }),
    {
      access,
      writes: true,
      summary: 'Applies one action to many pictures. Returns the reason for each that failed.',
    },
  ),
  GetProductImages: post('/api/ItemImageProcess/GetProductImages', QueryId, z.array(ItemImage), {
    access: 'user',
    in: 'query',
    summary: 'The pictures of a product that the user may see, in order; the first is the main one.',
  }),
};
