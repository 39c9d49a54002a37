// The door of a user's page: panels of add-ons (docs/addons.md).
import { door } from '#platform/addons/door.ts';
import type { LoadPart, PartDoor } from '#platform/addons/door-parts.tsx';

export type UserPanelProps = { user: { id: number; fullName: string }; className: string };
export const userPanels: PartDoor<UserPanelProps> = {
  door: door<LoadPart<UserPanelProps>>(),
  failed: 'A panel could not be loaded. Reload the page.',
};
