// The door of a facility's page, through which add-ons link their screens about the facility (docs/addons.md).
import { door } from '#platform/addons/door.ts';

/** A link beside the facility's quotes, for users who quote. The address gets `facility`. */
export const facilityLinks = door<{ label: string; to: string }>();
