// Every hostile text, typed everywhere.
import { walkHostileText } from '#testing/walks/hostile-text-walk.server.ts';

walkHostileText(true);
