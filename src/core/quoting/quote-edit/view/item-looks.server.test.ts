// Tests that lines show their product's name and the first picture that the user may see, in opened, saved and new quotes and in templates.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuoteTemplates } from '#core/quoting/quote-templates/quote-templates.contract.ts';
import { aFile, anItem, aProduct, aQuoteTemplate } from '#testing/factories/catalog.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function someItems() {
  const { db, services } = server;
  const office = await aSalesOffice(db);
  const picture = async () => (await aFile(db, services.files, { mediaType: 'image/webp' })).id;
  const hiddenFromReps = await anItem(db, { description: 'EXAM GLV NITR M' });
  const draft = await anItem(db, { description: 'DRESSING 4X4' });
  const same = await anItem(db, { description: 'Bed' });
  const plain = await anItem(db);
  const glove = await aProduct(db, {
    itemIds: [hiddenFromReps.id],
    name: 'Softgrip exam glove',
    images: [{ fileId: await picture(), hiddenRoles: ['salesrep'] }],
  });
  const unfinished = await aProduct(db, { itemIds: [draft.id], name: 'Not finished' });
  await db.updateTable('product').set({ status: 'Draft' }).where('id', '=', unfinished.id).execute();
  await aProduct(db, { itemIds: [same.id], name: 'Bed', images: [{ fileId: await picture() }] });
  return { office, items: [hiddenFromReps, draft, same, plain], pictureId: glove.imageIds[0] ?? 0 };
}

const display = (items: { productName: string; imgThumbnailUrl: string | null }[]) =>
  items.map(({ productName, imgThumbnailUrl }) => [productName, imgThumbnailUrl !== null]);

const INSIDE = [
  ['Softgrip exam glove', true],
  // A draft product provides no name yet, and the item's name does not appear twice.
  ['', false],
  ['', true],
  ['', false],
];
const REP = [['Softgrip exam glove', false], ...INSIDE.slice(1)];

test('each reader gets the name, and the picture unless it is hidden from them', async () => {
  const { office, items, pictureId } = await someItems();
  const created = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: 0, facilityId: office.facility.id }, items: items.map(({ id }) => ({ itemId: id, qty: 1 })) },
    { as: office.rep },
  );
  expect(display(created.items)).toEqual(REP);
  const { id } = created.quote;
  expect(
    display((await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id }, { as: office.rep })).items),
  ).toEqual(REP);
  const internal = await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id }, { as: office.inside });
  expect(display(internal.items)).toEqual(INSIDE);
  expect(internal.items[0]?.imgThumbnailUrl).toContain(`/files/images/${pictureId}/160?`);

  const [line] = created.items;
  const saved = await server.ok(
    QuoteEdit.SaveQuoteItem,
    { quoteId: id, id: line?.id ?? 0, version: line?.version ?? 0, qty: 2 },
    { as: office.rep },
  );
  expect(display([saved.item])).toEqual(REP.slice(0, 1));
});

test('so do templates, on a quote and on their own screen', async () => {
  const { office, items } = await someItems();
  const template = await aQuoteTemplate(server.db, {
    lines: items.map(({ id }) => ({ itemId: id, unit: 'EA' })),
  });
  const templatesFor = async (as: { id: number }) =>
    (await server.ok(QuoteEdit.GetQuoteTemplateForQuote, {}, { as })).find(({ id }) => id === template.id)?.items ?? [];
  expect(display(await templatesFor(office.inside))).toEqual(INSIDE);
  expect(display(await templatesFor(office.rep))).toEqual(REP);
  const admin = await aUser(server.db, { roles: ['salesadmin'] });
  const { looks } = await server.ok(QuoteTemplates.GetQuoteTemplateForEdit, { id: template.id }, { as: admin });
  // An item without a product has nothing to show.
  expect(display(looks.toSorted((a, b) => a.id - b.id))).toEqual(INSIDE.slice(0, 3));
});
