// Tracks unsaved input: leaving asks first, a step commits the input or says why not, and the page outlasts an ended session.
import { useEffect, useEffectEvent } from 'react';

type Work = {
  /** Commits the typed input. Answers null, or a sentence that says why the input is refused. */
  commit?: (() => string | null) | undefined;
  /** The browser's storage also keeps the work and offers it when the page opens again, so only closing the page asks. */
  isKept?: boolean;
  /** Whether the frame asks before it is left, for another screen or the same one at another address. A screen with a guard of its own asks itself. */
  asks?: ((isOtherScreen: boolean) => boolean) | undefined;
};

const works = new Set<Work>();
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/** Registers unsaved work. The returned function removes it. */
export function holdUnsaved(work: Work): () => void {
  works.add(work);
  window.addEventListener('beforeunload', askBeforeLeaving);
  return () => {
    works.delete(work);
    // The browser cannot cache a listening page for the back button.
    if (works.size === 0) window.removeEventListener('beforeunload', askBeforeLeaving);
  };
}

/** Registers unsaved work while a component has some. */
export function useUnsaved(unsaved: boolean, commit?: Work['commit'], asks?: Work['asks']): void {
  const commitNow = useEffectEvent(() => commit?.() ?? null);
  const asksNow = useEffectEvent((isOther: boolean) => asks?.(isOther) ?? false);
  useEffect(
    () => (unsaved ? holdUnsaved({ commit: () => commitNow(), asks: (isOther) => asksNow(isOther) }) : undefined),
    [unsaved],
  );
}

/** Whether the frame asks before the address changes. */
export function asksToLeave(isOtherScreen: boolean): boolean {
  return [...works].some(({ asks }) => asks?.(isOtherScreen));
}

/** Whether closing the page would lose anything. */
export function hasUnsaved(): boolean {
  return works.size > 0;
}

/** Whether going to another screen would lose anything. */
export function wouldLose(): boolean {
  return [...works].some(({ isKept = false }) => !isKept);
}

/** Commits everything that is being typed. Answers the first refusal, or null. */
export function commitTyped(): string | null {
  const refusals = [...works].map(({ commit }) => commit?.() ?? null);
  return refusals.find((refusal) => refusal !== null) ?? null;
}
