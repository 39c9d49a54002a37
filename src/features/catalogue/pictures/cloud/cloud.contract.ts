// The media library: what lies in the cloud, what of it we know, what is missing there or here, and how it is mended.
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { Id, Named, PageInput, pageOf, Text } from '#shared/wire.ts';
import { PICTURE_ROLES, PICTURE_STATES } from '../pictures.contract.ts';

/** In the cloud and known; there but unknown to us; known as stored there but missing; stored only here. */
export const CLOUD_KINDS = ['both', 'unknown', 'missing', 'here'] as const;
export type CloudKind = (typeof CLOUD_KINDS)[number];
/** Store it in the cloud; take a file of the cloud into the inbox; remove it from the cloud. */
export const CLOUD_MENDS = ['upload', 'takeIn', 'remove'] as const;
export type CloudMend = (typeof CLOUD_MENDS)[number];
/** So many at most are mended at once. */
export const MOST_MENDED = 500;

const CloudRow = z.object({
  /** Of our picture; null for a file that is unknown to us. */
  pictureId: z.number().int().nullable(),
  /** Its name in the cloud. */
  cloudId: z.string().nullable(),
  name: z.string(),
  size: z.number(),
  state: z.enum(PICTURE_STATES).nullable(),
  /** A job is about to mend it. */
  working: z.boolean(),
  /** Why it could not be mended. */
  problem: z.string(),
  /** Where it is shown: at most three of `productCount`. */
  products: z.array(Named),
  productCount: z.number().int(),
  url: z.string().nullable(),
  /** When we stored it in the cloud. */
  cloudAt: z.string().nullable(),
});
export type CloudRow = z.infer<typeof CloudRow>;

const access = PICTURE_ROLES;

export const ItemImageCloud = {
  GetCloudLibrary: post(
    '/api/ItemImageProcess/GetCloudLibrary',
    PageInput.extend({
      kind: z.enum(CLOUD_KINDS).default('both'),
      /** Part of a name, here or in the cloud. */
      keyword: Text(200).nullish(),
    }),
    pageOf(CloudRow).extend({
      counts: z.object({
        both: z.number().int(),
        unknown: z.number().int(),
        missing: z.number().int(),
        here: z.number().int(),
        /** Mended by jobs just now. */
        working: z.number().int(),
      }),
      /** The name of the account; '' when no cloud is connected: then everything is only here. */
      cloud: z.string(),
      comparison: z.object({
        /** When the last one began that came to its end. */
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
      /** False: a comparison is under way already. */
      queued: z.boolean(),
    }),
    { access, writes: true, summary: 'Compares the cloud with our table now; it happens every night by itself.' },
  ),
  MendCloud: post(
    '/api/ItemImageProcess/MendCloud',
    z
      .object({
        mend: z.enum(CLOUD_MENDS),
        /** Of our pictures, to be uploaded. */
        pictureIds: z.array(Id).max(MOST_MENDED).default([]),
        /** Of files that are unknown to us, to be taken in or removed. */
        cloudIds: z.array(z.string().min(1).max(300)).max(MOST_MENDED).default([]),
      })
      .refine(({ mend, pictureIds, cloudIds }) => (mend === 'upload' ? pictureIds : cloudIds).length > 0, {
        message: 'Name what is to be mended',
      }),
    z.object({
      queued: z.number().int(),
      problems: z.array(z.object({ name: z.string(), problem: z.string() })),
    }),
    { access, writes: true, summary: 'Mends differences, each by itself: what could not be done says why.' },
  ),
};
