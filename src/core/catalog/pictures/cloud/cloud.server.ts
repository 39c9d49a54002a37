// Answers the call of the media library.
import type { Answers } from '#platform/api/serve.server.ts';
import type { ItemImageCloud } from './cloud.contract.ts';
import { cloudLibrary } from './cloud-library.server.ts';

export const itemImageCloudAnswers: Answers<typeof ItemImageCloud> = { GetCloudLibrary: cloudLibrary };
