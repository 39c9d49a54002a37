// Keeps the customer's input while the tab is open, so that closing a dialog, a failure, or switching apps does not lose it.
import { useSessionStorage } from '@mantine/hooks';

export type Draft = {
  name: string;
  title: string;
  poNumber: string;
  email: string;
  question: string;
  reasonCode: string;
  comment: string;
};

export type DraftProps = { draft: Draft; onType: (typed: Partial<Draft>) => void };

const EMPTY: Draft = { name: '', title: '', poNumber: '', email: '', question: '', reasonCode: '', comment: '' };

export function useDraft(docId: string): DraftProps {
  const [draft, setDraft] = useSessionStorage<Draft>({ key: `quote-doc ${docId}`, defaultValue: EMPTY });
  return { draft, onType: (typed) => setDraft((before) => ({ ...before, ...typed })) };
}
