// A quote whose price depends on an eligibility request, for tests.
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from './factories/catalog.server.ts';
import { aContract, aContractPrice, anEligibilityRequest, aRosterRow, aTier } from './factories/contracts.server.ts';
import { aSalesOffice } from './factories/people.server.ts';
import type { TestServer } from './test-server.server.ts';

/**
 * 100 boxes for a facility in tier 3 at 38.50. Its letter of commitment is not approved, so tier 1 at 45.00 applies. Tier 2 is at 41.00.
 * The quote waits for a request for tier 3, which allows provisional prices unless the test says otherwise.
 */
export async function aHangingQuote(
  server: TestServer,
  cs: { id: number },
  { allowed = true, onRoster = true }: { allowed?: boolean; onRoster?: boolean } = {},
) {
  const { db } = server;
  const office = await aSalesOffice(db);
  const item = await anItem(db, { units: { EA: 1, BX: 10 }, prices: [{ unit: 'BX', price: 60 }] });
  const contract = await aContract(db, { lines: [{ itemId: item.id, price: 45, unit: 'BX' }] });
  const second = await aTier(db, { contractId: contract.id, no: 2 });
  const third = await aTier(db, {
    contractId: contract.id,
    no: 3,
    needsLoc: true,
    fallbackId: contract.tierId,
    provisional: allowed,
  });
  const lineId = contract.lineIds[0] ?? 0;
  await aContractPrice(db, { lineId, tierId: second.id, price: 41 });
  await aContractPrice(db, { lineId, tierId: third.id, price: 38.5 });
  if (onRoster)
    await aRosterRow(db, {
      contractId: contract.id,
      facilityId: office.facility.id,
      tierId: third.id,
      from: '2026-01-01',
    });
  const result = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: office.facility.id, contactName: 'Pat Buyer', contactEmail: 'b@example.org' },
      items: [{ itemId: item.id, qty: 100, unit: 'BX' }],
    },
    { as: cs },
  );
  const quoteId = result.quote.id;
  const request = await anEligibilityRequest(db, {
    contractId: contract.id,
    tierId: third.id,
    facilityId: office.facility.id,
    by: cs.id,
    quoteIds: [quoteId],
  });
  const board = await server.ok(QuoteEdit.RepriceQuote, { quoteId, version: result.quote.version }, { as: cs });
  return { office, item, contract, second, third, lineId, quoteId, request, made: result, board };
}
