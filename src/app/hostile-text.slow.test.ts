// Tests every hostile text in every field.
import { walkHostileText } from '#testing/walks/hostile-text-walk.server.ts';

walkHostileText(true);
