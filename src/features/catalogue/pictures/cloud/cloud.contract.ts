// Defines the calls of the media library: files in the cloud, differences from our records, and how to fix them.
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { Id, Named, PageInput, pageOf, Text } from '#shared/wire.ts';
import { PICTURE_ROLES, PICTURE_STATES } from '../pictures.contract.ts';

/** both: in the cloud and known. unknown: in the cloud, unknown to us. missing: recorded there but missing. here: stored only here. */
export const CLOUD_KINDS = ['both', 'unknown', 'missing', 'here'] as const;
export type CloudKind = (typeof CLOUD_KINDS)[number];
/** upload: store it in the cloud. takeIn: copy a cloud file into the inbox. remove: delete it from the cloud. */
export const CLOUD_MENDS = ['upload', 'takeIn', 'remove'] as const;
export type CloudMend = (typeof CLOUD_MENDS)[number];
/** The most pictures that one call may fix. */
export const MOST_MENDED = 500;

const CloudRow = z.object({
  /** The id of our picture; null for a file that is unknown to us. */
  pictureId: z.number().int().nullable(),
  /** Its name in the cloud. */
  cloudId: z.string().nullable(),
  name: z.string(),
  size: z.number(),
  state: z.enum(PICTURE_STATES).nullable(),
  /** True if a job is about to fix it. */
  working: z.boolean(),
  /** Why the fix failed. */
  problem: z.string(),
  /** The products that show it, at most three of `productCount`. */
  products: z.array(Named),
  productCount: z.number().int(),
  url: z.string().nullable(),
  /** The time when we stored it in the cloud. */
  cloudAt: z.string().nullable(),
});
export type CloudRow = z.infer<typeof CloudRow>;

const access = PICTURE_ROLES;

export const ItemImageCloud = {
  GetCloudLibrary: post(
    '/api/ItemImageProcess/GetCloudLibrary',
    PageInput.extend({
      kind: z.enum(CLOUD_KINDS).default('both'),
      /** Searches the names here and in the cloud. */
      keyword: Text(200).nullish(),
    }),
    pageOf(CloudRow).extend({
      counts: z.object({
        both: z.number().int(),
        unknown: z.number().int(),
        missing: z.number().int(),
        here: z.number().int(),
        /** The number of pictures that jobs are fixing now. */
        working: z.number().int(),
      }),
      /** The name of the account; '' if no cloud is connected, so that everything is stored only here. */
      cloud: z.string(),
      comparison: z.object({
        /** The start of the latest finished comparison. */
        comparedAt: z.string().nullable(),
        running: z.boolean(),
        problem: z.string(),
      }),
    }),
    { access, summary: 'The media library: pictures here and files in the cloud, as they were last compared.' },
  ),
  CompareWithCloud: post(
    '/api/ItemImageProcess/CompareWithCloud',
    z.object({}),
    z.object({
      /** False if a comparison is already running. */
      queued: z.boolean(),
    }),
    { access, writes: true, summary: 'Compares the cloud with our table now; it happens every night by itself.' },
  ),
  MendCloud: post(
    '/api/ItemImageProcess/MendCloud',
    z
      .object({
        mend: z.enum(CLOUD_MENDS),
        /** Our pictures to upload. */
        pictureIds: z.array(Id).max(MOST_MENDED).default([]),
        /** Unknown files to import or remove. */
        cloudIds: z.array(z.string().min(1).max(300)).max(MOST_MENDED).default([]),
      })
      .refine(({ mend, pictureIds, cloudIds }) => (mend === 'upload' ? pictureIds : cloudIds).length > 0, {
        message: 'Name what to fix',
      }),
    z.object({
      queued: z.number().int(),
      problems: z.array(z.object({ name: z.string(), problem: z.string() })),
    }),
    { access, writes: true, summary: 'Fixes differences one by one; each that could not be fixed says why.' },
  ),
};
