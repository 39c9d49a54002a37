// Keeps undo and redo of the boards of this tab in its session storage, so that they survive a reload. For one person, within a limit.
import { readSession } from '#features/people/auth/sessions/session.web.ts';
import type { KeptUndo } from './kept-undo.ts';

const KEY = 'quoteboard.undo';
/** A character takes two bytes: 1 MB for all quotes. */
const MOST_CHARACTERS = 500_000;

type Kept = { userId: number /** The quote left last comes last. */; quotes: [quoteId: number, undo: KeptUndo][] };

/** What this person's board on the quote left in this tab. */
export function undoLeft(userId: number, quoteId: number): KeptUndo | null {
  return readUndo(userId).find(([id]) => id === quoteId)?.[1] ?? null;
}

/** Stores the steps of a board. After signing out there is nobody to store them for. */
export function keepUndo(userId: number, quoteId: number, undo: KeptUndo): void {
  if (readSession()?.id !== userId) return sessionStorage.removeItem(KEY);
  const others = readUndo(userId).filter(([id]) => id !== quoteId);
  const own: Kept['quotes'] = undo.undo.length + undo.redo.length > 0 ? [[quoteId, undo]] : [];
  writeUndo({ userId, quotes: [...others, ...own] });
}

function readUndo(userId: number): Kept['quotes'] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Kept | null;
    if (kept?.userId === userId) return kept.quotes;
  } catch {
    // Nothing that this version can read.
  }
  sessionStorage.removeItem(KEY);
  return [];
}

/** Drops the oldest quotes, then the oldest steps, until the rest fits. */
function writeUndo(kept: Kept): void {
  for (let { quotes } = kept; quotes.length > 0; quotes = smaller(quotes)) {
    const text = JSON.stringify({ ...kept, quotes });
    if (text.length > MOST_CHARACTERS) continue;
    try {
      sessionStorage.setItem(KEY, text);
      return;
    } catch {
      // The browser has less room.
    }
  }
  sessionStorage.removeItem(KEY);
}

function smaller(quotes: Kept['quotes']): Kept['quotes'] {
  const [first, ...rest] = quotes;
  if (!first || rest.length > 0) return rest;
  const [id, { undo, ...others }] = first;
  return undo.length > 1 ? [[id, { ...others, undo: undo.slice(1), redo: [] }]] : [];
}
