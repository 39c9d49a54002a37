// What is typed on the page and saved nowhere yet: leaving asks first, a step takes it in or says why not, an ended session keeps the page.
import { useEffect, useEffectEvent } from 'react';

type Work = {
  /** Takes in what is being typed. Answers why it cannot be taken, in a sentence; null when it is taken. */
  commit?: (() => string | null) | undefined;
  /** It is in this browser's storage too, and offered when the page is opened again: only closing the page asks. */
  isKept?: boolean;
};

const works = new Set<Work>();
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Enters unsaved work; the answer, called, takes it out again. */
export function holdUnsaved(work: Work): () => void {
  works.add(work);
  window.addEventListener('beforeunload', ask);
  return () => {
    works.delete(work);
    // A page that listens cannot be kept for the back button.
    if (works.size === 0) window.removeEventListener('beforeunload', ask);
  };
}

/** The same as long as a component has something unsaved. */
export function useUnsaved(unsaved: boolean, commit?: () => string | null): void {
  const commitNow = useEffectEvent(() => commit?.() ?? null);
  useEffect(() => (unsaved ? holdUnsaved({ commit: () => commitNow() }) : undefined), [unsaved]);
}

/** Whether closing the page would lose anything. */
export function hasUnsaved(): boolean {
  return works.size > 0;
}

/** Whether going to another screen would lose anything. */
export function wouldLose(): boolean {
  return [...works].some(({ isKept = false }) => !isKept);
}

/** Takes in everything that is being typed. Answers the first refusal; null when nothing was refused. */
export function commitTyped(): string | null {
  const refusals = [...works].map(({ commit }) => commit?.() ?? null);
  return refusals.find((refusal) => refusal !== null) ?? null;
}
