// Defines the call of the media library: the pictures whose originals are in the cloud, and those that are stored only here.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Named, PageInput, pageOf, Text } from '#platform/shared/wire.ts';
import { PICTURE_ROLES, PICTURE_STATES } from '../pictures.contract.ts';

/** cloud: stored in the cloud and here. here: stored only here. */
export const LIBRARY_KINDS = ['cloud', 'here'] as const;
export type LibraryKind = (typeof LIBRARY_KINDS)[number];

const LibraryRow = z.object({
  id: z.number().int(),
  name: z.string(),
  size: z.number(),
  state: z.enum(PICTURE_STATES),
  /** True if a job is about to upload it. */
  working: z.boolean(),
  /** Why the upload failed. */
  problem: z.string(),
  /** The products that show it, at most three of `productCount`. */
  products: z.array(Named),
  productCount: z.number().int(),
  url: z.string().nullable(),
  /** The time when we stored it in the cloud. */
  cloudAt: z.string().nullable(),
});
export type LibraryRow = z.infer<typeof LibraryRow>;

export const ItemImageCloud = {
  GetCloudLibrary: post(
    '/api/ItemImageProcess/GetCloudLibrary',
    PageInput.extend({
      kind: z.enum(LIBRARY_KINDS).default('cloud'),
      /** Searches the names. */
      keyword: Text(200).nullish(),
    }),
    pageOf(LibraryRow).extend({
      counts: z.object({
        cloud: z.number().int(),
        here: z.number().int(),
        /** The number of pictures that jobs are uploading now. */
        working: z.number().int(),
      }),
      /** The name of the account. '' if no cloud is connected, so that everything is stored only here. */
      cloud: z.string(),
    }),
    { access: PICTURE_ROLES, summary: 'The media library: pictures in the cloud, and those that are only here.' },
  ),
};
