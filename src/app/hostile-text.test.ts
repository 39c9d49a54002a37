// Tests some hostile texts in every field; hostile-text.slow.test.ts tests all of them.
import { walkHostileText } from '#testing/walks/hostile-text-walk.server.ts';

walkHostileText(false);
