// Passes the place to show and the suggested moves between a plan's map and the tables below it.
import { createContext, use } from 'react';
import type { Named } from '#shared/wire.ts';

/** Maps the ZIP of each suggested move to its territory, or to null for none. */
export type Suggested = ReadonlyMap<string, Named | null>;

export type PlanView = {
  suggested: Suggested;
  /** Draws suggested moves on the map as if they were accepted; an empty `Map` removes them. */
  suggest: (moves: Suggested) => void;
  /** Moves the map to these ZIPs and selects them. Undefined while the page shows no map. */
  show: ((zips: readonly string[]) => void) | undefined;
  /** The map registers its `show` here, and undefined when it unmounts. */
  onMap: (show: ((zips: readonly string[]) => void) | undefined) => void;
};

export const NOTHING_SUGGESTED: Suggested = new Map();

export const PlanViewContext = createContext<PlanView | null>(null);

export function usePlanView(): PlanView {
  const view = use(PlanViewContext);
  if (!view) throw new Error('This part belongs on the page of a plan.');
  return view;
}
