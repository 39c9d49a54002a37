// The names and payloads of background jobs on pictures, with which the calls queue them.
import { z } from 'zod';
import { Id } from '#platform/shared/wire.ts';

const payload = z.object({ pictureId: Id });

/** Makes the sizes of a picture, or refuses the picture. */
export const checkPicture = { name: 'picture-check', payload };
/** Stores a picture in the cloud. */
export const uploadPicture = { name: 'picture-upload', payload };
/** Moves the files of a picture out of the watched inbox; places the picture if somebody asked to file it. */
export const movePictureFiles = { name: 'picture-file', payload };
/** Checks the watched inbox for new files. */
export const scanInbox = { name: 'picture-inbox' };
