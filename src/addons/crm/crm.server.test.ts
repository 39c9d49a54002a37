// Tests pushing quotes to Salesforce over HTTP: one opportunity despite failures, lines, contacts, stages, and a day without the CRM.
import { afterAll, beforeEach, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { type SalesforceFault, startSalesforce, type TestSalesforce } from '#testing/salesforce.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { notifiedKinds } from '#testing/notifications-of.server.ts';
import { Crm, QuoteCrm } from './crm.contract.ts';
import { crmLookJob } from './queue.server.ts';

let server: TestServer;
let salesforce: TestSalesforce;
let admin: { id: number };
let office: Awaited<ReturnType<typeof aSalesOffice>>;
let item: { id: number };
let account: { Id: string };

beforeAll(async () => {
  server = await startTestServer({ config: { reach: { networks: [], loopback: true } } });
  admin = await aUser(server.db, { roles: ['systemadmin'] });
  office = await aSalesOffice(server.db);
  item = await anItem(server.db, { number: 'GLOVE-1', price: 10 });
});
beforeEach(async () => {
  salesforce = await startSalesforce();
  account = salesforce.add('Account', { Name: 'Clinic', AccountNumber: office.facility.acctNo });
  salesforce.add('PricebookEntry', { ProductCode: 'GLOVE-1' });
  await connect();
});
afterEach(async () => {
  server.setNow(null);
  await server.db.deleteFrom('crm_push').execute();
  await salesforce.close();
});
afterAll(() => server.close());

async function connect(more: Record<string, unknown> = {}) {
  const { connection } = await server.ok(Crm.GetCrmSettings, {}, { as: admin });
  const { hasSecret: _has, ...rest } = connection;
  const input = { address: salesforce.address, clientId: salesforce.clientId, secret: salesforce.clientSecret };
  return server.ok(Crm.SaveCrmConnection, { ...rest, ...input, ...more }, { as: admin });
}

async function aQuote(lines = 2): Promise<OutputOf<typeof QuoteEdit.SaveSalesRepQuote>> {
  return server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { id: 0, facilityId: office.facility.id, contactName: 'Pat Q. Buyer', contactEmail: 'Pat@Example.org' },
      items: Array.from({ length: lines }, (_, n) => ({ id: 0, itemId: item.id, qty: n + 1 })),
    },
    { as: office.cs },
  );
}
const push = (id: number) => server.call(QuoteCrm.AddQuoteAsOppotunity, { id }, { as: office.cs });
const pushContact = (id: number) => server.call(QuoteCrm.AddQuoteContactToSalesforce, { id }, { as: office.cs });
const stateOf = async (id: number) => server.ok(QuoteCrm.GetQuoteCrm, { id }, { as: office.cs });
const opportunities = () => salesforce.rows('Opportunity');
const linesOf = (opportunityId: unknown) =>
  salesforce.rows('OpportunityLineItem').filter((line) => line['OpportunityId'] === opportunityId);
/** Moves the clock forward, so that pauses end and the next try is due. */
const later = (minutes: number) => server.setNow(new Date(Date.now() + minutes * 60_000).toISOString());
const setStatus = (id: number, status: string) =>
  server.db.updateTable('quote').set({ status_id: status }).where('id', '=', id).execute();

describe('an opportunity', () => {
  it('is made once, with its lines, and the answer has its address', async () => {
    const { quote } = await aQuote();
    const { status, body } = await push(quote.id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        state: 'Pushed',
        revision: 1,
        crmId: opportunities()[0]?.Id,
        url: `${salesforce.address}/lightning/r/Opportunity/${opportunities()[0]?.Id}/view`,
      },
    });
    expect(opportunities()).toMatchObject([
      { Quote_Number__c: String(quote.num), StageName: 'Value Proposition', AccountId: account.Id, Amount: 30 },
    ]);
    expect(linesOf(body.crmId)).toMatchObject([
      { Quantity: 1, TotalPrice: 10 },
      { Quantity: 2, TotalPrice: 20 },
    ]);
    expect((await stateOf(quote.id)).opportunity).toMatchObject({ state: 'Pushed', crmId: body.crmId, stage: null });
  });

  it('is changed by the next revision; removed lines are deleted, and lines added in the CRM stay', async () => {
    const { quote, items } = await aQuote(3);
    const { body } = await push(quote.id);
    salesforce.add('OpportunityLineItem', {
      OpportunityId: body.crmId,
      Quantity: 1,
      TotalPrice: 5,
      Description: 'Theirs',
    });
    const [first, second] = items;
    await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      {
        quote: { id: quote.id },
        items: [
          { id: first?.id ?? 0, version: first?.version ?? 0, qty: 7 },
          { id: second?.id ?? 0, version: second?.version ?? 0, remove: true },
        ],
      },
      { as: office.cs },
    );
    await server.db.updateTable('quote').set({ revision: 2 }).where('id', '=', quote.id).execute();
    expect((await push(quote.id)).body).toMatchObject({ state: 'Pushed', revision: 2, crmId: body.crmId });
    expect(opportunities()).toHaveLength(1);
    expect(linesOf(body.crmId).map((line) => line['Quantity'])).toEqual([7, 3, 1]);
  });

  it('takes 450 lines in chunks, and a second push duplicates none', async () => {
    const { quote } = await aQuote(450);
    await push(quote.id);
    await push(quote.id);
    expect(linesOf(opportunities()[0]?.Id)).toHaveLength(450);
    expect(salesforce.calls.filter((call) => call.startsWith('PATCH /composite'))).toHaveLength(6);
  });

  it('names all item numbers without a price book entry together, and a missing account', async () => {
    const { quote } = await aQuote(1);
    for (const number of ['NONE-1', 'NONE-2'])
      await server.db
        .insertInto('quote_item')
        .values({ quote_id: quote.id, line_no: 9, item_number: number, qty: 1, unit: 'EA' })
        .execute();
    const missing = await push(quote.id);
    expect(missing).toMatchObject({ status: 422, body: { detail: expect.stringContaining('NONE-1, NONE-2') } });
    salesforce.remove(account.Id);
    expect(await push(quote.id)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(office.facility.acctNo) },
    });
    expect(opportunities()).toHaveLength(0);
  });

  it('is refused in euros while no field of the opportunity gets the currency', async () => {
    const { quote } = await aQuote(1);
    await server.db.updateTable('quote').set({ currn_idx: 1009 }).where('id', '=', quote.id).execute();
    expect(await push(quote.id)).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(/^The quote is in EUR, but no opportunity field is mapped/) },
    });
    expect(opportunities()).toHaveLength(0);
    const row = { object: 'Opportunity', field: 'Currency__c', source: 'currency', constant: '', position: 9 };
    await server.db.insertInto('crm_field').values(row).execute();
    const { status, body } = await push(quote.id);
    await server.db.deleteFrom('crm_field').where('field', '=', 'Currency__c').execute();
    expect([status, body]).toMatchObject([422, { detail: expect.stringContaining('Currency__c') }]);
  });

  it('replaces a line whose product changed, and pushes custom items under one product', async () => {
    const { quote, items } = await aQuote(1);
    const { body } = await push(quote.id);
    await connect({ customItem: 'custom-x' });
    const other = salesforce.add('PricebookEntry', { ProductCode: 'CUSTOM-X' });
    await server.db
      .updateTable('quote_item')
      .set({ type: 'custom', item_number: 'ANY' })
      .where('id', '=', items[0]?.id ?? 0)
      .execute();
    salesforce.rows('PricebookEntry').forEach((entry) => {
      if (entry.Id === other.Id) entry['ProductCode'] = 'custom-x';
    });
    expect((await push(quote.id)).body).toMatchObject({ state: 'Pushed' });
    expect(linesOf(body.crmId)).toMatchObject([{ PricebookEntryId: other.Id }]);
  });
});

describe('freight and tax', () => {
  const withBoth = async () => {
    const { quote, items } = await aQuote(2);
    const more = { freightAmount: 12.5, taxRate: 10 };
    const saved = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id, version: quote.version, ...more }, items: [] },
      { as: office.cs },
    );
    expect(saved.quote).toMatchObject({ totalAmount: 45.5, taxAmount: 3 });
    return { quote: saved.quote, items };
  };

  it('are lines where Amount is the total and custom items have a product, once', async () => {
    await connect({ customItem: 'custom-x' });
    salesforce.add('PricebookEntry', { ProductCode: 'custom-x' });
    const { quote } = await withBoth();
    const { body } = await push(quote.id);
    expect(opportunities()).toMatchObject([{ Amount: 45.5 }]);
    expect(linesOf(body.crmId)).toHaveLength(4);
    await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id, version: quote.version, freightAmount: 0 } },
      { as: office.cs },
    );
    await push(quote.id);
    expect(opportunities()).toMatchObject([{ Amount: 33 }]);
    expect(linesOf(body.crmId)).toHaveLength(3);
    await connect({ customItem: '' });
  });

  it('are left out of Amount without such a product', async () => {
    await connect({ customItem: '' });
    const { quote } = await withBoth();
    await push(quote.id);
    expect(opportunities()).toMatchObject([{ Amount: 30 }]);
  });
});

describe('exactly one opportunity', () => {
  it.each(['drop after', 'late', 500, 'DUPLICATE_VALUE', 'UNABLE_TO_LOCK_ROW'] as SalesforceFault[])(
    'after %s in each call of a push, one after the other',
    async (fault) => {
      const { quote } = await aQuote(3);
      salesforce.fail(/PATCH \/sobjects/, fault);
      salesforce.fail(/PATCH \/composite/, fault);
      const first = await push(quote.id);
      // A late answer still reaches the user who is waiting.
      expect([fault, first.status, first.body.state]).toEqual(
        fault === 'late' ? [fault, 200, 'Pushed'] : [fault, 202, 'Waiting'],
      );
      for (let n = 1; n <= 3; n++) {
        later(n * 20);
        await server.drain();
      }
      expect((await stateOf(quote.id)).opportunity).toMatchObject({ state: 'Pushed' });
      expect(opportunities()).toHaveLength(1);
      expect(linesOf(opportunities()[0]?.Id)).toHaveLength(3);
    },
    20_000,
  );

  it('when several pushes arrive at the same time', async () => {
    const { quote } = await aQuote(2);
    const answers = await Promise.all([push(quote.id), push(quote.id), push(quote.id)]);
    // A push waits for another one that is in progress.
    expect(answers.filter(({ status, body }) => status !== (body.state === 'Waiting' ? 202 : 200))).toEqual([]);
    await server.drain();
    expect((await stateOf(quote.id)).opportunity?.state).toBe('Pushed');
    expect(opportunities()).toHaveLength(1);
    expect(linesOf(opportunities()[0]?.Id)).toHaveLength(2);
  });

  it('when the pushing process died: another one takes over after its lease ends', async () => {
    const { quote } = await aQuote(1);
    const leased_until = new Date(Date.now() + 60_000);
    await server.db.updateTable('crm_connection').set({ lease: 'of a dead process', leased_until }).execute();
    expect(await push(quote.id)).toMatchObject({ status: 202, body: { state: 'Waiting' } });
    await server.drain();
    expect(opportunities()).toHaveLength(0);
    later(2);
    await server.drain();
    expect((await stateOf(quote.id)).opportunity?.state).toBe('Pushed');
  });
});

describe('failures', () => {
  it('a refusal is not retried; the caller and the list get its message, and a retry from the list works', async () => {
    const { quote } = await aQuote(1);
    salesforce.fail(/PATCH \/sobjects/, 'REQUIRED_FIELD_MISSING');
    expect(await push(quote.id)).toMatchObject({
      status: 422,
      body: {
        detail: 'Salesforce rejected the request. It says REQUIRED_FIELD_MISSING. (Name)',
        errors: [{ path: 'Name', message: 'REQUIRED_FIELD_MISSING: It says REQUIRED_FIELD_MISSING' }],
      },
    });
    expect(await notifiedKinds(server.db, office.cs, quote.id)).toEqual(['crmFailing']);
    const calls = salesforce.calls.length;
    later(60);
    await server.drain();
    expect(salesforce.calls).toHaveLength(calls);
    const list = () => server.ok(Crm.SearchCrmPushes, { state: 'Failed', keyword: String(quote.num) }, { as: admin });
    const { records, failed } = await list();
    expect({ records, failed }).toMatchObject({ failed: 1, records: [{ quoteId: quote.id, tries: 1 }] });
    const retry = (id: number) => server.call(Crm.RetryCrmPushes, { id }, { as: admin });
    expect((await retry(records[0]?.id ?? 0)).body).toEqual({ retried: 1 });
    expect((await retry(records[0]?.id ?? 0)).status).toBe(409);
    await server.drain();
    expect((await list()).total).toBe(0);
    expect(opportunities()).toHaveLength(1);
  });

  it('a push fails in the end if a record stays locked; one call retries everything that failed', async () => {
    const { quote } = await aQuote(1);
    salesforce.fail(/PATCH/, ...Array<SalesforceFault>(8).fill('UNABLE_TO_LOCK_ROW'));
    await push(quote.id);
    for (let n = 1; n < 8; n++) {
      later(n * 20);
      await server.drain();
    }
    expect((await stateOf(quote.id)).opportunity).toMatchObject({ state: 'Failed', error: /UNABLE_TO_LOCK_ROW/ });
    expect(await server.ok(Crm.RetryCrmPushes, {}, { as: admin })).toEqual({ retried: 1 });
    await server.drain();
    expect((await stateOf(quote.id)).opportunity?.state).toBe('Pushed');
  });

  it('a 401 leads to a new sign-in', async () => {
    const { quote } = await aQuote(1);
    await push(quote.id);
    salesforce.endTokens();
    expect((await push(quote.id)).body.state).toBe('Pushed');
  });

  it('whatever the CRM refuses at once is an error of the call, by its words; no answer holds an error beside a success', async () => {
    const refusals: [fault: SalesforceFault | 'sign-in', status: number][] = [
      ['sign-in', 409],
      ['REQUEST_LIMIT_EXCEEDED', 409],
      ['REQUIRED_FIELD_MISSING', 422],
    ];
    for (const call of [push, pushContact])
      for (const [fault, status] of refusals) {
        const { quote } = await aQuote(1);
        await connect(fault === 'sign-in' ? { secret: 'wrong' } : {});
        const free = { paused_until: null, pause: '', failures: 0 };
        await server.db.updateTable('crm_connection').set(free).execute();
        if (fault !== 'sign-in') salesforce.fail(/PATCH|POST \/sobjects/, fault);
        const answer = await call(quote.id);
        expect([fault, answer.status, answer.body]).toMatchObject([
          fault,
          status,
          { detail: expect.stringMatching(/Salesforce/) as string, errors: [expect.any(Object)] },
        ]);
        await server.db.updateTable('crm_connection').set(free).execute();
      }
  });

  it('a day without the CRM loses nothing and prevents no save; afterwards the quotes are pushed in order', async () => {
    const quotes: number[] = [];
    salesforce.down(503);
    for (let n = 0; n < 5; n++) {
      const { quote } = await aQuote(1);
      quotes.push(quote.id);
      expect(await push(quote.id)).toMatchObject({ status: 202, body: { state: 'Waiting' } });
    }
    const [first = 0] = quotes;
    for (let hour = 1; hour <= 24; hour++) {
      later(hour * 60);
      await server.drain();
      await setStatus(first, hour % 2 === 0 ? 'Processing' : 'WaitingForProcess');
    }
    // Users are notified once, however long the failure lasts.
    expect(await notifiedKinds(server.db, admin)).toEqual(['crmFailing']);
    expect(salesforce.calls.length).toBeLessThan(80);
    expect(opportunities()).toHaveLength(0);
    salesforce.down(null);
    later(25 * 60);
    await server.drain();
    const nums = await server.db.selectFrom('quote').select('num').where('id', 'in', quotes).orderBy('id').execute();
    expect(opportunities().map((opportunity) => opportunity['Quote_Number__c'])).toEqual(
      nums.map(({ num }) => String(num)),
    );
  });

  it('pushes stop before the daily limit of calls and continue the next day', async () => {
    const noon = new Date(new Date().setUTCHours(12, 0, 0, 0));
    server.setNow(noon.toISOString());
    const { quote } = await aQuote(1);
    salesforce.usage = { used: 899, limit: 1000 };
    await push(quote.id);
    const second = await aQuote(1);
    expect(await push(second.quote.id)).toMatchObject({
      status: 202,
      body: { state: 'Waiting', error: /of the 1000 calls/ },
    });
    const { pause } = await server.ok(Crm.GetCrmSettings, {}, { as: admin });
    expect(pause?.why).toMatch(/of 1000 daily Salesforce API calls are used/);
    salesforce.usage = { used: 0, limit: 1000 };
    server.setNow(new Date(noon.getTime() + 13 * 3_600_000).toISOString());
    await server.drain();
    expect(opportunities()).toHaveLength(2);
  });
});

describe('a person chooses', () => {
  it('which of several opportunities with the number is meant', async () => {
    const { quote } = await aQuote(1);
    const twins = [1, 2].map((n) =>
      salesforce.add('Opportunity', {
        Name: `Twin ${n}`,
        Quote_Number__c: String(quote.num),
        StageName: 'Prospecting',
      }),
    );
    expect(await push(quote.id)).toMatchObject({ status: 409, body: { detail: /2 records of Opportunity/ } });
    const { opportunity } = await stateOf(quote.id);
    expect(opportunity?.choices.map(({ name, hint }) => ({ name, hint }))).toEqual([
      { name: 'Twin 1', hint: 'Prospecting' },
      { name: 'Twin 2', hint: 'Prospecting' },
    ]);
    const pick = (crmId: string) =>
      server.call(QuoteCrm.PickCrmRecord, { quoteId: quote.id, what: 'Opportunity', crmId }, { as: office.cs });
    expect((await pick(account.Id)).status).toBe(409);
    expect((await pick(twins[1]?.Id ?? '')).body).toMatchObject({ state: 'Pushed', crmId: twins[1]?.Id });
    expect((await pick(twins[1]?.Id ?? '')).status).toBe(409);
    expect(opportunities()).toHaveLength(2);
    expect(opportunities()[1]).toMatchObject({ AccountId: account.Id });
  });

  it('which of the similar contacts is meant; none is made automatically', async () => {
    const { quote } = await aQuote(1);
    const similar = salesforce.add('Contact', { LastName: 'Buyer', Email: 'p.buyer@example.org' });
    salesforce.duplicatesOf('Contact', [similar]);
    expect(await pushContact(quote.id)).toMatchObject({
      status: 409,
      body: { errors: [{ message: expect.stringContaining('DUPLICATES_DETECTED') as string }] },
    });
    later(60);
    await server.drain();
    expect(salesforce.rows('Contact')).toHaveLength(1);
    const { contact } = await stateOf(quote.id);
    const crmId = contact?.choices[0]?.id ?? '';
    const picked = await server.ok(
      QuoteCrm.PickCrmRecord,
      { quoteId: quote.id, what: 'Contact', crmId },
      { as: office.cs },
    );
    expect(picked).toMatchObject({ state: 'Pushed', crmId: similar.Id });
    expect(salesforce.rows('Contact')).toMatchObject([{ Email: 'pat@example.org', FirstName: 'Pat Q.' }]);
  });

  it('which of several accounts with one number is meant', async () => {
    const { quote } = await aQuote(1);
    const other = salesforce.add('Account', { Name: 'Clinic, north', AccountNumber: office.facility.acctNo });
    expect((await push(quote.id)).status).toBe(409);
    await server.ok(
      QuoteCrm.PickCrmRecord,
      { quoteId: quote.id, what: 'Opportunity', crmId: other.Id },
      { as: office.cs },
    );
    expect(opportunities()).toMatchObject([{ AccountId: other.Id }]);
  });
});

describe('a contact', () => {
  it('is found by its email within the account, and linked to the opportunity once', async () => {
    const { quote } = await aQuote(1);
    salesforce.add('Contact', { AccountId: 'another', Email: 'pat@example.org', LastName: 'Elsewhere' });
    const created = await pushContact(quote.id);
    expect(created.body).toMatchObject({ state: 'Pushed' });
    const { body } = await push(quote.id);
    await pushContact(quote.id);
    await push(quote.id);
    expect(salesforce.rows('Contact')).toHaveLength(2);
    expect(salesforce.rows('OpportunityContactRole')).toMatchObject([
      { OpportunityId: body.crmId, ContactId: created.body.crmId },
    ]);
  });

  it('made by a call whose answer was lost is found by the next try', async () => {
    const { quote } = await aQuote(1);
    salesforce.fail(/POST \/sobjects\/Contact/, 'drop after');
    expect((await pushContact(quote.id)).body.state).toBe('Waiting');
    later(10);
    await server.drain();
    expect(salesforce.rows('Contact')).toHaveLength(1);
    expect((await stateOf(quote.id)).contact?.state).toBe('Pushed');
  });

  it('needs an email', async () => {
    const { quote } = await aQuote(1);
    await server.db.updateTable('quote').set({ contact_email: '' }).where('id', '=', quote.id).execute();
    expect(await pushContact(quote.id)).toMatchObject({ status: 422, body: { detail: /no contact email/ } });
  });
});

describe('the status', () => {
  it('is pushed automatically after the quote was pushed, and not before', async () => {
    const [{ quote }, other] = [await aQuote(1), await aQuote(1)];
    await setStatus(other.quote.id, 'SentToCustomer');
    await push(quote.id);
    await setStatus(quote.id, 'SentToCustomer');
    expect((await stateOf(quote.id)).opportunity).toMatchObject({ state: 'Waiting' });
    await server.drain();
    expect(opportunities()).toMatchObject([{ StageName: 'Proposal/Price Quote' }]);
  });

  it('does not overwrite a stage that was changed in the CRM until our status changes; the quote shows the difference', async () => {
    const { quote } = await aQuote(1);
    await push(quote.id);
    const [created] = opportunities();
    if (created) created['StageName'] = 'Prospecting';
    await server.db.updateTable('quote').set({ po_number: 'PO-1' }).where('id', '=', quote.id).execute();
    await push(quote.id);
    expect(opportunities()).toMatchObject([{ StageName: 'Prospecting' }]);
    expect((await stateOf(quote.id)).opportunity?.stage).toMatchObject({
      crm: 'Prospecting',
      ours: 'Value Proposition',
    });
    const { status_id } = await server.db
      .selectFrom('quote')
      .select('status_id')
      .where('id', '=', quote.id)
      .executeTakeFirstOrThrow();
    expect(status_id).toBe('Editing');
    await setStatus(quote.id, 'Won');
    await server.drain();
    expect(opportunities()).toMatchObject([{ StageName: 'Closed Won' }]);
    expect((await stateOf(quote.id)).opportunity?.stage).toBeNull();
  });

  it('is compared with the stage in the CRM once a day, and nothing is changed', async () => {
    const { quote } = await aQuote(1);
    await push(quote.id);
    const [created] = opportunities();
    if (created) created['StageName'] = 'Prospecting';
    await crmLookJob.run(server.services);
    expect((await stateOf(quote.id)).opportunity).toMatchObject({
      state: 'Pushed',
      stage: { crm: 'Prospecting', ours: 'Value Proposition' },
    });
    expect(opportunities()).toMatchObject([{ StageName: 'Prospecting' }]);
  });

  it('of a quote that was pushed to another org is not pushed automatically; a person pushes the quote again', async () => {
    const { quote } = await aQuote(1);
    await push(quote.id);
    const former = salesforce;
    salesforce = await startSalesforce();
    await former.close();
    salesforce.add('Account', { Name: 'Clinic', AccountNumber: office.facility.acctNo });
    salesforce.add('PricebookEntry', { ProductCode: 'GLOVE-1' });
    await connect();
    expect((await stateOf(quote.id)).opportunity).not.toHaveProperty('crmId');
    await setStatus(quote.id, 'SentToCustomer');
    await server.drain();
    expect(opportunities()).toHaveLength(0);
    expect((await push(quote.id)).body.state).toBe('Pushed');
    expect(opportunities()).toHaveLength(1);
  });

  it('does not recreate a deleted opportunity; a person does', async () => {
    const { quote } = await aQuote(1);
    await push(quote.id);
    salesforce.remove(opportunities()[0]?.Id ?? '');
    await setStatus(quote.id, 'SentToCustomer');
    await server.drain();
    expect((await stateOf(quote.id)).opportunity).toMatchObject({ state: 'Failed', error: /deleted in Salesforce/ });
    expect((await push(quote.id)).body.state).toBe('Pushed');
    expect(opportunities()).toHaveLength(1);
  });
});

describe('who may push', () => {
  it('is the internal staff; others are refused, and a quote that they may not see does not exist', async () => {
    const { quote } = await aQuote(1);
    for (const role of ['salesrep', 'salessupport', 'salesQuoteManager', 'salesadmin', 'contractdept'] as const) {
      const { id } = await aUser(server.db, { roles: [role] });
      expect((await server.call(QuoteCrm.AddQuoteAsOppotunity, { id: quote.id }, { as: id })).status).toBe(403);
    }
    expect((await push(2_000_000_000)).status).toBe(404);
    const manager = await aUser(server.db, { roles: ['salesQuoteManager'] });
    expect((await server.call(QuoteCrm.GetQuoteCrm, { id: quote.id }, { as: manager })).status).toBe(404);
  });

  it('a push without a CRM answers that none is connected', async () => {
    const { quote } = await aQuote(1);
    const { connection } = await server.ok(Crm.GetCrmSettings, {}, { as: admin });
    await server.ok(Crm.DisconnectCrm, { version: connection.version }, { as: admin });
    for (const answer of [await push(quote.id), await pushContact(quote.id)])
      expect(answer).toMatchObject({ status: 409, body: { detail: 'No CRM is connected.' } });
    expect(await stateOf(quote.id)).toEqual({ connected: false, opportunity: null, contact: null });
  });

  it('a push waits in a restored copy', async () => {
    const { quote } = await aQuote(1);
    await server.db.updateTable('installation').set({ mail_held_at: new Date() }).execute();
    expect(await push(quote.id)).toMatchObject({ status: 202, body: { state: 'Waiting' } });
    await server.drain();
    expect(opportunities()).toHaveLength(0);
    await server.db.updateTable('installation').set({ mail_held_at: null }).execute();
    await server.drain();
    expect(opportunities()).toHaveLength(1);
  });
});
