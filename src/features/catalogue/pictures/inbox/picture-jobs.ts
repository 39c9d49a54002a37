// The kinds of background work on pictures, by which the answers queue them.
import { z } from 'zod';
import { Id } from '#shared/wire.ts';

const payload = z.object({ pictureId: Id });

/** Makes the sizes of a picture, or refuses it. */
export const checkPicture = { name: 'picture-check', payload };
/** Stores a picture in the cloud. */
export const uploadPicture = { name: 'picture-upload', payload };
/** Moves the files of a picture out of the watched inbox; a picture that was asked to be filed gets its place. */
export const movePictureFiles = { name: 'picture-file', payload };
/** Looks into the watched inbox. */
export const scanInbox = { name: 'picture-inbox', payload: z.object({}) };
