// Merges the server's responses into the board. Never returns to an older state, and keeps unchanged lines as the same objects.
import type { QuoteItem, QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEditData, SavedQuoteItem } from '#core/quoting/quote-edit/quote-edit.contract.ts';

/** Merges a whole quote over an older state. Equal parts stay the same objects, so that they do not render again. */
export function newer(now: QuoteEditData | null, next: QuoteEditData): QuoteEditData {
  if (!now) return next;
  return next.quote.version < now.quote.version ? now : keepEqualParts(now, next);
}

/** Merges one saved line and its side effects into the quote. */
export function withSaved(now: QuoteEditData, saved: SavedQuoteItem): QuoteEditData {
  if (saved.quote.version < now.quote.version) return now;
  const changed = new Map([...saved.changedItems, saved.item].map((item) => [item.id, item]));
  const stayed = now.items
    .filter((item) => !saved.removedIds.includes(item.id))
    .map((item) => changed.get(item.id) ?? item);
  const known = new Set(stayed.map((item) => item.id));
  const added = [...changed.values()].filter((item) => !known.has(item.id));
  return keepEqualParts(now, {
    ...now,
    quote: { ...now.quote, ...saved.quote },
    items: [...stayed, ...added].toSorted((a, b) => a.lineNo - b.lineNo),
    allowedActions: saved.allowedActions,
    approval: saved.approval,
    approvalNeeded: saved.approvalNeeded,
  });
}

/** The new lines among those that a call saved, in their order. The board may already know them if an earlier response was lost. */
export function madeOf(
  lines: readonly QuoteItemInput[],
  savedIds: readonly number[],
  { items }: QuoteEditData,
): QuoteItem[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return lines.flatMap((line, index) => (line.id ? [] : (byId.get(savedIds[index] ?? 0) ?? [])));
}

/** The lines that a call just added: the last `count` new ones, because other users may have added lines as well. */
export function newestOf(next: QuoteEditData, before: QuoteEditData, count: number): QuoteItem[] {
  const known = new Set(before.items.map(({ id }) => id));
  const unknown = next.items.filter(({ id, type }) => !known.has(id) && type !== 'free');
  return count === 0 ? [] : unknown.toSorted((a, b) => a.id - b.id).slice(-count);
}

/** `next`, with each part that equals its counterpart in `before` replaced by that counterpart. Matches lines by id. */
function keepEqualParts<T>(before: T, next: T): T {
  if (Object.is(before, next)) return before;
  if (Array.isArray(before) && Array.isArray(next)) return keptList(before, next) as T;
  if (!isRecord(before) || !isRecord(next)) return next;
  let same = Object.keys(before).length === Object.keys(next).length;
  const result: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(next)) {
    result[field] = keepEqualParts(before[field], value);
    same &&= field in before && Object.is(result[field], before[field]);
  }
  return (same ? before : result) as T;
}

function keptList(before: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const byId = new Map(before.filter(isRecord).map((entry) => [entry['id'], entry]));
  const result = next.map((entry, index) => {
    const counterpart = isRecord(entry) && typeof entry['id'] === 'number' ? byId.get(entry['id']) : before[index];
    return keepEqualParts(counterpart, entry);
  });
  return before.length === result.length && result.every((candidate, index) => Object.is(candidate, before[index]))
    ? before
    : result;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
