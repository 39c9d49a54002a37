// Finds the quote templates that a user may use, and adds their lines to a quote.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import { holds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { looksOf, PLAIN, shownLook } from '#core/catalog/items/item-look.server.ts';
import type { ItemFacts } from '#core/prices/pricing/priced-item.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { applyLines, notAddable } from '../lines/line-items.server.ts';
import type { QuoteItemInput } from '../lines/quote-item.ts';
import { MAX_DESCRIPTION_LENGTH } from '../lines/quote-item.ts';
import type { QuoteEdit, QuoteEditData, QuoteTemplate } from '../quote-edit.contract.ts';
import { closeEdit, openEdit } from '../settle/edit-quote.server.ts';
import { loadMissingItems } from '../settle/known-items.server.ts';
import type { ItemFactsById } from '../settle/settle-quote.server.ts';
import { readQuote, viewOf } from '../view/load-quote.server.ts';
import type { ReadContext } from '../view/quote-view.server.ts';

const MAX_TEMPLATES = 50;

/** Active templates, with their lines, whose name or description contains every word of the keyword. */
export async function templatesForQuote(
  { db, services, user }: ReadContext,
  { quoteId, keyword }: ParsedInputOf<typeof QuoteEdit.GetQuoteTemplateForQuote>,
): Promise<QuoteTemplate[]> {
  if (quoteId) await requireQuote(db, user, quoteId);
  let query = db
    .selectFrom('quote_template')
    .select(['id', 'name', 'description', 'version'])
    .select(sql<boolean>`coalesce(owner_only and created_by = ${user.id}, false)`.as('own'))
    .where('active', '=', true)
    .where(usableBy(user))
    .orderBy('name')
    .limit(MAX_TEMPLATES);
  for (const word of wordsOf(keyword ?? '')) {
    query = query.where((eb) => eb.or([holds(eb.ref('name'), word), holds(eb.ref('description'), word)]));
  }
  const templates = await query.execute();
  const lines = await linesOfTemplates(
    db,
    templates.map(({ id }) => id),
  );
  const items = new Set([...lines.values()].flat().flatMap(({ itemId }) => itemId ?? []));
  const looks = await looksOf(db, user, [...items]);
  return templates.map((template) => ({
    ...template,
    items: (lines.get(template.id) ?? []).map(({ facts, words, templateId: _templateId, ...line }) => ({
      ...line,
      description: words || (facts?.description ?? ''),
      ...shownLook(services, user, looks.get(line.itemId ?? 0) ?? PLAIN),
    })),
  }));
}

/** True for templates open to all users or to one of the user's roles, and for the user's own. */
export function usableBy(user: { id: number; roles: readonly string[] }) {
  return sql<boolean>`case when quote_template.owner_only then quote_template.created_by = ${user.id}
    else cardinality(quote_template.allowed_roles) = 0 or quote_template.allowed_roles && ${[...user.roles]}::text[] end`;
}

type TemplateLine = Omit<QuoteTemplate['items'][number], 'description' | 'productName' | 'imgThumbnailUrl'> & {
  templateId: number;
  /** The template's own text for the line. */
  words: string;
  facts: ItemFacts | undefined;
};

/** The lines of templates in order, with the current facts of their items. */
export async function linesOfTemplates(db: Db, ids: number[]): Promise<Map<number, TemplateLine[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('quote_template_item')
    .select(['template_id as templateId', 'type', 'item_id as itemId', 'description', 'qty', 'unit'])
    .where('template_id', 'in', ids)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const items: ItemFactsById = new Map();
  await loadMissingItems(
    db,
    items,
    rows.map((row) => row.itemId),
  );
  const lines = rows.map((row): TemplateLine => {
    const facts = row.itemId === null ? undefined : items.get(row.itemId);
    const unit = row.unit || (facts?.base_unit ?? '');
    return {
      templateId: row.templateId,
      type: row.type as TemplateLine['type'],
      itemId: row.itemId,
      itemNumber: facts?.item_number ?? '',
      words: row.description,
      facts,
      qty: row.qty,
      unit,
      gone: row.type === 'item' && notAddable(facts, unit) !== '',
    };
  });
  return Map.groupBy(lines, (line) => line.templateId);
}

/**
 * Adds a template's lines to a quote: every line still sold in its unit, with sections and notes, or only the named lines with their quantities.
 * Throws 422 when nothing can be added, a text is too long for a quote, or a named line is not in the template or no longer offered.
 */
export async function addTemplateToQuote(
  context: ReadContext,
  input: ParsedInputOf<typeof QuoteEdit.SaveQuoteTemplateForQuote>,
): Promise<QuoteEditData> {
  const { db, user } = context;
  const edit = await openEdit(context, input.quoteId);
  const template = await db
    .selectFrom('quote_template')
    .select(['id', 'name', 'customer_message'])
    .where('id', '=', input.templateId)
    .where('active', '=', true)
    .where(usableBy(user))
    .executeTakeFirst();
  if (!template) throw notFound('template');
  const lines = (await linesOfTemplates(db, [template.id])).get(template.id) ?? [];
  const chosen = input.items ? chosenLines(lines, input.items) : lines.filter((line) => !line.gone);
  if (!chosen.some(({ type }) => type === 'item')) {
    throw new HttpError(422, `No line of the template ${template.name} can be added.`);
  }
  const long = chosen.find(({ words }) => words.length > MAX_DESCRIPTION_LENGTH);
  if (long) {
    const line = `Line ${lines.findIndex(({ words }) => words === long.words) + 1} of the template ${template.name}`;
    const most = MAX_DESCRIPTION_LENGTH.toLocaleString('en-US');
    throw new HttpError(422, `${line} has more than ${most} characters. Shorten it there first.`);
  }
  await applyLines(edit, chosen.map(newLine), (index) => `items.${index}.`);
  edit.draft.quote.template_id = template.id;
  edit.draft.quote.customer_message ||= template.customer_message;
  const edited = await closeEdit(edit, { action: 'AddTemplate', comment: template.name });
  return readQuote(context, edited.quote, viewOf(user));
}

type Choices = NonNullable<ParsedInputOf<typeof QuoteEdit.SaveQuoteTemplateForQuote>['items']>;

function chosenLines(lines: readonly TemplateLine[], choices: Choices): TemplateLine[] {
  const named = new Set(choices.flatMap(({ position }) => (position ? lines[position - 1] : undefined) ?? []));
  return choices.map(({ position, itemId, qty }, index) => {
    const refuse = (message: string) => invalid([{ path: `items.${index}.itemId`, message }]);
    const ofItem = lines.filter((line) => line.type === 'item' && line.itemId === itemId);
    const line = position
      ? lines[position - 1]
      : (ofItem.find((candidate) => !candidate.gone && !named.has(candidate)) ??
        ofItem.find((candidate) => !candidate.gone) ??
        ofItem[0]);
    if (!line) throw refuse(position ? CHANGED : 'This item is not in the template.');
    if (position && itemId !== undefined && line.itemId !== itemId) throw refuse(CHANGED);
    if (line.gone) throw refuse(notAddable(line.facts, line.unit));
    named.add(line);
    return { ...line, qty: qty ?? line.qty };
  });
}

const CHANGED = 'Another user has changed the template. Choose it again.';

function newLine(line: TemplateLine): QuoteItemInput {
  if (line.type !== 'item') return { id: 0, type: line.type, description: line.words };
  return { id: 0, itemId: line.itemId, description: line.words, qty: line.qty, unit: line.unit };
}
