// The door of New Quote: other ways to begin (docs/addons.md).
import { door } from '#platform/addons/door.ts';

/** A link below the form. After a facility is chosen, its address includes `facility`. */
export const otherBeginnings = door<{ label: string; to: string }>();
