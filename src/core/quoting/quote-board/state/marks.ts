// Finds what other users changed on the quote while this board was open: which lines, who, when.
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEditData, QuoteEvent } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { eventWords } from '#core/quoting/quotes/events/event-words.ts';
import { STATUS_LABELS } from '#core/quoting/quotes/status.ts';

/** Who changed a line, and when. The actor is empty when the history does not name one. */
export type Mark = { actor: string; at: string | null };

export type OthersChanges = {
  /** Lines that are new or changed, by id. */
  marks: ReadonlyMap<number, Mark>;
  removed: readonly (Mark & { line: QuoteItem })[];
};

/**
 * The changes in `next` by other users. `own` contains the lines that this board's save changed, each once. Null means that the board only read
 * `next`. If the response to a save names no other user, it contains none of their changes: any other changed lines follow from the save itself.
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
  // If the user saved terms, the server may have repriced every line, not only the line that another user changed.
  const theirs = own && named.length > 0 ? named : changed;
  return {
    marks: new Map(theirs.map((item) => [item.id, markOf([item, was.get(item.id)], events)])),
    removed: gone.map((line) => ({ line, ...markOf([line], events) })),
  };
}

/** The quote's own fields that differ, including totals. */
export function fieldsBetween(before: QuoteEditData['quote'], next: QuoteEditData['quote']): string[] {
  const was: Record<string, unknown> = before;
  return Object.entries(next).flatMap(([field, value]) =>
    JSON.stringify(was[field]) === JSON.stringify(value) ? [] : [field],
  );
}

function unseen(before: QuoteEditData, next: QuoteEditData): QuoteEvent[] {
  const last = Math.max(0, ...before.events.map(({ id }) => id));
  return next.events.filter(({ id }) => id > last);
}

function markOf(states: readonly (QuoteItem | undefined)[], events: readonly QuoteEvent[]): Mark {
  const { actor = '', at = null } = eventOf(states, events) ?? events[0] ?? {};
  return { actor, at };
}

/** The newest event that names a line in one of the given states. */
function eventOf(states: readonly (QuoteItem | undefined)[], events: readonly QuoteEvent[]): QuoteEvent | undefined {
  const names = states.flatMap((item) => (item ? [lineName(item)] : []));
  return events.find(({ changes }) =>
    changes.some(({ field }) => names.some((name) => field === name || field.startsWith(`${name}:`))),
  );
}

/** A line's name in the history. */
function lineName({ lineNo, itemNumber }: QuoteItem): string {
  return `Line ${lineNo}${itemNumber ? ` (${itemNumber})` : ''}`;
}

/** 'Kim Lee removed line 3 (BED).' */
export function removalWords({ actor, line }: OthersChanges['removed'][number]): string {
  const name = lineName(line).replace('Line', 'line');
  return `${actor || 'Someone'} removed ${name}${line.itemNumber ? '' : `: ${line.description}`}.`;
}

const APPROVAL_STEPS = ['RequestApproval', 'ApproveDiscount', 'RejectDiscount', 'RecallApproval'];

/** 'Kim Lee moved this quote to Sent To Customer.', 'Kim Lee recalled the request for approval.' Empty when no step was taken. */
export function movedWords(before: QuoteEditData, { changedSince, events, ...now }: QuoteEditData): string {
  const { statusId } = now.quote;
  if (statusId !== before.quote.statusId) {
    const actor = events.find(({ to }) => to === statusId)?.actor;
    return `${actor || 'Someone'} moved this quote to ${STATUS_LABELS[statusId]}.`;
  }
  if (now.approval?.state === before.approval?.state) return '';
  const step = changedSince?.find(({ action }) => APPROVAL_STEPS.includes(action));
  if (!step) return '';
  const locked = now.approval?.state === 'Pending' ? ' Lines and prices are locked until the request is decided.' : '';
  return `${step.actor} ${eventWords(step)}.${locked}`;
}
