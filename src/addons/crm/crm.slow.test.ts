// Tests that users do not wait long for a Salesforce that does not answer.
import { expect, it } from 'vitest';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startSalesforce } from '#testing/salesforce.server.ts';
import { startTestServer } from '#testing/test-server.server.ts';
import { Crm, QuoteCrm } from './crm.contract.ts';

it('exactly one opportunity when the CRM is slow, which makes nobody wait longer than a few seconds', async () => {
  const server = await startTestServer({ config: { reach: { networks: [], loopback: true } } });
  const salesforce = await startSalesforce();
  try {
    const admin = await aUser(server.db, { roles: ['systemadmin'] });
    const { facility, cs } = await aSalesOffice(server.db);
    const item = await anItem(server.db, { number: 'GLOVE-1', price: 10 });
    salesforce.add('Account', { Name: 'Clinic', AccountNumber: facility.acctNo });
    salesforce.add('PricebookEntry', { ProductCode: 'GLOVE-1' });
    const { address, clientId, clientSecret: secret } = salesforce;
    const { connection } = await server.ok(Crm.GetCrmSettings, {}, { as: admin });
    const { hasSecret: _has, ...stored } = connection;
    await server.ok(Crm.SaveCrmConnection, { ...stored, address, clientId, secret }, { as: admin });
    const { quote } = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: 0, facilityId: facility.id }, items: [{ id: 0, itemId: item.id, qty: 1 }] },
      { as: cs },
    );

    salesforce.fail(/GET/, 'hang');
    const start = performance.now();
    const answer = await server.call(QuoteCrm.AddQuoteAsOppotunity, { id: quote.id }, { as: cs });
    expect(answer).toMatchObject({ status: 202, body: { state: 'Waiting' } });
    expect(performance.now() - start).toBeLessThan(10_000);
    server.setNow(new Date(Date.now() + 60_000).toISOString());
    await server.drain();
    expect((await server.ok(QuoteCrm.GetQuoteCrm, { id: quote.id }, { as: cs })).opportunity?.state).toBe('Pushed');
    expect(salesforce.rows('Opportunity')).toHaveLength(1);
  } finally {
    await salesforce.close();
    await server.close();
  }
});
