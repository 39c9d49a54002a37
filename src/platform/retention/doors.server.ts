// The door of retention: what add-ons remove besides rows (docs/addons.md).
import { door } from '#platform/addons/door.ts';
import type { Services } from '#platform/api/services.server.ts';

/** Runs after old rows were cleared, even while the add-on is off. */
export const afterClearing = door<(services: Services) => Promise<unknown>>();
