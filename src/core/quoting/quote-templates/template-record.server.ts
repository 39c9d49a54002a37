// Reads, checks, and writes one template with its lines and its history.
import { sql } from 'kysely';
import { type FieldError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { requireFresh } from '#platform/history/record-change.server.ts';
import { oneRecord, type RecordKind, saveRecord, wrongName } from '#platform/history/record-kit.server.ts';
import type { ItemFacts } from '#core/prices/pricing/priced-item.server.ts';
import { notAddable, notOffered } from '#core/quoting/quote-edit/lines/line-items.server.ts';
import { linesOfTemplates } from '#core/quoting/quote-edit/make/templates.server.ts';
import { loadMissingItems } from '#core/quoting/quote-edit/settle/known-items.server.ts';
import type { ItemFactsById } from '#core/quoting/quote-edit/settle/settle-quote.server.ts';
import { ROLE_LABELS, type Role } from '#platform/shared/roles.ts';
import type { TemplateEdit, TemplateLine, TemplateLineInput } from './quote-templates.contract.ts';
import { linesApart } from './template-words.ts';

const LABELS = {
  name: 'Name',
  description: 'Description',
  active: 'Active',
  ownerOnly: 'Only its creator',
  roles: 'Who may use it',
  customerMessage: 'Message to the customer',
};

export async function readTemplate(db: Db, id: number, lock?: 'lock'): Promise<TemplateEdit> {
  const query = db
    .selectFrom('quote_template')
    .select(['id', 'name', 'description', 'active', 'owner_only as ownerOnly', 'version'])
    .select(['customer_message as customerMessage', sql<Role[]>`allowed_roles`.as('allowedRoles')])
    .where('id', '=', id);
  const template = await oneRecord('quoteTemplate', query, lock);
  const lines = (await linesOfTemplates(db, [id])).get(id) ?? [];
  return {
    ...template,
    items: lines.map((line) => ({
      type: line.type,
      itemId: line.itemId,
      itemNumber: line.itemNumber,
      description: line.words,
      itemDescription: line.facts?.description ?? '',
      qty: line.qty,
      unit: line.unit,
      units: line.facts?.units.map(({ unit }) => unit) ?? [],
      problem: itemProblem(line.facts, line.unit, line.type),
    })),
  };
}

type Given = Omit<TemplateEdit, 'items' | 'version' | 'id'> & { items: (TemplateLineInput | TemplateLine)[] };

/**
 * Writes a template and its history, and its lines only when they differ. Throws 409 when another user has changed it. Throws 422 for a name already
 * in use or for lines that a quote cannot contain, unless they are among the earlier lines in `known`.
 */
export async function saveTemplate(
  db: Db,
  user: { id: number; fullName: string },
  before: TemplateEdit | null,
  input: Given,
  version: number | undefined,
  known: readonly TemplateLine[] = before?.items ?? [],
): Promise<TemplateEdit> {
  if (before) await requireFresh(db, 'quoteTemplate', before, version);
  const items = await checkedLines(db, input.items, known);
  const owner = await ownerOf(db, before, user);
  if (input.ownerOnly && owner === null) {
    throw invalid([{ path: 'ownerOnly', message: 'The creator of this template is not known.' }]);
  }
  // Names are unique among the shared templates, and among each user's own.
  const among = input.ownerOnly ? sql`owner_only and created_by = ${owner}` : sql`not owner_only`;
  const wrong = await wrongName(db, 'quoteTemplate', { id: before?.id ?? 0, name: input.name }, among);
  if (wrong.length > 0) throw invalid(wrong);

  const columns = {
    name: input.name,
    description: input.description,
    active: input.active,
    owner_only: input.ownerOnly,
    allowed_roles: input.ownerOnly ? [] : input.allowedRoles,
    customer_message: input.customerMessage,
  };
  const wanted = historyWords({ ...input, allowedRoles: columns.allowed_roles });
  const sameLines = before !== null && linesChanged(before.items, items).length === 0;
  if (sameLines && changesBetween(historyWords(before), wanted, LABELS).length === 0) return before;
  const values = before ? { ...columns, changed_at: sql<string>`now()` } : { ...columns, created_by: user.id };
  return saveRecord({ db, user }, TEMPLATE, before, values, {
    ...(sameLines ? {} : { parts: (id) => writeTemplateLines(db, id, items) }),
    comment: before ? '' : `${items.length} ${items.length === 1 ? 'line' : 'lines'}`,
  });
}

const TEMPLATE: RecordKind<TemplateEdit, 'quoteTemplate'> = {
  type: 'quoteTemplate',
  read: readTemplate,
  nameOf: ({ name }) => name,
  changes: (before, after) =>
    before
      ? [
          ...changesBetween(historyWords(before), historyWords(after), LABELS),
          ...linesChanged(before.items, after.items),
        ]
      : [],
};

function historyWords(template: Omit<Given, 'items'> | null) {
  if (!template) return {};
  return { ...template, roles: template.allowedRoles.map((role) => ROLE_LABELS[role]).join(', ') || 'Everyone' };
}

type Line = Omit<TemplateLine, 'itemDescription' | 'units' | 'problem'>;

function linesChanged(before: readonly Line[], after: readonly Line[]): FieldChange[] {
  const core = (lines: readonly Line[]) =>
    JSON.stringify(lines.map(({ type, itemId, description, qty, unit }) => [type, itemId, description, qty, unit]));
  if (core(before) === core(after)) return [];
  return [{ field: 'Lines', before: linesApart(before, after), after: linesApart(after, before) }];
}

/** The lines to store. Units are spelled as on the item, and an item line keeps a description only if it differs from the item's. */
async function checkedLines(db: Db, input: Given['items'], known: readonly TemplateLine[]): Promise<Line[]> {
  const items: ItemFactsById = new Map();
  await loadMissingItems(
    db,
    items,
    input.map(({ itemId }) => itemId),
  );
  const before = new Set(known.map(({ itemId, unit }) => `${itemId} ${unit}`));
  const errors: FieldError[] = [];
  const lines = input.map((line, index): Line => {
    const { type, description } = line;
    if (type !== 'item') return { type, itemId: null, itemNumber: '', description, qty: 1, unit: '' };
    const facts = items.get(line.itemId ?? 0);
    const wanted = line.unit || (facts?.base_unit ?? '');
    const unit =
      facts?.units.find((candidate) => candidate.unit.toLowerCase() === wanted.toLowerCase())?.unit ?? wanted;
    const problem = itemProblem(facts, unit, type);
    if (!facts || (problem && !before.has(`${facts.id} ${unit}`))) {
      const field = facts && !notOffered(facts) ? 'unit' : 'itemId';
      errors.push({ path: `items.${index}.${field}`, message: problem });
    }
    const words = description === facts?.description ? '' : description;
    return {
      type,
      itemId: line.itemId ?? null,
      itemNumber: facts?.item_number ?? '',
      description: words,
      qty: line.qty,
      unit,
    };
  });
  if (errors.length > 0) throw invalid(errors);
  return lines;
}

function itemProblem(facts: ItemFacts | undefined, unit: string, type: TemplateLine['type']): string {
  return type === 'item' ? notAddable(facts, unit) : '';
}

async function writeTemplateLines(db: Db, templateId: number, lines: readonly Line[]): Promise<void> {
  await db.deleteFrom('quote_template_item').where('template_id', '=', templateId).execute();
  if (lines.length === 0) return;
  await db
    .insertInto('quote_template_item')
    .values(
      lines.map((line, position) => ({
        template_id: templateId,
        position,
        type: line.type,
        item_id: line.itemId,
        description: line.description,
        qty: line.qty,
        unit: line.unit,
      })),
    )
    .execute();
}

async function ownerOf(db: Db, before: TemplateEdit | null, user: { id: number }): Promise<number | null> {
  if (!before) return user.id;
  const { created_by: owner } = await db
    .selectFrom('quote_template')
    .select('created_by')
    .where('id', '=', before.id)
    .executeTakeFirstOrThrow();
  return owner;
}
