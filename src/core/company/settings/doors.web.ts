// The doors of the menus: screens of add-ons in Settings, in the tab bar and in the palette (docs/addons.md).
import { door } from '#platform/addons/door.ts';
import type { SessionUser } from '#platform/auth/sessions/session.web.ts';
import type { AddonAdminScreen } from './admin-screens.ts';

/** `key` has two keys, because single letters are for the actions of the screen. */
export type MenuTab = { label: string; to: string; key: string };

export const adminScreens = door<AddonAdminScreen>();
/** Tabs after those of the core. */
export const menuTabs = door<MenuTab & { isShown: (user: SessionUser) => boolean }>();
/** Screens that the palette offers although no menu contains them. */
export const paletteScreens = door<{ label: string; to: string; isShown: (user: SessionUser) => boolean }>();
