// Provides the parts of the page with the opened plan, its store and the page's actions.
import { createContext, use, useSyncExternalStore } from 'react';
import type { PlanState, PlanStore } from './plan-store.ts';

export const PlanContext = createContext<PlanStore | null>(null);

export function usePlan(): PlanState & { store: PlanStore } {
  const store = use(PlanContext);
  if (!store) throw new Error('This part belongs on the page of a plan.');
  const state = useSyncExternalStore(store.subscribe, store.snapshot);
  return { ...state, store };
}
