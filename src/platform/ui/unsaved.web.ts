// Tracks unsaved input: leaving the page prompts, an action commits the input or returns why it cannot, and the page survives an ended session.
import { useEffect, useEffectEvent } from 'react';

type Work = {
  /** Commits the typed input. Returns null, or a sentence that says why the input is refused. */
  commit?: (() => string | null) | undefined;
  /** The browser's storage also keeps the work and offers it when the page opens again, so only closing the page prompts. */
  isKept?: boolean;
  /**
   * Returns whether the frame prompts before the user leaves, for another screen or for another address of the same screen. A screen with its own
   * guard prompts itself.
   */
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
    // While a listener is registered, the browser cannot cache the page for the back button.
    if (works.size === 0) window.removeEventListener('beforeunload', askBeforeLeaving);
  };
}

/** Registers unsaved work while a component has unsaved input. */
export function useUnsaved(unsaved: boolean, commit?: Work['commit'], asks?: Work['asks']): void {
  const commitNow = useEffectEvent(() => commit?.() ?? null);
  const asksNow = useEffectEvent((isOther: boolean) => asks?.(isOther) ?? false);
  useEffect(
    () => (unsaved ? holdUnsaved({ commit: () => commitNow(), asks: (isOther) => asksNow(isOther) }) : undefined),
    [unsaved],
  );
}

/** Returns whether the frame prompts before the address changes. */
export function asksToLeave(isOtherScreen: boolean): boolean {
  return [...works].some(({ asks }) => asks?.(isOtherScreen));
}

/** Returns whether closing the page would lose anything. */
export function hasUnsaved(): boolean {
  return works.size > 0;
}

/** Returns whether going to another screen would lose anything. */
export function wouldLose(): boolean {
  return [...works].some(({ isKept = false }) => !isKept);
}

/** Commits all input that is being typed. Returns the first refusal, or null. */
export function commitTyped(): string | null {
  const refusals = [...works].map(({ commit }) => commit?.() ?? null);
  return refusals.find((refusal) => refusal !== null) ?? null;
}
