// Implements the QuoteTemplates calls.
import { sql } from 'kysely';
import type { z } from 'zod';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { holds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { looksOf, shownLook } from '#core/catalog/items/item-look.server.ts';
import { findUniqueName, keptIn } from '#platform/history/record-kit.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { usableBy } from '#core/quoting/quote-edit/make/templates.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { hasRole, type Role } from '#platform/shared/roles.ts';
import {
  MAX_LINES,
  type QuoteTemplates,
  type TemplateCriteria,
  type TemplateEdit,
} from './quote-templates.contract.ts';
import { readTemplate, saveTemplate } from './template-record.server.ts';
import { usersInWords } from './template-words.ts';

const LINES = sql<number>`(select count(*) from quote_template_item i where i.template_id = quote_template.id)`;
const QUOTES = sql<number>`(select count(*) from quote q where q.template_id = quote_template.id)`;
const CREATED_BY = whoDid('quote_template.created_by');

const ORDER = {
  sorts: {
    name: sql`lower(quote_template.name)`,
    active: sql`quote_template.active`,
    lines: LINES,
    quotes: QUOTES,
    changedAt: sql`quote_template.changed_at`,
  },
  key: sql`quote_template.id`,
  first: { field: 'name', dir: 'asc' as const },
};

const BLANK: TemplateEdit = {
  id: 0,
  name: '',
  description: '',
  active: true,
  ownerOnly: false,
  allowedRoles: [],
  customerMessage: '',
  items: [],
  version: 0,
};

export const quoteTemplateAnswers: Answers<typeof QuoteTemplates> = {
  SearchQuoteTemplates: ({ db }, criteria) => pageFrom(templates(db, criteria), criteria, ORDER),

  ExportQuoteTemplates: async ({ db }, criteria) => {
    const rows = await allFrom(templates(db, criteria), criteria.sort, ORDER);
    const heads = ['Template', 'Description', 'Active', 'Lines', 'Who may use it', 'Quotes made from it', 'Changed'];
    return csvAnswer('quote-templates.csv', heads, rows, (row) => [
      row.name,
      row.description,
      row.active ? 'yes' : 'no',
      row.lines,
      usersInWords(row),
      row.quotes,
      row.changedAt.slice(0, 10),
    ]);
  },

  GetQuoteTemplateForEdit: async ({ db, services, user }, { id }) => {
    if (!id) return { template: BLANK, looks: [], createdBy: '', quotes: 0 };
    const template = await readTemplate(db, id);
    const facts = await db
      .selectFrom('quote_template')
      .select([QUOTES.as('quotes'), CREATED_BY.as('createdBy')])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const itemIds = new Set(template.items.flatMap(({ itemId }) => itemId ?? []));
    const looks = [...(await looksOf(db, user, [...itemIds]))].map(([itemId, look]) => ({
      id: itemId,
      ...shownLook(services, user, look),
    }));
    return { template, looks, ...facts };
  },

  SaveQuoteTemplate: async ({ db, user }, input) => {
    const before = input.id === 0 ? null : await readTemplate(db, input.id, 'lock');
    return saveTemplate(db, user, before, keptIn(input, before ?? BLANK), input.version);
  },

  UpdateQuoteTemplateItems: async ({ db, user }, { templateId, items, version }) => {
    const before = await readTemplate(db, templateId, 'lock');
    return saveTemplate(db, user, before, { ...before, items }, version);
  },

  InsertQuoteTemplateItem: async ({ db, user }, { templateId, item, position, version }) => {
    const before = await readTemplate(db, templateId, 'lock');
    const items = before.items.toSpliced((position ?? MAX_LINES + 1) - 1, 0, {
      ...item,
      itemId: item.itemId ?? null,
      itemNumber: '',
      itemDescription: '',
      units: [],
      problem: '',
    });
    return saveTemplate(db, user, before, { ...before, items }, version);
  },

  /** Creates a separate template, which stays inactive until a user activates it. */
  DuplicateQuoteTemplate: async ({ db, user }, { id }) => {
    const from = await readTemplate(db, id);
    const name = await findUniqueName(db, 'quoteTemplate', `Copy of ${from.name}`.slice(0, 90));
    return saveTemplate(db, user, null, { ...from, name, active: false, ownerOnly: false }, undefined, from.items);
  },

  /** Throws 403 for a template that others also use, and 404 for one that this user may not use. */
  ChangeOwnQuoteTemplate: async ({ db, user }, { id, name, active, version }) => {
    const seen = await db
      .selectFrom('quote_template')
      .select(['owner_only as ownerOnly', 'created_by as owner'])
      .where('id', '=', id)
      .where(usableBy(user))
      .executeTakeFirst();
    if (!seen) throw notFound('template');
    if (!seen.ownerOnly || seen.owner !== user.id) {
      throw new HttpError(403, 'Others use this template too. Ask an administrator to change it.');
    }
    const before = await readTemplate(db, id, 'lock');
    return saveTemplate(db, user, before, keptIn({ name, active }, before), version);
  },

  SaveQuoteAsTemplate: async ({ db, user }, { quoteId, name, description, forEverybody }) => {
    if (forEverybody && !hasRole(user, 'systemadmin', 'salesadmin')) {
      throw new HttpError(403, 'Only administrators can share a template with everyone.');
    }
    await requireQuote(db, user, quoteId);
    const lines = await db
      .selectFrom('quote_item')
      .select(['type', 'item_id', 'item_number', 'description', 'qty', 'unit', 'active', 'notes'])
      .select((eb) =>
        eb
          .selectFrom('item')
          .select('item.description')
          .whereRef('item.id', '=', 'quote_item.item_id')
          .as('itemDescription'),
      )
      .where('quote_id', '=', quoteId)
      .orderBy('line_no')
      .orderBy('id')
      .execute();
    const remaining = lines.filter(
      (line) =>
        (line.type === 'item' && line.active && line.item_id !== null && line.qty > 0) ||
        ((line.type === 'section' || line.type === 'note') && line.description !== ''),
    );
    if (!remaining.some(({ type }) => type === 'item')) {
      throw new HttpError(422, 'This quote has no items that can go into a template.');
    }
    if (remaining.length > MAX_LINES) {
      throw new HttpError(422, `A template has at most ${MAX_LINES} lines; this quote has ${remaining.length}.`);
    }
    const items = remaining.map((line) => ({
      type: line.type as 'item' | 'section' | 'note',
      itemId: line.item_id,
      itemNumber: line.item_number,
      description: line.description === line.itemDescription ? '' : line.description,
      itemDescription: line.itemDescription ?? '',
      qty: line.type === 'item' ? line.qty : 1,
      unit: line.type === 'item' ? line.unit : '',
      units: [],
      problem: '',
    }));
    // Items of a quote may no longer be available. The template keeps their lines and marks them.
    const created = await saveTemplate(
      db,
      user,
      null,
      { ...BLANK, name, description, ownerOnly: !forEverybody, items },
      undefined,
      items,
    );
    return { id: created.id, name, lines: items.length, leftOut: lines.length - remaining.length };
  },
};

function templates(db: Db, { keyword, active }: Pick<z.infer<typeof TemplateCriteria>, 'keyword' | 'active'>) {
  let query = db
    .selectFrom('quote_template')
    .select(['id', 'name', 'description', 'active', 'owner_only as ownerOnly', 'changed_at as changedAt'])
    .select([
      sql<Role[]>`quote_template.allowed_roles`.as('allowedRoles'),
      CREATED_BY.as('createdBy'),
      LINES.as('lines'),
      QUOTES.as('quotes'),
    ])
    .$if(typeof active === 'boolean', (all) => all.where('active', '=', active === true));
  for (const word of wordsOf(keyword ?? '')) {
    query = query.where((eb) => eb.or([holds(eb.ref('name'), word), holds(eb.ref('description'), word)]));
  }
  return query;
}
