// Boards of two people on a quote, as their browsers hold them, against a real server.
import type { Endpoint, InputOf, OutputOf } from '#platform/api/endpoint.ts';
import { HttpError, type Problem } from '#platform/api/http-error.ts';
import { type BoardStore, boardStore } from '#core/quoting/quote-board/state/board-store.ts';
import type { BoardCalls } from '#core/quoting/quote-board/state/held-quote.ts';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from './factories/catalog.server.ts';
import { aSalesOffice } from './factories/people.server.ts';
import type { TestServer } from './test-server.server.ts';

type Who = { id: number };
type Change = (calls: BoardCalls) => Partial<BoardCalls>;

export type BoardStores = Awaited<ReturnType<typeof boardStores>>;

/** An office, a bed, gloves in boxes, and boards on quotes of both. */
export async function boardStores(server: TestServer) {
  const office = await aSalesOffice(server.db);
  const bed = await anItem(server.db, { number: 'BED', price: 6900 });
  const glove = await anItem(server.db, {
    number: 'GLOVE',
    units: { EA: 1, BX: 100 },
    prices: [{ unit: 'BX', price: 9.84 }],
  });

  async function ask<E extends Endpoint>(endpoint: E, input: InputOf<E>, as: Who): Promise<OutputOf<E>> {
    const { status, body } = await server.call(endpoint, input, { as });
    const { detail = '', conflict } = body as Partial<Problem>;
    if (status !== 200) throw new HttpError(status, detail, conflict ? { conflict } : {});
    return body;
  }

  /** Opens a user's board on a quote. */
  async function aBoardOf(
    quoteId: number,
    as: Who,
    change: Change = () => ({}),
    more: Partial<Parameters<typeof boardStore>[0]> = {},
  ) {
    const calls: BoardCalls = {
      read: () => ask(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quoteId }, as),
      readChanges: (since) => ask(QuoteEdit.GetQuoteChanges, { quoteId, since, internal: true }, as),
      readActivity: () => ask(QuoteEdit.GetQuoteActivity, { quoteId, internal: true }, as),
      saveQuote: (input) => ask(QuoteEdit.SaveSalesRepQuote, input, as),
      saveLine: (input) => ask(QuoteEdit.SaveQuoteItem, input, as),
      applyPromotion: (input) => ask(QuoteEdit.ApplyPromotionToQuoteItem, input, as),
      addTemplate: (input) => ask(QuoteEdit.SaveQuoteTemplateForQuote, input, as),
      useFacilityValues: (input) => ask(QuoteEdit.UseFacilityValues, input, as),
    };
    const store = boardStore({
      quoteId,
      view: 'internal',
      calls: { ...calls, ...change(calls) },
      keep: () => {},
      ...more,
    });
    await store.reload();
    return store;
  }

  /** Makes a quote of a bed and a box of gloves, and opens the board of an internal user on it. */
  async function opened(change?: Change) {
    const created = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      {
        quote: { facilityId: office.facility.id },
        items: [
          { itemId: bed.id, qty: 1 },
          { itemId: glove.id, qty: 2, unit: 'BX' },
        ],
      },
      { as: office.inside },
    );
    return { quoteId: created.quote.id, store: await aBoardOf(created.quote.id, office.inside, change) };
  }

  /** The same fields as stored on the server. */
  const storedOf = async (quoteId: number) => seenOn(await aBoardOf(quoteId, office.inside));

  return { office, bed, glove, ask, aBoardOf, opened, storedOf };
}

export const boardOf = (store: BoardStore) => {
  const { board } = store.snapshot();
  if (!board) throw new Error('the quote is read');
  return board;
};
export const line = (store: BoardStore, at: number): QuoteItem => {
  const item = boardOf(store).items[at];
  if (!item) throw new Error(`there is a line ${at}`);
  return item;
};
/** The visible lines and some fields of the quote. */
export const seenOn = (store: BoardStore) => {
  const { items, quote } = boardOf(store);
  return {
    lines: items.map(({ itemNumber, description, qty, unit, notes, unitPrice, priceReason, optional, promotionId }) =>
      [itemNumber, description, qty, unit, notes, unitPrice, priceReason, optional, promotionId].join(' | '),
    ),
    quote: [quote.poNumber, quote.discountPct, quote.totalAmount],
  };
};
