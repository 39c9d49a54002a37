// Returns the administration screens that a user may open, without those of switched-off add-ons.
import { openEntries } from '#platform/addons/addon.web.ts';
import { hasRole, type Role } from '#platform/shared/roles.ts';
import { adminScreensWith } from './admin-screens.ts';
import { adminScreens } from './doors.web.ts';

export function adminScreensOf(user: { roles: readonly Role[] }): ReturnType<typeof adminScreensWith> {
  return adminScreensWith(openEntries(adminScreens)).filter((screen) => hasRole(user, ...screen.roles));
}
