import { addonServer } from '#platform/addons/addon.server.ts';
import { lineCount } from './addon.ts';
import { lineCountAnswers } from './line-count.server.ts';

export const lineCountServer = addonServer(lineCount, {
  answers: { LineCount: lineCountAnswers },
});
