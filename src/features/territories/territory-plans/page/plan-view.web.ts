// What the map of a plan and the tables below it tell each other: where to look, and moves that are only suggested.
import { createContext, use } from 'react';
import type { Named } from '#shared/wire.ts';

/** Suggested moves: ZIP to territory, or to null for none. */
export type Suggested = ReadonlyMap<string, Named | null>;

export type PlanView = {
  suggested: Suggested;
  /** Draws suggested moves on the map as if they were accepted; an empty map takes them off. */
  suggest: (moves: Suggested) => void;
  /** Goes on the map to these ZIPs and selects them. Undefined while no map is shown. */
  show: ((zips: readonly string[]) => void) | undefined;
  /** The map says how to go to a place; undefined when it is put away. */
  onMap: (show: ((zips: readonly string[]) => void) | undefined) => void;
};

export const NOTHING_SUGGESTED: Suggested = new Map();

export const PlanViewContext = createContext<PlanView | null>(null);

export function usePlanView(): PlanView {
  const view = use(PlanViewContext);
  if (!view) throw new Error('This part belongs on the page of a plan.');
  return view;
}
