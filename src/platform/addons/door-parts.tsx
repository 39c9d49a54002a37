// Renders what add-ons put behind a door of a screen. Each part loads when the screen shows it.
import type { ComponentType } from 'react';
import { later } from '#platform/ui/later.tsx';
import { isSwitchedOff } from './addon.web.ts';
import type { Door } from './door.ts';

export type LoadPart<P> = () => Promise<{ default: ComponentType<P> }>;
/** A door of a screen. `failed` is the message for a part of an add-on that cannot be loaded. */
export type PartDoor<P> = { door: Door<LoadPart<P>>; failed: string };

const parts = new Map<unknown, unknown>();

/** Returns the parts of the enabled add-ons, in the order of the list of add-ons. */
export function openParts<P extends object>({
  door,
  failed,
}: PartDoor<P>): { addon: string; Part: ComponentType<P> }[] {
  return door
    .entries()
    .filter(({ addon }) => !isSwitchedOff(addon))
    .map(({ addon, entry }) => ({ addon, Part: partFrom(entry, failed) }));
}

/** Returns the same component each time; a new one would lose its state. */
export function partFrom<P extends object>(load: LoadPart<P>, failed: string): ComponentType<P> {
  const existing = parts.get(load) as ComponentType<P> | undefined;
  if (existing) return existing;
  const part = later(load, { loading: <></>, failed });
  parts.set(load, part);
  return part;
}
