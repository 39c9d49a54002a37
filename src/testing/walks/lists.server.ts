// The whole contract's lists: a page past the last is an empty one that still says how many pages and records there are.
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemasOf } from '#platform/api/endpoint.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { noteSecurity } from '#platform/security-events/note-security-event.server.ts';
import { LAST_PAGE } from '#platform/shared/page-number.ts';
import {
  aDocument,
  aFile,
  anItem,
  anItemClass,
  aProduct,
  aPromotion,
  aQuoteTemplate,
} from '../factories/catalog.server.ts';
import { aContract, aGpo, aLetter, anEligibilityRequest } from '../factories/contracts.server.ts';
import { aFacility, aSalesOffice, aUser } from '../factories/people.server.ts';
import { aQuote } from '../factories/quotes.server.ts';
import { aSavingsAnalysis } from '../factories/savings.server.ts';
import type { TestServer } from '../test-server.server.ts';
import { calls, type Company } from './company.server.ts';
import { aCrossReference } from '../factories/cross-references.server.ts';
import { requestOrder } from '#addons/orders/make-request.server.ts';

export function walkLists(company: () => Company): void {
  let server: TestServer;
  let admin: { id: number };
  let office: Awaited<ReturnType<typeof aSalesOffice>>;
  let item: { id: number };
  let product: { id: number };
  let agreement: { id: number; tierId: number };

  beforeAll(async () => {
    ({ server } = company());
    const { db } = server;
    admin = { id: company().as('systemadmin') };
    office = await aSalesOffice(db);
    item = await anItem(db, { number: 'LIST-1', description: 'Catéter de la Clínica Ávila' });
    await anItemClass(db, { name: 'Clínica Ávila' });
    const own = { scope: 'Facility', facility_id: office.facility.id } as const;
    await aCrossReference(db, { ...own, number: 'LIST-1', item_id: item.id });
    product = await aProduct(db, { itemIds: [], name: 'Clínica Ávila' });
    await aPromotion(db, { itemId: item.id });
    await db.updateTable('promotion').set({ name: 'Clínica Ávila' }).execute();
    await aQuoteTemplate(db, { name: 'Clínica Ávila', lines: [{ itemId: item.id }] });
    await db.updateTable('facility').set({ name: 'Clínica Ávila' }).where('id', '=', office.facility.id).execute();
    const lines = [{ itemId: item.id, price: 10 }];
    agreement = await aContract(db, { facilityIds: [office.facility.id], lines });
    await aLetter(db, { contractId: agreement.id, tierId: agreement.tierId, facilityId: office.facility.id });
    await anEligibilityRequest(db, {
      contractId: agreement.id,
      tierId: agreement.tierId,
      facilityId: office.facility.id,
      by: office.rep.id,
    });
    for (const gpo of [await aGpo(db), await aGpo(db)])
      await aContract(db, { gpoId: gpo.id, facilityIds: [office.facility.id], lines });
    await db.updateTable('gpo_contract').set({ title: 'Clínica Ávila' }).execute();
    const clinics = [];
    for (let n = 0; n < 4; n++) clinics.push((await aFacility(db, { name: 'Clínica Ávila', zip: '60613' })).id);
    const [stored = 0, merged = 0, first = 0, second = 0] = clinics;
    await db
      .insertInto('facility_merge')
      .values({ kept_id: stored, merged_id: merged, moved: '{}', merged_by: admin.id })
      .execute();
    await db.insertInto('facility_apart').values({ first_id: first, second_id: second, told_by: admin.id }).execute();
    const { region, territory } = office;
    await db.updateTable('region').set({ name: 'Clínica Ávila' }).where('id', '=', region.id).execute();
    await db.updateTable('territory').set({ name: 'Clínica Ávila' }).where('id', '=', territory.id).execute();
    await aUser(db, { fullName: 'Clínica Ávila' });
    await db
      .insertInto('api_key')
      .values({ name: 'Clínica Ávila', prefix: 'qbk_aaaaaaaaaaaa', secret_hash: '', owner_id: admin.id, scopes: [] })
      .execute();
    const { id: webhookId } = await db
      .insertInto('webhook_endpoint')
      .values({ description: 'Clínica Ávila', address: 'https://example.com/', events: [] })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: messageId } = await db
      .insertInto('webhook_message')
      .values({ type: 'webhook.test', body: 'Clínica Ávila' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('webhook_delivery').values({ message_id: messageId, endpoint_id: webhookId }).execute();
    const day = '2026-11-01';
    await db
      .insertInto('territory_plan')
      .values({ name: 'Clínica Ávila', owner_id: admin.id, base_day: day, effective_day: day })
      .execute();
    await db.insertInto('zip').values({ zip5: office.zip, city: 'Clínica Ávila', state: 'TX' }).execute();
    await db.insertInto('configurable_model').values({ name: 'Clínica Ávila' }).execute();
    const { id: fileId } = await aFile(db, server.services.files);
    await aDocument(db, { fileId, title: 'Clínica Ávila' });
    ({ id: importId } = await db
      .insertInto('data_import')
      .values({
        kind: 'facilities',
        file_id: fileId,
        file_name: 'Clínica Ávila.csv',
        mapping: '{}',
        state: 'Applied',
        created_by: admin.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow());
    await aSavingsAnalysis(db, {
      id: importId,
      name: 'Clínica Ávila',
      facility_id: office.facility.id,
      owner_id: admin.id,
      rows: [{ description: 'Clínica Ávila' }, { description: 'Clínica Ávila' }],
    });
    await db
      .insertInto('import_inbox_file')
      .values({ kind: 'items', name: 'Clínica Ávila.csv', sha256: '', taken_at: new Date() })
      .execute();
    for (const who of ['Clínica Ávila', 'Nobody'])
      noteSecurity(server.services, { kind: 'Refused', action: 'Forbidden', who, from: undefined });
    for (const state of ['Waiting', 'Filed'])
      await db.insertInto('picture').values({ name: 'Clínica Ávila.png', size: 1, state, step: '' }).execute();
    await queueMail(db, server.services.jobs, { to: ['a@example.com'], subject: 'Clínica Ávila', body: '' });
    const quote = { ownerId: office.rep.id, facility: office.facility, facilityName: 'Clínica Ávila' };
    for (let n = 0; n < 3; n++) {
      const { id } = await aQuote(db, quote);
      await db.insertInto('crm_push').values({ quote_id: id, what: 'Opportunity', asked_at: new Date() }).execute();
      const created = await db.selectFrom('quote').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      await requestOrder(db, server.services, { quote: created, lines: [] });
      await db
        .insertInto('quote_risk')
        .values({
          line_id: -n,
          quote_id: id,
          kind: 'Price',
          day: '2026-11-01',
          contract_id: agreement.id,
          currn_idx: 1007,
          qty: 1,
          unit: 'EA',
        })
        .execute();
    }
  }, 120_000);

  const fields = (schema: z.ZodType | undefined) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
  const lists = calls.filter(([, endpoint]) => {
    const { input, output } = schemasOf(endpoint);
    return fields(input).includes('page') && fields(output).includes('pageCount');
  });

  /** The lists that take an id are the rows of an import and those of a savings analysis, which has the same one. */
  let importId = 0;

  /** What a list needs besides its page. */
  const values = (): Record<string, unknown> => ({
    facilityId: office.facility.id,
    territoryId: office.territory.id,
    productId: product.id,
    contractId: agreement.id,
    keyword: '',
    id: importId,
    from: '2000-01-01',
    to: '2099-12-31',
    slice: 'status:Editing',
  });

  describe.each(lists)('%s', (_key, endpoint) => {
    it('answers a page past the last with nothing but the counts', async () => {
      const ask = async (page: number) => {
        const needed = Object.entries(values()).filter(([name]) => fields(schemasOf(endpoint).input).includes(name));
        const answer = await server.call(endpoint, { ...Object.fromEntries(needed), page, pageSize: 1 }, { as: admin });
        expect(answer.status).toBe(200);
        return answer.body as { records: unknown[]; pageCount: number; total: number };
      };
      const first = await ask(1);
      expect(first.pageCount).toBe(first.total);
      expect(first.records).toHaveLength(Math.min(1, first.total));
      const { total, pageCount } = first;
      expect(await ask(first.total + 1)).toMatchObject({ records: [], total, pageCount });
      expect(await ask(LAST_PAGE)).toMatchObject({ records: [], total, pageCount });
    });

    it.each([0, -1, LAST_PAGE + 1, 1.5, 'two'])('refuses page %s in words', async (page) => {
      const { status, body } = await server.call(endpoint, { ...values(), page }, { as: admin });
      expect(status).toBe(422);
      expect(body).toMatchObject({
        errors: expect.arrayContaining([expect.objectContaining({ path: 'page' })]) as unknown,
      });
    });
  });

  const searched = lists.filter(([, endpoint]) => fields(schemasOf(endpoint).input).includes('keyword'));

  it.each(searched)('%s finds a name without its accents, and with them', async (_key, endpoint) => {
    for (const keyword of ['clinica avila', 'CLÍNICA', 'Ávila']) {
      const { facilityId, territoryId, contractId, id } = values();
      const ids = Object.entries({ facilityId, territoryId, contractId, id, hasRecentSaleOnly: false });
      const needed = ids.filter(([name]) => fields(schemasOf(endpoint).input).includes(name));
      const answer = await server.call(endpoint, { ...Object.fromEntries(needed), keyword }, { as: admin });
      const { total } = answer.body as { total: number };
      expect({ keyword, found: total > 0 }).toEqual({ keyword, found: true });
    }
  });

  it('there are lists', () => {
    expect(lists.length).toBeGreaterThan(10);
    expect(searched.length).toBeGreaterThan(5);
  });
}
