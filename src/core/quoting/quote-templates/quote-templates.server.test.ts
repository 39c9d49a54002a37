// Tests quote templates over HTTP: lines, permissions, concurrent saves, saving a quote as a template.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem, aQuoteTemplate } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteTemplates } from './quote-templates.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
});
afterAll(() => server.close());

type Refusal = { errors?: { path: string; message: string }[]; detail?: string };

it('a template is made, its lines added, ordered and removed; the list, the export and the history show it', async () => {
  const [first, two] = [await anItem(server.db, { number: 'TPL-1' }), await anItem(server.db, { number: 'TPL-2' })];
  const blank = await server.ok(QuoteTemplates.GetQuoteTemplateForEdit, {}, { as: admin });
  expect(blank).toMatchObject({ template: { id: 0, items: [] }, quotes: 0 });
  const created = await server.ok(
    QuoteTemplates.SaveQuoteTemplate,
    { name: 'Ward set', allowedRoles: ['salesrep'], items: [{ itemId: first.id, qty: 4 }] },
    { as: admin },
  );
  expect(created.items).toMatchObject([{ itemNumber: 'TPL-1', qty: 4, unit: 'EA', problem: '' }]);
  const head = await server.ok(
    QuoteTemplates.InsertQuoteTemplateItem,
    { templateId: created.id, item: { type: 'section', description: 'Beds' }, position: 1, version: created.version },
    { as: admin },
  );
  const longer = await server.ok(
    QuoteTemplates.InsertQuoteTemplateItem,
    { templateId: created.id, item: { itemId: two.id, qty: 0.5 }, version: head.version },
    { as: admin },
  );
  expect(longer.items.map((line) => line.itemNumber || line.description)).toEqual(['Beds', 'TPL-1', 'TPL-2']);
  expect(longer.version).toBe(head.version + 1);
  const turned = await server.ok(
    QuoteTemplates.UpdateQuoteTemplateItems,
    { templateId: created.id, items: [longer.items[2] ?? {}, longer.items[1] ?? {}], version: longer.version },
    { as: admin },
  );
  expect(turned.items.map(({ itemNumber }) => itemNumber)).toEqual(['TPL-2', 'TPL-1']);

  const result = await server.ok(QuoteTemplates.SearchQuoteTemplates, { keyword: 'ward' }, { as: admin });
  expect(result).toMatchObject({
    total: 1,
    records: [{ lines: 2, quotes: 0, allowedRoles: ['salesrep'], active: true }],
  });
  const csv = await server.call(QuoteTemplates.ExportQuoteTemplates, { keyword: 'ward' }, { as: admin });
  expect(csv.bytes.toString('utf8')).toContain('Ward set,,yes,2,Sales representative,0,');
  const history = await server.ok(History.GetHistory, { type: 'quoteTemplate', id: created.id }, { as: admin });
  expect(history).toMatchObject([
    { action: 'Edit', changes: [{ field: 'Lines', before: 'Section Beds', after: '' }] },
    { action: 'Edit', changes: [{ field: 'Lines', before: '', after: '0.5 EA TPL-2' }] },
    { action: 'Edit', changes: [{ field: 'Lines', before: '', after: 'Section Beds' }] },
    { action: 'Create', actor: 'Ada Admin' },
  ]);

  const copy = await server.ok(QuoteTemplates.DuplicateQuoteTemplate, { id: created.id }, { as: admin });
  expect(copy).toMatchObject({ name: 'Copy of Ward set', active: false, items: [{ qty: 0.5 }, { qty: 4 }] });
  const again = await server.ok(QuoteTemplates.DuplicateQuoteTemplate, { id: created.id }, { as: admin });
  expect(again.name).toBe('Copy of Ward set (2)');
});

it('a line that no quote can take is refused; an existing line whose item is discontinued stays and says so', async () => {
  const { db } = server;
  const item = await anItem(db, { number: 'TPL-GONE' });
  const { id } = await aQuoteTemplate(db, { lines: [{ itemId: item.id, unit: 'EA' }] });
  await db.updateTable('item').set({ status: 'Discontinued' }).where('id', '=', item.id).execute();
  const { template } = await server.ok(QuoteTemplates.GetQuoteTemplateForEdit, { id }, { as: admin });
  expect(template.items[0]?.problem).toBe('TPL-GONE is discontinued and cannot be added.');
  const stored = await server.ok(QuoteTemplates.SaveQuoteTemplate, { ...template, description: 'Kept' }, { as: admin });
  expect(stored.items).toHaveLength(1);
  const refused = async (input: object) =>
    (
      (await server.call(QuoteTemplates.SaveQuoteTemplate, { name: 'Refused', ...input }, { as: admin }))
        .body as Refusal
    ).errors?.[0]?.path;
  const sold = await anItem(db);
  expect(await refused({ items: [{ itemId: item.id }] })).toBe('items.0.itemId');
  expect(await refused({ items: [{ itemId: sold.id }, { itemId: 999_999 }] })).toBe('items.1.itemId');
  expect(await refused({ items: [{ itemId: sold.id, unit: 'XX' }] })).toBe('items.0.unit');
  expect(await refused({ items: [{ itemId: sold.id, qty: 0 }] })).toBe('items.0.qty');
  expect(await refused({ items: [{ type: 'section', description: ' ' }] })).toBe('items.0.description');
  expect(await refused({ name: template.name.toUpperCase() })).toBe('name');
  expect(await refused({ items: Array.from({ length: 501 }, () => ({ itemId: sold.id })) })).toBe('items');
  const full = { name: 'Full', items: Array.from({ length: 500 }, () => ({ itemId: sold.id })) };
  expect((await server.ok(QuoteTemplates.SaveQuoteTemplate, full, { as: admin })).items).toHaveLength(500);
});

it('a line whose unit is gone is marked and left out, and comes back with its unit', async () => {
  const { db } = server;
  const [pad, glove] = [await anItem(db, { units: { EA: 1, CS: 10 } }), await anItem(db)];
  const { id, name } = await aQuoteTemplate(db, {
    lines: [
      { itemId: pad.id, qty: 2, unit: 'cs' },
      { itemId: glove.id, unit: 'EA' },
    ],
  });
  const office = await aUser(db, { roles: ['csrep'] });
  const quote = await aQuote(db, { ownerId: office.id, statusId: 'Editing' });
  const use = async (items?: { itemId: number; qty: number }[]) => {
    const input = { quoteId: quote.id, templateId: id, ...(items ? { items } : {}) };
    const answer = await server.call(QuoteEdit.SaveQuoteTemplateForQuote, input, { as: office });
    return answer.status === 200 ? answer.body.items.map(({ itemId, unit }) => [itemId, unit]) : answer.body;
  };
  const gone = async () =>
    (await server.ok(QuoteEdit.GetQuoteTemplateForQuote, { keyword: name }, { as: office }))[0]?.items.map(
      (line) => line.gone,
    );
  await db
    .updateTable('item_unit')
    .set({ unit: 'BX' })
    .where('item_id', '=', pad.id)
    .where('unit', '=', 'CS')
    .execute();
  expect(await gone()).toEqual([true, false]);
  expect(await use()).toEqual([[glove.id, 'EA']]);
  expect(await use([{ itemId: pad.id, qty: 1 }])).toMatchObject({
    errors: [{ path: 'items.0.itemId', message: `${pad.itemNumber} is not sold by cs. Its units: EA, BX.` }],
  });
  await db
    .updateTable('item_unit')
    .set({ unit: 'CS' })
    .where('item_id', '=', pad.id)
    .where('unit', '=', 'BX')
    .execute();
  expect(await gone()).toEqual([false, false]);
});

it('a text longer than that of a quote line is refused; a stored one stays readable and is not added to a quote', async () => {
  const { db } = server;
  const item = await anItem(db);
  const { id, name } = await aQuoteTemplate(db, { lines: [{ itemId: item.id }, { section: 'x'.repeat(1_001) }] });
  const { template } = await server.ok(QuoteTemplates.GetQuoteTemplateForEdit, { id }, { as: admin });
  expect(template.items[1]?.description).toHaveLength(1_001);
  const save = (description: string) => {
    const items = template.items.map((line) => (line.type === 'section' ? { ...line, description } : line));
    return server.call(QuoteTemplates.SaveQuoteTemplate, { ...template, items }, { as: admin });
  };
  const refusal = (await save('x'.repeat(1_001))).body as Refusal;
  expect(refusal.errors?.[0]?.path).toBe('items.1.description');
  const quote = await aQuote(db, { statusId: 'Editing' });
  const use = () =>
    server.call(QuoteEdit.SaveQuoteTemplateForQuote, { quoteId: quote.id, templateId: id }, { as: admin });
  const refused = await use();
  expect([refused.status, (refused.body as Refusal).detail]).toEqual([
    422,
    `Line 2 of the template ${name} has more than 1,000 characters. Shorten it there first.`,
  ]);
  expect((await save('x'.repeat(1_000))).status).toBe(200);
  expect((await use()).status).toBe(200);
});

it('the second of two administrators learns what the first changed', async () => {
  const item = await anItem(server.db, { number: 'TPL-BOTH' });
  const created = await server.ok(QuoteTemplates.SaveQuoteTemplate, { name: 'Contested' }, { as: admin });
  const other = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
  const items = [{ itemId: item.id, qty: 2 }];
  await server.ok(QuoteTemplates.SaveQuoteTemplate, { ...created, items }, { as: other });
  const late = await server.call(QuoteTemplates.SaveQuoteTemplate, { ...created, name: 'Late' }, { as: admin });
  expect(late).toMatchObject({
    status: 409,
    body: {
      detail: "Bea Boss changed this quote template while you were editing it: Lines from '' to '2 EA TPL-BOTH'.",
      conflict: { current: { name: 'Contested', items: [{ itemNumber: 'TPL-BOTH' }], version: created.version + 1 } },
    },
  });
});

it('a template is found and added only by those who may use it, and brings its message', async () => {
  const { db } = server;
  const rep = await aUser(db, { roles: ['salesrep'] });
  const cs = await aUser(db, { roles: ['csrep'] });
  const item = await anItem(db);
  const input = { customerMessage: 'Beds come assembled.', items: [{ itemId: item.id, qty: 3 }] };
  const created = await server.ok(
    QuoteTemplates.SaveQuoteTemplate,
    { name: 'For service', allowedRoles: ['csrep'], ...input },
    { as: admin },
  );
  const seen = async (as: { id: number }) =>
    (await server.ok(QuoteEdit.GetQuoteTemplateForQuote, { keyword: 'for service' }, { as })).map(({ id }) => id);
  expect(await seen(cs)).toEqual([created.id]);
  expect(await seen(rep)).toEqual([]);
  const quote = await aQuote(db, { ownerId: rep.id });
  const use = { quoteId: quote.id, templateId: created.id };
  expect((await server.call(QuoteEdit.SaveQuoteTemplateForQuote, use, { as: rep })).status).toBe(404);
  await server.ok(QuoteTemplates.SaveQuoteTemplate, { ...created, allowedRoles: [] }, { as: admin });
  const used = await server.ok(QuoteEdit.SaveQuoteTemplateForQuote, use, { as: rep });
  expect(used).toMatchObject({ quote: { customerMessage: 'Beds come assembled.' }, items: [{ qty: 3 }] });
  const { quotes } = await server.ok(QuoteTemplates.GetQuoteTemplateForEdit, { id: created.id }, { as: admin });
  expect(quotes).toBe(1);
});

it('a quote saved as a template keeps items, quantities and sections; a representative’s own template is private', async () => {
  const { db } = server;
  const rep = await aUser(db, { roles: ['salesrep'] });
  const colleague = await aUser(db, { roles: ['salesrep'] });
  const item = await anItem(db, { number: 'TPL-Q', price: 12 });
  const quote = await aQuote(db, { ownerId: rep.id });
  const save = (name: string, as: { id: number }, more: object = {}) =>
    server.call(QuoteTemplates.SaveQuoteAsTemplate, { quoteId: quote.id, name, ...more }, { as });
  expect((await save('Nothing yet', rep)).status).toBe(422);
  await db
    .insertInto('quote_item')
    .values([
      { quote_id: quote.id, line_no: 1, type: 'section', description: 'Ward' },
      { quote_id: quote.id, line_no: 2, type: 'item', item_id: item.id, item_number: 'TPL-Q', qty: 7, unit: 'EA' },
      { quote_id: quote.id, line_no: 3, type: 'custom', description: 'Made to measure', qty: 1, unit: 'EA' },
    ])
    .execute();
  expect(await save('My ward', rep)).toMatchObject({ status: 200, body: { lines: 2, leftOut: 1 } });
  expect((await save('My ward', rep)).status).toBe(422);
  expect((await save('For all', rep, { forEverybody: true })).status).toBe(403);
  expect((await save('Not seen', colleague)).status).toBe(404);
  const seen = (as: { id: number }) => server.ok(QuoteEdit.GetQuoteTemplateForQuote, { keyword: 'my ward' }, { as });
  expect(await seen(rep)).toMatchObject([{ items: [{ description: 'Ward' }, { itemNumber: 'TPL-Q', qty: 7 }] }]);
  expect(await seen(colleague)).toEqual([]);
});

it('a save without a field leaves it as it was', async () => {
  const item = await anItem(server.db, { number: 'TPL-KEPT' });
  const make = (name: string, overrides: object) =>
    server.ok(
      QuoteTemplates.SaveQuoteTemplate,
      {
        name,
        description: 'Words',
        active: false,
        customerMessage: 'Hello',
        items: [{ itemId: item.id }],
        ...overrides,
      },
      { as: admin },
    );
  for (const created of [
    await make('Kept for service', { allowedRoles: ['csrep'] }),
    await make('Kept to myself', { ownerOnly: true }),
  ]) {
    const name = `${created.name}, renamed`;
    const input = { id: created.id, name, version: created.version };
    const saved = await server.ok(QuoteTemplates.SaveQuoteTemplate, input, { as: admin });
    expect(saved).toEqual({ ...created, name, version: 2 });
  }
  const { id } = await make('Ended', { ownerOnly: true });
  const renamed = { id, name: 'Ended long ago', version: 1 };
  expect(await server.ok(QuoteTemplates.ChangeOwnQuoteTemplate, renamed, { as: admin })).toMatchObject({
    name: 'Ended long ago',
    active: false,
  });
});

it('only administrators maintain templates, and an unknown one is not found', async () => {
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  expect((await server.call(QuoteTemplates.SearchQuoteTemplates, {}, { as: rep })).status).toBe(403);
  expect((await server.call(QuoteTemplates.SaveQuoteTemplate, { name: 'No' }, { as: rep })).status).toBe(403);
  expect((await server.call(QuoteTemplates.SaveQuoteTemplate, { name: 'No' })).status).toBe(401);
  expect((await server.call(QuoteTemplates.GetQuoteTemplateForEdit, { id: 999_999 }, { as: admin })).status).toBe(404);
  const gone = { templateId: 999_999, items: [], version: 1 };
  expect((await server.call(QuoteTemplates.UpdateQuoteTemplateItems, gone, { as: admin })).status).toBe(404);
  const reader = await aUser(server.db, { roles: ['contractdept'] });
  const save = { quoteId: 1, name: 'No' };
  expect((await server.call(QuoteTemplates.SaveQuoteAsTemplate, save, { as: reader })).status).toBe(403);
});

it('a representative renames and ends their own template, and nobody else’s', async () => {
  const rep = await aUser(server.db, { roles: ['salesrep'], fullName: 'Rita Rep' });
  const other = await aUser(server.db, { roles: ['salesrep'] });
  const item = await anItem(server.db, { number: 'OWN-1' });
  const line = { type: 'item' as const, itemId: item.id, qty: 2 };
  const make = (name: string, as: { id: number }, ownerOnly: boolean) =>
    server.db
      .insertInto('quote_template')
      .values({ name, owner_only: ownerOnly, created_by: as.id })
      .returning('id')
      .executeTakeFirstOrThrow();
  const [own, second] = [await make('Own A', rep, true), await make('Own B', rep, true)];
  await server.db
    .insertInto('quote_template_item')
    .values({ template_id: own.id, position: 1, item_id: line.itemId, qty: line.qty, unit: 'EA' })
    .execute();
  const [theirs, shared] = [await make('Theirs', other, true), await make('Shared by all', rep, false)];
  const change = (input: { id: number; name: string; active?: boolean; version?: number }, as: { id: number } = rep) =>
    server.call(QuoteTemplates.ChangeOwnQuoteTemplate, input, { as });
  const offered = async (as: { id: number }) =>
    (await server.ok(QuoteEdit.GetQuoteTemplateForQuote, {}, { as }))
      .filter(({ id }) => [own.id, second.id, theirs.id, shared.id].includes(id))
      .map(({ name, own: mine, items }) => [name, mine, items.length]);

  expect((await change({ id: own.id, name: 'Own, renamed', version: 1 })).body).toMatchObject({
    version: 2,
    active: true,
  });
  expect(await offered(rep)).toEqual([
    ['Own B', true, 0],
    ['Own, renamed', true, 1],
    ['Shared by all', false, 0],
  ]);
  expect((await change({ id: own.id, name: 'Own again', version: 1 })).status).toBe(409);
  expect((await change({ id: own.id, name: 'own b', version: 2 })).body as unknown as Refusal).toMatchObject({
    errors: [{ path: 'name', message: 'A quote template named own b already exists.' }],
  });
  expect((await change({ id: theirs.id, name: 'Mine now', version: 1 })).status).toBe(404);
  expect((await change({ id: own.id, name: 'Mine now', version: 2 }, other)).status).toBe(404);
  // Even an administrator cannot change another user's template with this call.
  expect((await change({ id: own.id, name: 'Mine now', version: 2 }, admin)).status).not.toBe(200);
  expect((await change({ id: shared.id, name: 'Mine now', version: 1 })).status).toBe(403);
  expect((await change({ id: second.id, name: 'Own B', active: false, version: 1 })).status).toBe(200);
  expect(await offered(rep)).toEqual([
    ['Own, renamed', true, 1],
    ['Shared by all', false, 0],
  ]);
  const history = await server.ok(History.GetHistory, { type: 'quoteTemplate', id: own.id }, { as: admin });
  expect(history).toMatchObject([
    { actor: 'Rita Rep', changes: [{ field: 'Name', before: 'Own A', after: 'Own, renamed' }] },
  ]);
});
