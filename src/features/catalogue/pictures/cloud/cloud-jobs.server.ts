// The names and payloads of background jobs for the cloud, with which the calls queue them.
import { z } from 'zod';

/** Lists what the cloud holds. */
export const compareCloud = { name: 'picture-cloud-compare' };
/** Imports or removes a file that only the cloud has. */
export const mendCloudFile = { name: 'picture-cloud-mend', payload: z.object({ cloudId: z.string() }) };
