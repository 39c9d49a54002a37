// Answers the calls of the media library.
import { HttpError } from '#api/http-error.ts';
import type { Answers } from '#api/serve.server.ts';
import { compareCloud } from './cloud-jobs.server.ts';
import type { ItemImageCloud } from './cloud.contract.ts';
import { cloudLibrary, isComparing } from './cloud-library.server.ts';
import { startComparison } from './compare-cloud.server.ts';
import { mendCloud } from './mend-cloud.server.ts';

const AN_HOUR = 3_600_000;

export const itemImageCloudAnswers: Answers<typeof ItemImageCloud> = {
  GetCloudLibrary: cloudLibrary,

  CompareWithCloud: async ({ db, services }) => {
    if (!services.pictureCloud) throw new HttpError(409, 'No Cloudinary is connected.');
    const last = await db.selectFrom('cloud_comparison').selectAll().forUpdate().executeTakeFirstOrThrow();
    const now = services.clock.now();
    const isFresh = last.started_at !== null && now.getTime() - Date.parse(last.started_at) < AN_HOUR;
    if (isComparing(last) && last.problem === '' && isFresh) return { queued: false };
    if (!isComparing(last)) await startComparison(db, now);
    await services.jobs.send(db, compareCloud);
    return { queued: true };
  },

  MendCloud: mendCloud,
};
