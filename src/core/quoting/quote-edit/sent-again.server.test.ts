// Tests creating a quote over HTTP a second time after the first response was lost.
import { afterAll, describe, expect, test } from 'vitest';
import type { Problem } from '#platform/api/http-error.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { QuoteEdit } from './quote-edit.contract.ts';

const { server, office, aDraft, save } = await startOffice();
afterAll(() => server.close());

describe('a new quote sent again, because its answer was lost,', () => {
  const quotesOf = async (as: { id: number }) =>
    (await server.db.selectFrom('quote').select('id').where('owner_id', '=', as.id).orderBy('id').execute()).map(
      ({ id }) => id,
    );
  const aRep = () => aUser(server.db, { roles: ['salesrep'], fullName: 'Lost Answer' });

  test('returns the one quote in its current state; another key or user makes another one', async () => {
    const [rep, other] = [await aRep(), await aRep()];
    const input = {
      quote: { id: 0, clientKey: 'a-form', facilityId: office.facility.id },
      items: [{ itemId: (await anItem(server.db)).id, qty: 2 }],
    };
    const { body: first, status } = await save(input, rep);
    expect(status).toBe(200);
    await save({ quote: { id: first.quote.id, customerReference: 'RFQ 8' } }, rep);
    const { body: again } = await save(input, rep);
    expect(again.quote).toMatchObject({
      id: first.quote.id,
      num: first.quote.num,
      customerReference: 'RFQ 8',
      version: 2,
    });
    expect(again.items).toHaveLength(1);
    expect(await quotesOf(rep)).toEqual([first.quote.id]);
    // The repeated request does not use a number.
    const { body: next } = await save({ quote: { ...input.quote, clientKey: 'another-form' } }, rep);
    expect(next.quote.num).toBe(first.quote.num + 1);
    const { body: theirs } = await save(input, other);
    expect(theirs.quote.id).not.toBe(first.quote.id);
    expect(await quotesOf(other)).toEqual([theirs.quote.id]);
  });

  test('is refused when it asks for something else under the same key, and names the quote', async () => {
    const [rep, item] = [await aRep(), await anItem(server.db)];
    const facility = await aFacility(server.db);
    const quote = { id: 0, clientKey: 'PO 7', facilityId: office.facility.id };
    const items = [{ itemId: item.id, qty: 2, clientKey: 'first try' }];
    const { body: first } = await save({ quote, items }, rep);
    expect((await save({ quote, items: [{ itemId: item.id, qty: 2, clientKey: 'second try' }] }, rep)).status).toBe(
      200,
    );
    for (const other of [
      { quote: { ...quote, facilityId: facility.id }, items },
      { quote, items: [{ itemId: item.id, qty: 3 }] },
      { quote },
    ]) {
      const { status, body } = await save(other, rep);
      expect([status, (body as unknown as Problem).detail]).toEqual([
        409,
        `This key already created quote ${first.quote.num} with different content. Change that quote, or send another key.`,
      ]);
    }
    expect(await quotesOf(rep)).toEqual([first.quote.id]);
  });

  test('makes one quote even when both requests arrive at once', async () => {
    const rep = await aRep();
    const input = { quote: { id: 0, clientKey: 'twice', facilityId: office.facility.id } };
    const answers = await Promise.all([save(input, rep), save(input, rep), save(input, rep)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.quote.id)).size).toBe(1);
    expect(await quotesOf(rep)).toHaveLength(1);
  });

  test('does not show a quote that has gone out of sight', async () => {
    const rep = await aRep();
    const input = { quote: { id: 0, clientKey: 'taken-over', facilityId: office.facility.id } };
    const { body } = await save(input, rep);
    await server.db
      .updateTable('quote')
      .set({ owner_id: office.rep.id, sales_rep_id: office.rep.id })
      .where('id', '=', body.quote.id)
      .execute();
    expect((await save(input, rep)).status).toBe(404);
  });

  test('makes one quote when it is a copy, too', async () => {
    const rep = await aRep();
    const { quote } = await aDraft([], rep);
    const clone = (clientKey: string) =>
      server.ok(QuoteEdit.CloneQuote, { id: quote.id, prices: 'reprice', clientKey }, { as: rep });
    const first = await clone('a-copy');
    expect((await clone('a-copy')).quote.id).toBe(first.quote.id);
    const input = { id: quote.id, prices: 'keep' as const, clientKey: 'a-copy' };
    expect((await server.call(QuoteEdit.CloneQuote, input, { as: rep })).status).toBe(409);
    expect((await clone('a-second-copy')).quote.id).not.toBe(first.quote.id);
    expect(await quotesOf(rep)).toHaveLength(3);
  });
});

test('lines sent again are named in the order of the call, among lines that others added', async () => {
  const { quote } = await aDraft([]);
  const item = await anItem(server.db);
  const lines = [1, 2].map((qty) => ({ itemId: item.id, qty, clientKey: `line-${qty}` }));
  const { body: first } = await save({ quote: { id: quote.id }, items: lines });
  expect(first.items.map(({ id }) => id)).toEqual(first.savedIds);
  const other = await save({ quote: { id: quote.id }, items: [{ itemId: item.id, qty: 9 }] }, office.inside);
  expect(other.body.savedIds).toEqual([other.body.items.at(-1)?.id]);
  const { body: again } = await save({ quote: { id: quote.id }, items: lines.toReversed() });
  expect(again.items).toHaveLength(3);
  expect(again.savedIds).toEqual(first.savedIds?.toReversed());
  expect((await save({ quote: { id: quote.id, poNumber: 'PO-1' } })).body).not.toHaveProperty('savedIds');
});

test('a line sent again overwrites nothing that others changed in between', async () => {
  const { quote } = await aDraft([]);
  const item = await anItem(server.db);
  const line = { quoteId: quote.id, itemId: item.id, qty: 2, clientKey: 'PO 7, line 1' };
  const send = (input: object, as = office.rep) => server.call(QuoteEdit.SaveQuoteItem, { ...line, ...input }, { as });
  const { item: created } = (await send({})).body;
  // No other user has changed it yet, so its author may still correct it.
  expect((await send({ qty: 3 })).body.item).toMatchObject({ id: created.id, qty: 3, version: 2 });
  expect((await send({ qty: 3 })).body.item).toMatchObject({ id: created.id, version: 2 });
  await send({ id: created.id, version: 2, qty: 9 }, office.inside);
  const again = await send({ qty: 3 });
  expect(again.status).toBe(409);
  expect((again.body as unknown as Problem).detail).toContain(`${office.inside.fullName} changed line 1`);
  expect((await send({ qty: 9 })).body.item).toMatchObject({ id: created.id, qty: 9, version: 3 });
});

test('two new lines of a call have keys of their own', async () => {
  const item = await anItem(server.db);
  const twice = [1, 2].map((qty) => ({ itemId: item.id, qty, clientKey: 'one' }));
  const { status, body } = await save({ quote: { facilityId: office.facility.id }, items: twice });
  expect([status, (body as unknown as Problem).errors]).toEqual([
    422,
    [{ path: 'items.1.clientKey', message: 'Another line in this request has the key one.' }],
  ]);
});
