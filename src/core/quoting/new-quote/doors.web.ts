// The door of New Quote: other ways to begin (docs/addons.md).
import { door } from '#platform/addons/door.ts';

/** A link below the form. The address gets `facility` once one is chosen. */
export const otherBeginnings = door<{ label: string; to: string }>();
