// The kinds of background work with the cloud, by which the answers queue them.
import { z } from 'zod';

/** Lists what the cloud holds. */
export const compareCloud = { name: 'picture-cloud-compare', payload: z.object({}) };
/** Takes in or removes a file that only the cloud has. */
export const mendCloudFile = { name: 'picture-cloud-mend', payload: z.object({ cloudId: z.string() }) };
