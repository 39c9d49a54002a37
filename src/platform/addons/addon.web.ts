// The browser's part of an add-on, and which add-ons are switched off in this page.
import type { ComponentType } from 'react';
import { useSyncExternalStore } from 'react';
import { listeners } from '#platform/shared/listeners.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import type { Door, Filling } from './door.ts';

/** A screen of an add-on, loaded as a separate chunk. */
export type AddonScreen = { path: string; page: () => Promise<{ default: ComponentType }> };
export type AddonWeb<S extends readonly AddonScreen[] = readonly AddonScreen[]> = {
  name: string;
  screens: S;
  doors: readonly Filling[];
};

/**
 * Combines the browser's parts of an add-on. `name` is the name in its `addon.ts`; passing it keeps the calls of the add-on out of the first page.
 */
export function addonWeb<const S extends readonly AddonScreen[]>(
  name: string,
  { screens, doors = [] }: { screens: S; doors?: readonly Filling[] },
): AddonWeb<S> {
  return { name, screens, doors };
}

/** Installs these add-ons in the page and fills their doors, in this order. */
export function install<const A extends readonly AddonWeb[]>(addons: A): A {
  for (const { name, doors } of addons) for (const filling of doors) filling.enter(name);
  return addons;
}

let off: readonly string[] = appConfig.switchedOff;
const readers = listeners();

/** The names of the add-ons that are off. */
export function useSwitchedOff(): readonly string[] {
  return useSyncExternalStore(readers.add, () => off);
}

/** For the screen that switches add-ons on and off. Other open pages see the change when they load again. */
export function setSwitchedOff(names: readonly string[]): void {
  off = names;
  readers.notify();
}

export const isSwitchedOff = (addon: string): boolean => off.includes(addon);

/** Returns the entries that enabled add-ons have put behind a door. */
export function openEntries<T>(door: Door<T>): T[] {
  return door
    .entries()
    .filter(({ addon }) => !isSwitchedOff(addon))
    .map(({ entry }) => entry);
}
