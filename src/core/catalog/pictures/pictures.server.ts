// Answers the ItemImageProcess calls.
import { notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { imagesOf } from '#core/catalog/items/serve-pictures.server.ts';
import { fileOperation, uploadToCloud } from './inbox/file-operation.server.ts';
import { picturesAtWork } from './inbox/pictures-at-work.server.ts';
import { readUpload } from './inbox/read-upload.server.ts';
import type { ItemImageProcess } from './pictures.contract.ts';

export const itemImageProcessAnswers: Answers<typeof ItemImageProcess> = {
  GetImagesWaitingForProcess: picturesAtWork,

  /** Each picture has its own transaction, so that the user can repeat an interrupted upload. */
  UploadItemImages: async ({ services, user, upload }) => {
    if (!upload) throw notFound('file');
    return readUpload(services, upload, user);
  },

  UploadImagesToCloud: (context, { ids }) => uploadToCloud(context, ids),

  FileOperation: (context, input) => fileOperation(context, input),

  GetProductImages: ({ db, services, user }, { id }) => imagesOf(db, services, user, id),
};
