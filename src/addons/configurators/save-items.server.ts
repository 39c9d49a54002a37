// Adds configurator items to a quote as lines in a section of the configuration, updates these lines, or removes them.
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { type FieldError, HttpError, invalid } from '#platform/api/http-error.ts';
import { applyLines } from '#core/quoting/quote-edit/lines/line-items.server.ts';
import type { QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import {
  closeEdit,
  type Edit,
  openEdit,
  requireRight,
  staleError,
} from '#core/quoting/quote-edit/settle/edit-quote.server.ts';
import { loadMissingItems } from '#core/quoting/quote-edit/settle/known-items.server.ts';
import { readQuote, viewOf } from '#core/quoting/quote-edit/view/load-quote.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import type { Line, LineConfigured, TakenItem } from '#core/quoting/quotes/quote-rows.ts';
import type { QuoteConfigurator } from './configurator.contract.ts';
import { type Difference, differencesOf, type Waiting } from './differences.ts';
import {
  isAtPrice,
  isResolved,
  matchKey,
  type Match,
  matchesOf,
  type WaitingConfiguration,
  waitingOf,
} from './waiting-items.server.ts';

type Input = ParsedInputOf<typeof QuoteConfigurator.SaveDmsItemsToQuote>;
type Wish = Input['items'][number];

/** A user's wish with the waiting item and its line. `index` is its position in the input, for errors. */
type Work = { index: number; wish: Wish; configuration: WaitingConfiguration; difference: Difference };

/**
 * Applies all wishes or none, as one edit of the quote. Throws 409 if the quote or a configuration has changed since the caller read it, and 422 at
 * the item for a wish that is not possible.
 */
export async function saveConfiguratorItems(context: ReadContext, input: Input): Promise<QuoteEditData> {
  const edit = await openEdit(context, input.quoteId);
  if (input.version !== edit.before.quote.version) throw await staleError(edit, 'quote');
  requireRight(edit, 'commercial');
  const waiting = await waitingOf(context.db, input.quoteId);
  requireSeen(waiting, input);
  const works = worksOf(edit, waiting, input);
  const adding = works.filter(({ wish }) => wish.action !== 'remove');
  const result = await matchesOf(
    context,
    adding.flatMap(({ difference }) => difference.waiting ?? []),
  );
  await loadMissingItems(
    context.db,
    edit.draft.items,
    works.map(({ difference }) => difference.line?.item_id),
  );
  const terms: Terms = { found: result, reason: input.priceReason, items: edit.draft.items };
  await changeLines(edit, works, terms);
  for (const configuration of waiting) {
    await add(
      edit,
      works.filter(({ wish, configuration: target }) => wish.action === 'add' && target === configuration),
      terms,
    );
  }
  const edited = await closeEdit(edit, { action: 'TakeConfigured', comment: commentOf(works) });
  return readQuote(context, edited.quote, viewOf(context.user));
}

/** Refuses to add items that the user has not seen. */
function requireSeen(waiting: readonly WaitingConfiguration[], { configurations = [] }: Input): void {
  for (const { configId, version } of configurations) {
    const now = waiting.find((candidate) => candidate.configId === configId);
    if (now?.version === version) continue;
    const what = now
      ? `${now.postedBy} has changed configuration ${configId}`
      : `Configuration ${configId} was removed`;
    throw new HttpError(409, `${what} in the meantime. Nothing was saved. Review the items again.`);
  }
}

const at = (index: number, field: string, message: string): FieldError => ({
  path: `items.${index}.${field}`,
  message,
});

function worksOf(edit: Edit, waiting: readonly WaitingConfiguration[], { items, priceReason }: Input): Work[] {
  const known = new Map(
    waiting.map((configuration) => [
      configuration.configId,
      {
        configuration,
        differences: Map.groupBy(
          differencesOf(configuration.configId, configuration.items, edit.draft.lines),
          ({ position }) => position,
        ),
      },
    ]),
  );
  const errors: FieldError[] = [];
  const named = new Set<string>();
  const works = items.flatMap((wish, index): Work[] => {
    const { configId, position } = wish;
    const target = known.get(configId);
    const difference = target?.differences
      .get(position)
      ?.find((candidate) => candidate.waiting?.problem !== undefined || candidate.line);
    const key = `${configId}\n${position}`;
    const problem = !target
      ? { field: 'configId', message: `No configuration ${configId} is waiting for this quote.` }
      : !difference
        ? { field: 'position', message: `Configuration ${configId} has no position ${position}.` }
        : named.has(key)
          ? { field: 'position', message: `Position ${position} appears twice.` }
          : refusalOf(wish, difference, priceReason);
    named.add(key);
    if (problem) errors.push(at(index, problem.field, problem.message));
    return target && difference ? [{ index, wish, configuration: target.configuration, difference }] : [];
  });
  if (errors.length > 0) throw invalid(errors);
  return works;
}

function refusalOf(
  { action, position, price }: Wish,
  { waiting, line }: Difference,
  reason: string,
): { field: string; message: string } | null {
  const no = (field: string, message: string) => ({ field, message });
  if (action !== 'add' && !line) return no('action', `Position ${position} is not on the quote.`);
  if (action === 'remove') return null;
  if (action === 'add' && line) return no('action', `Position ${position} is already on the quote. Update it instead.`);
  if (!waiting) return no('action', `Position ${position} is no longer in the configuration. Remove it instead.`);
  if (waiting.problem) return no('position', waiting.problem);
  if (price !== 'configurator') return null;
  if (waiting.price === null) return no('price', `The configurator has no price for position ${position}.`);
  return reason === '' ? no('price', 'Enter a reason for using the configurator price (priceReason).') : null;
}

/** Changes and removes lines. Removing the last line of a section also removes the section. */
async function changeLines(edit: Edit, works: readonly Work[], terms: Terms): Promise<void> {
  const indexes: number[] = [];
  const inputs = works.flatMap((work): QuoteItemInput[] => {
    const { wish, difference, index } = work;
    const { line, waiting } = difference;
    if (wish.action === 'add' || !line) return [];
    indexes.push(index);
    const known = { id: line.id, version: line.version };
    if (wish.action === 'remove' || !waiting) return [{ ...known, remove: true }];
    return [{ ...known, ...updateOf(work, line, waiting, terms) }];
  });
  const removed = new Set(inputs.flatMap(({ id, remove }) => (id && remove ? [id] : [])));
  const empty = works.flatMap(({ wish, configuration }) =>
    wish.action === 'remove' ? (emptySection(edit.draft.lines, configuration.configId, removed) ?? []) : [],
  );
  const sections = [...new Set(empty)].map(({ id, version }) => ({ id, version, remove: true }));
  await applyLines(edit, [...inputs, ...sections], (index) => `items.${indexes[index] ?? 0}.`);
}

/** The section of a configuration, if no lines are left in it. */
function emptySection(lines: readonly Line[], configId: string, removed: ReadonlySet<number>): Line | undefined {
  const start = lines.findIndex((line) => isSectionOf(line, configId));
  const section = lines[start];
  if (!section) return undefined;
  const next = lines.findIndex(({ type }, index) => index > start && type === 'section');
  const inside = lines.slice(start + 1, next === -1 ? lines.length : next);
  const stays = inside.some(({ id, parent_id: parent }) => !removed.has(id) && !removed.has(parent ?? 0));
  const elsewhere = lines.some(
    (line) => line.configured?.configId === configId && line !== section && !removed.has(line.id),
  );
  return stays || elsewhere ? undefined : section;
}

const isSectionOf = ({ type, configured }: Line, configId: string): boolean =>
  type === 'section' && configured?.configId === configId;

type Terms = { found: ReadonlyMap<string, Match>; reason: string; items: Edit['draft']['items'] };

/** The description that the line got from the item when the user added it. */
function describedBy(taken: TakenItem, items: Terms['items'], line: Line): string {
  if (line.item_id === null) return customWords(taken);
  return taken.description || (items.get(line.item_id)?.description ?? '');
}

/** The description of a custom item, for which we have no description of our own. */
function customWords({
  description,
  optionText,
  itemNumber,
}: Pick<TakenItem, 'description' | 'optionText' | 'itemNumber'>): string {
  return description || optionText.slice(0, 1000) || itemNumber;
}

/** Keeps the user's manual changes, except to the fields that the configuration controls on a linked line. */
function updateOf(work: Work, line: Line, waiting: Waiting, terms: Terms): Omit<QuoteItemInput, 'id'> {
  const { wish } = work;
  const { configured } = line;
  const taken = configured?.taken ?? null;
  const linked = configured?.linked ?? false;
  const isAsked = (wish.itemId ?? null) !== null || Boolean(wish.unit) || wish.custom === true;
  const meant = isResolved(waiting, line) && !isAsked ? {} : whatOf(work, waiting, terms.found, line);
  const { unit, ...item } = meant;
  return {
    ...item,
    ...(linked ? { qty: waiting.qty ?? undefined, ...(unit === undefined ? {} : { unit }) } : {}),
    ...(taken && line.description === describedBy(taken, terms.items, line) && waiting.description !== taken.description
      ? { description: waiting.description }
      : {}),
    ...(taken && line.notes === taken.optionText ? { notes: waiting.optionText } : {}),
    ...priceOf(wish, waiting, line, terms.reason),
    configured: originOf(wish, waiting, linked),
  };
}

function originOf({ configId, position }: Wish, waiting: Waiting, linked: boolean): LineConfigured {
  const { itemNumber, description, qty, unit, optionText, price } = waiting;
  const taken: TakenItem = { itemNumber, description, qty: qty ?? 0, unit, optionText, price };
  return { configId, position, linked, taken };
}

type What = Pick<QuoteItemInput, 'type' | 'itemId' | 'itemNumber' | 'description' | 'unit'>;

/** The item and the unit, either found or chosen by the user. Throws 422 if there is neither. */
function whatOf({ wish, index }: Work, waiting: Waiting, result: ReadonlyMap<string, Match>, line: Line | null): What {
  if (wish.custom) {
    const { itemNumber } = waiting;
    return {
      ...(line ? {} : { type: 'custom' }),
      itemId: null,
      itemNumber,
      description: customWords(waiting),
      ...(wish.unit || waiting.unit ? { unit: wish.unit || waiting.unit } : {}),
    };
  }
  const match = result.get(matchKey(waiting));
  if (wish.itemId) return { itemId: wish.itemId, unit: wish.unit ?? unitMatched(match, wish.itemId) ?? waiting.unit };
  const [only] = match?.candidates ?? [];
  if (match?.state !== 'found' || !only) {
    throw invalid([at(index, 'itemId', match?.problem || `Item ${waiting.itemNumber} does not exist.`)]);
  }
  if (wish.unit) return { itemId: only.itemId, unit: wish.unit };
  if (only.problem) throw invalid([at(index, only.gone ? 'itemId' : 'unit', only.problem)]);
  return { itemId: only.itemId, unit: only.unit };
}

function unitMatched(match: Match | undefined, itemId: number): string | undefined {
  return match?.candidates.find((candidate) => candidate.itemId === itemId)?.unit || undefined;
}

/** Enters the configurator's price as a typed price, with the reason. Without a choice, a line keeps its kind of price. */
function priceOf(wish: Wish, waiting: Waiting, line: Line | null, reason: string): Partial<QuoteItemInput> {
  const had = line !== null && isAtPrice(line);
  const theirs = wish.price === 'configurator' || (wish.price === undefined && had && waiting.price !== null);
  if (theirs && waiting.price !== null) {
    return { unitPrice: waiting.price, priceReason: reason || (line?.price_reason ?? '') };
  }
  return had ? { unitPrice: null } : {};
}

/** Adds lines at the end of their configuration's section. Creates the section at the end of the quote if there is none. */
async function add(edit: Edit, works: readonly Work[], terms: Terms): Promise<void> {
  const [first] = works;
  if (!first) return;
  const { configId, name } = first.configuration;
  const start = placeFor(edit.draft.lines, configId);
  const section: QuoteItemInput[] =
    start === null
      ? [
          {
            id: 0,
            type: 'section',
            description: name || `Configuration ${configId}`,
            configured: { configId, position: '', linked: true, taken: null },
          },
        ]
      : [];
  const lines = works.map((work, index): QuoteItemInput => {
    const { wish, difference } = work;
    const { waiting } = difference;
    if (!waiting) throw new Error('what is added waits');
    const what = whatOf(work, waiting, terms.found, null);
    return {
      id: 0,
      ...(start === null ? {} : { lineNo: start + index + 1 }),
      ...(waiting.description === '' ? {} : { description: waiting.description }),
      ...what,
      qty: waiting.qty ?? undefined,
      notes: waiting.optionText,
      ...priceOf(wish, waiting, null, terms.reason),
      configured: originOf(wish, waiting, true),
    };
  });
  await applyLines(edit, [...section, ...lines], (index) => `items.${works[index - section.length]?.index ?? 0}.`);
}

/** The position for the next line of a configuration. Null if the configuration has no lines on the quote. */
function placeFor(lines: readonly Line[], configId: string): number | null {
  const ids = new Set(lines.filter(({ configured }) => configured?.configId === configId).map(({ id }) => id));
  const last = lines.findLastIndex(({ id, parent_id: parent }) => ids.has(id) || ids.has(parent ?? 0));
  return last === -1 ? null : last + 1;
}

const WORDS = { add: 'added', update: 'updated', remove: 'removed' } as const;

function commentOf(works: readonly Work[]): string {
  const names = [...new Set(works.map(({ configuration: { name, configId } }) => name || configId))];
  const counts = (['add', 'update', 'remove'] as const).flatMap((action) => {
    const count = works.filter(({ wish }) => wish.action === action).length;
    return count > 0 ? [`${count} ${WORDS[action]}`] : [];
  });
  return `${names.slice(0, 3).join(', ')}: ${counts.join(', ')}`;
}
