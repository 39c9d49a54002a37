// The names and payloads of the background jobs on pictures, which the calls queue.
import { z } from 'zod';
import { Id } from '#platform/shared/wire.ts';

const payload = z.object({ pictureId: Id });

/** Makes the sizes of a picture, or refuses the picture. */
export const checkPicture = { name: 'picture-check', payload };
/** Stores a picture in the cloud. */
export const uploadPicture = { name: 'picture-upload', payload };
/** Moves the files of a picture out of the watched inbox. Places the picture if a user filed it. */
export const movePictureFiles = { name: 'picture-file', payload };
/** Checks the watched inbox for new files. */
export const scanInbox = { name: 'picture-inbox' };
