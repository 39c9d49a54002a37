// Some hostile texts, typed everywhere; hostile-text.slow.test.ts types all of them.
import { walkHostileText } from '#testing/walks/hostile-text-walk.server.ts';

walkHostileText(false);
