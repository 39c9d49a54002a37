// The browser's part of an add-on, and which add-ons are switched off here.
import type { ComponentType } from 'react';
import { useSyncExternalStore } from 'react';
import { listeners } from '#platform/shared/listeners.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import type { Door, Filling } from './door.ts';

/** A screen of an add-on, in its own chunk. */
export type AddonScreen = { path: string; page: () => Promise<{ default: ComponentType }> };
export type AddonWeb<S extends readonly AddonScreen[] = readonly AddonScreen[]> = {
  name: string;
  screens: S;
  doors: readonly Filling[];
};

/** Joins the browser's parts of an add-on. `name`: that of its `addon.ts`, whose calls the first page does not need. */
export function addonWeb<const S extends readonly AddonScreen[]>(
  name: string,
  { screens, doors = [] }: { screens: S; doors?: readonly Filling[] },
): AddonWeb<S> {
  return { name, screens, doors };
}

/** Makes these the add-ons of the page and opens their doors, in this order. */
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

/** For the screen that switches them. Other pages learn of it when they load. */
export function setSwitchedOff(names: readonly string[]): void {
  off = names;
  readers.notify();
}

export const isSwitchedOff = (addon: string): boolean => off.includes(addon);

/** What the add-ons that are on have put behind a door. */
export function openEntries<T>(door: Door<T>): T[] {
  return door
    .entries()
    .filter(({ addon }) => !isSwitchedOff(addon))
    .map(({ entry }) => entry);
}
