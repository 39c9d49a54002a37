// Tests that a typed price, or a typed amount off, is always converted from the unit for which it was typed, even when its line is copied.
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { aWorkflow } from '#testing/a-workflow.server.ts';
import { anImporter } from '#testing/an-importer.server.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';
import type { QuoteItemInput } from './quote-item.ts';
import { convertTyped } from './typed-as.server.ts';

const { server, office } = await startOffice();
const { act, send } = aWorkflow(() => server);
const swab = await anItem(server.db, { units: { EA: 1, CS: 3000 }, prices: [{ unit: 'CS', price: 45 }] });
afterAll(() => server.close());

describe('a typed value', () => {
  const UNITS = [
    { unit: 'EA', factor: 1 },
    { unit: 'PK', factor: 3 },
    { unit: 'BX', factor: 50.5 },
    { unit: 'CS', factor: 3000 },
  ];
  const unitName = fc.constantFrom(...UNITS.map(({ unit }) => unit));

  test('is what was typed again in its own unit, after any other units', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999 }),
        unitName,
        fc.array(unitName),
        fc.constantFrom(2 as const, 4 as const),
        fc.constantFrom('manual_price', 'manual_discount_amount'),
        (units, start, way, places, typed) => {
          const values = { manual_price: null, manual_discount_amount: null, typed_as: null, [typed]: units / 10_000 };
          const first = { unit: start, ...values };
          const last = [...way, start].reduce(
            (line, unit) => (unit === line.unit ? line : { unit, ...convertTyped(line, unit, UNITS, places) }),
            first as Parameters<typeof convertTyped>[0],
          );
          expect(last).toEqual(first);
        },
      ),
    );
  });

  test('counts as the line has it once a factor has changed', () => {
    const line = { unit: 'CS', manual_price: 40.1, manual_discount_amount: null, typed_as: null };
    const each = { unit: 'EA', ...convertTyped(line, 'EA', UNITS, 4) };
    const others = UNITS.map((unit) => (unit.unit === 'CS' ? { unit: 'CS', factor: 1000 } : unit));
    expect(convertTyped(each, 'CS', others, 4)).toMatchObject({ manual_price: 13.4, typed_as: { price: 0.0134 } });
  });

  test('has the company’s places in another unit', () => {
    const line = { unit: 'BX', manual_price: 100, manual_discount_amount: null, typed_as: null };
    const per = (places: 2 | 4) => convertTyped(line, 'PK', UNITS, places).manual_price;
    expect([per(2), per(4)]).toEqual([5.94, 5.9406]);
  });
});

describe('40.10 per CS of 3,000', () => {
  const as = office.inside;
  const save = async (quoteId: number, id: number, patch: Partial<QuoteItemInput>) => {
    const { items } = await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quoteId }, { as });
    const version = items.find((item) => item.id === id)?.version ?? 1;
    return (await server.ok(QuoteEdit.SaveQuoteItem, { quoteId, id, version, ...patch }, { as })).item;
  };
  const quoteOf = async (input: Partial<QuoteItemInput>) => {
    const line = { itemId: swab.id, qty: 3000, priceReason: 'Agreed', ...input };
    const quote = { facilityId: office.facility.id };
    const data = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote, items: [line] }, { as });
    return { quote: data.quote, id: data.items[0]?.id ?? 0 };
  };
  const inEaches = async () => {
    const { quote, id } = await quoteOf({ unit: 'CS', unitPrice: 40.1 });
    return { quoteId: quote.id, id, item: await save(quote.id, id, { unit: 'EA' }) };
  };
  const back = { unit: 'CS', unitPrice: 40.1, typedAs: null, priceReason: 'Agreed' };

  test('is 40.10 again after EA, which says what it comes to', async () => {
    const { quoteId, id, item } = await inEaches();
    const typedAs = { price: 40.1, unit: 'CS', atUnitPrice: 40.2 };
    expect(item).toMatchObject({ unitPrice: 0.0134, lineTotal: 40.2, typedAs });
    expect(item.priceProof.find(({ step }) => step === 'Manual')?.note).toMatch(/^Typed as \$40\.10 per CS instead of/);
    expect(await save(quoteId, id, { qty: 6000 })).toMatchObject({ typedAs });
    // A caller may send back what it read.
    const { version, ...same } = await save(quoteId, id, {});
    expect(await save(quoteId, id, same)).toMatchObject({ version, typedAs });
    expect(await save(quoteId, id, { unit: 'CS', qty: 1 })).toMatchObject({ ...back, lineTotal: 40.1 });
  });

  test('is so for an imported item with its unit and price, too', async () => {
    const ada = await anImporter(server);
    await ada.imported('items', 'Item Number,Description,Base Unit\nMIN-41,Swab,EA\n');
    await ada.imported('units', 'Item Number,Unit,Factor\nMIN-41,CS,3000\n');
    await ada.imported('prices', 'Item Number,Unit,Price\nMIN-41,CS,45\n');
    const { id: itemId } = await server.db
      .selectFrom('item')
      .select('id')
      .where('item_number', '=', 'MIN-41')
      .executeTakeFirstOrThrow();
    const { quote, id } = await quoteOf({ itemId, unit: 'CS', qty: 1, unitPrice: 40.1 });
    expect(await save(quote.id, id, { unit: 'EA' })).toMatchObject({ unitPrice: 0.0134, systemPrice: 0.015 });
    expect(await save(quote.id, id, { unit: 'CS' })).toMatchObject({ ...back, systemPrice: 45, lineTotal: 40.1 });
  });

  test('is a new price once another one is typed', async () => {
    const { quoteId, id } = await inEaches();
    expect(await save(quoteId, id, { unitPrice: 0.0135 })).toMatchObject({ typedAs: null });
    expect(await save(quoteId, id, { unit: 'CS' })).toMatchObject({ unitPrice: 40.5 });
  });

  test('stays typed where rounding makes it the system price', async () => {
    const { quote, id } = await quoteOf({ unit: 'CS', unitPrice: 45.01 });
    expect(await save(quote.id, id, { unit: 'EA', priceReason: 'Again' })).toMatchObject({ unitPrice: 0.015 });
    expect(await save(quote.id, id, { unit: 'CS' })).toMatchObject({ unitPrice: 45.01 });
  });

  test('stays through a copy, a revision and its end', async () => {
    const { quoteId, id } = await inEaches();
    const copy = await server.ok(QuoteEdit.CloneQuote, { id: quoteId, prices: 'keep' }, { as });
    expect(await save(copy.quote.id, copy.items[0]?.id ?? 0, { unit: 'CS' })).toMatchObject({ unitPrice: 40.1 });

    const people = { ...office.inside, userName: '' };
    const sent = { status_id: 'Processing', contact_name: 'Ann', contact_email: 'ann@example.org' };
    await server.db.updateTable('quote').set(sent).where('id', '=', quoteId).execute();
    await server.db.updateTable('approval_rule').set({ active: false }).execute();
    expect(await send(quoteId, people)).toMatchObject({ status: 200 });
    expect(await act(quoteId, 'Revise', people, { reason: 'Test' })).toMatchObject({ status: 200 });
    expect(await save(quoteId, id, { unit: 'CS' })).toMatchObject({ unitPrice: 40.1 });
    await save(quoteId, id, { unitPrice: 39 });
    expect(await act(quoteId, 'DiscardRevision', people)).toMatchObject({ status: 200 });
    expect(await act(quoteId, 'Revise', people, { reason: 'Test' })).toMatchObject({ status: 200 });
    expect(await save(quoteId, id, { unit: 'CS' })).toMatchObject({ unitPrice: 40.1 });
  });

  test('counts as pasted per CS for a line in EA, and only where it converts to the price', async () => {
    const typedAs = { price: 40.1, unit: 'CS' };
    const pasted = await quoteOf({ unit: 'EA', unitPrice: 0.0134, typedAs });
    expect(await save(pasted.quote.id, pasted.id, { unit: 'CS' })).toMatchObject({ unitPrice: 40.1 });
    const other = await quoteOf({ unit: 'EA', unitPrice: 0.02, typedAs });
    expect(await save(other.quote.id, other.id, { unit: 'CS' })).toMatchObject({ unitPrice: 60 });
  });
});
