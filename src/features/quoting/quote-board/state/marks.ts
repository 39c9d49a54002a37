// What somebody else changed on the quote while this board was open: which lines, who, when.
import type { QuoteEditData, QuoteEvent, QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';

/** Who changed a line, and when; the actor is empty when the history does not say. */
export type Mark = { actor: string; at: string | null };

export type OthersChanges = {
  /** Lines that are new or changed, by id. */
  marks: ReadonlyMap<number, Mark>;
  removed: readonly (Mark & { line: QuoteItem })[];
};

/**
 * What is in `next` that others did. `own`: the lines that this board's save changed along with it, once each; null: `next` was only read.
 * An answer to a save that names nobody else has nothing of others in it: what a save changed besides its lines follows from it.
 */
export function changesOfOthers(
  before: QuoteEditData,
  next: QuoteEditData,
  own: ReadonlySet<number> | null,
): OthersChanges {
  const events = next.changedSince ?? (own ? [] : unseen(before, next));
  if (own && events.length === 0) return { marks: new Map(), removed: [] };
  const was = new Map(before.items.map((item) => [item.id, item]));
  const is = new Set(next.items.map((item) => item.id));
  const isTheirs = (item: QuoteItem): boolean => {
    const version = was.get(item.id)?.version;
    if (version === undefined) return !own?.has(item.id);
    return item.version > version + (own?.has(item.id) ? 1 : 0);
  };
  const changed = next.items.filter((item) => item.type !== 'free' && isTheirs(item));
  const gone = before.items.filter((item) => item.type !== 'free' && !is.has(item.id) && !own?.has(item.id));
  const named = changed.filter((item) => eventOf([item, was.get(item.id)], events) !== undefined);
  // A save of terms may have priced every line again beside the one that somebody changed.
  const theirs = own && named.length > 0 ? named : changed;
  return {
    marks: new Map(theirs.map((item) => [item.id, markOf([item, was.get(item.id)], events)])),
    removed: gone.map((line) => ({ line, ...markOf([line], events) })),
  };
}

function unseen(before: QuoteEditData, next: QuoteEditData): QuoteEvent[] {
  const last = Math.max(0, ...before.events.map(({ id }) => id));
  return next.events.filter(({ id }) => id > last);
}

function markOf(states: readonly (QuoteItem | undefined)[], events: readonly QuoteEvent[]): Mark {
  const { actor = '', at = null } = eventOf(states, events) ?? events[0] ?? {};
  return { actor, at };
}

/** The newest event that names a line as it is or was. */
function eventOf(states: readonly (QuoteItem | undefined)[], events: readonly QuoteEvent[]): QuoteEvent | undefined {
  const names = states.flatMap((item) => (item ? [nameOf(item)] : []));
  return events.find(({ changes }) =>
    changes.some(({ field }) => names.some((name) => field === name || field.startsWith(`${name}:`))),
  );
}

/** A line as the history calls it. */
function nameOf({ lineNo, itemNumber }: QuoteItem): string {
  return `Line ${lineNo}${itemNumber ? ` (${itemNumber})` : ''}`;
}

/** 'Kim Lee took line 3 (BED) off.' */
export function removalWords({ actor, line }: OthersChanges['removed'][number]): string {
  const name = nameOf(line).replace('Line', 'line');
  return `${actor || 'Somebody'} took ${name} off${line.itemNumber ? '' : `: ${line.description}`}.`;
}
