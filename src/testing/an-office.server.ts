// A server with a sales office whose people write quotes.
import { QuoteEdit, type QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import type { QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { aSalesOffice } from './factories/people.server.ts';
import { asJustRead } from './factories/quotes.server.ts';
import { startTestServer } from './test-server.server.ts';

type Who = { id: number };

/** The server's date is November 21, 2026. Close the server after the tests. */
export async function startOffice() {
  const server = await startTestServer();
  server.setNow('2026-11-21T15:00:00Z');
  const office = await aSalesOffice(server.db);
  return {
    server,
    office,
    aDraft: (items: QuoteItemInput[] = [], as: Who = office.rep): Promise<QuoteEditData> =>
      server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { facilityId: office.facility.id }, items }, { as }),
    /** Saves a quote, or changes to it, at its stored version. */
    save: async (input: Record<string, unknown>, as: Who = office.rep) =>
      server.call(QuoteEdit.SaveSalesRepQuote, await asJustRead(server.db, input), { as }),
    /** Saves a line at its stored version. */
    put: async (quoteId: number, line: Record<string, unknown>, as: Who = office.rep) =>
      server.call(QuoteEdit.SaveQuoteItem, await asJustRead(server.db, { quoteId, ...line }), { as }),
    read: (id: number, as: Who = office.inside) =>
      server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id }, { as }),
  };
}
