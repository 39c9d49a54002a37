// What a person may not see: every call answers as if it did not exist, no save reaches it, and no answer reveals it.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, schemasOf } from '#platform/api/endpoint.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteFileUpload, QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { exampleInput } from '../example-input.ts';
import { anItem, aPromotion } from '../factories/catalog.server.ts';
import { aSalesOffice, aUser } from '../factories/people.server.ts';
import { asJustRead } from '../factories/quotes.server.ts';
import type { TestServer } from '../test-server.server.ts';
import { type Company, calls } from './company.server.ts';

/** Figures and words that only internal users may see; no other number or text in this test resembles them. */
const COST = 7.7731;
const FLOOR = 8.8843;
const SECRET = 'SECRET-NOTE';
// With the points escaped: the random id of a request may hold '868843'.
const INNER = new RegExp(
  [
    ...[COST, FLOOR].map((figure) => String(figure).replace('.', '\\.')),
    SECRET,
    '"(cost|marginPct|quoteMarginPct|underFloor|floorPrice|adminFeePct|internalNotes|password\\w*|\\w*Hash|storageKey)"',
  ].join('|'),
);

type Office = Awaited<ReturnType<typeof aSalesOffice>>;
type Ids = { quoteId: number; quoteItemId: number; fileId: number; itemId: number; docId: string };

export function walkOutOfSight(company: () => Company): void {
  let server: TestServer;
  let [ours, theirs]: Office[] = [];
  /** The other office's sent quote with all its records, and one of our own in editing. */
  let foreign: Ids;
  let own: Ids;

  const office = (key: Office | undefined): Office => key as Office;
  const versionOf = async (id: number) =>
    (await server.db.selectFrom('quote').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;

  async function aQuoteIn(where: Office, sent: boolean): Promise<Ids> {
    const item = await anItem(server.db, { price: 10, cost: COST, floor: FLOOR });
    const { quote, items } = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      {
        quote: { id: 0, facilityId: where.facility.id, internalNotes: SECRET },
        items: [{ id: 0, itemId: item.id, qty: 3, unitPrice: 9.5, priceReason: 'Large order' }],
      },
      { as: where.cs },
    );
    const as = { as: where.cs };
    const file = { name: 'order.txt', bytes: Buffer.from('an order') };
    const stored = await server.ok(
      QuoteFileUpload.UploadQuoteFile,
      { quoteId: quote.id, visibleToCustomer: 'true' },
      { ...as, file },
    );
    const ids = { quoteId: quote.id, quoteItemId: items[0]?.id ?? 0, fileId: stored.id, itemId: item.id, docId: '' };
    // Changes its margin and notes once more, so that the history holds internal values too.
    await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id, version: 1, internalNotes: `${SECRET} 2` } },
      as,
    );
    if (!sent) return ids;
    await server.ok(
      QuoteWorkflow.PerformWorkflowAction,
      { quoteId: quote.id, action: 'StartProcess', version: await versionOf(quote.id) },
      as,
    );
    await server.db.deleteFrom('approval_rule').execute();
    const mail = {
      quoteId: quote.id,
      version: await versionOf(quote.id),
      to: ['b@example.org'],
      subject: 'Quote',
      body: 'Hello',
    };
    const { quote: after } = await server.ok(QuoteWorkflow.SendEmail, mail, as);
    return { ...ids, docId: after.docId ?? '' };
  }

  beforeAll(async () => {
    ({ server } = company());
    ours = await aSalesOffice(server.db);
    theirs = await aSalesOffice(server.db);
    own = await aQuoteIn(ours, false);
    foreign = await aQuoteIn(theirs, true);
    await server.drain();
  });

  /** The people of our office who see only our quotes. */
  const outsiders = () => [office(ours).rep, office(ours).support, office(ours).manager];
  const NOBODYS = 2_147_483_000;

  /** Whether one of the person's roles may call this at all. */
  async function mayCall(as: { id: number }, { access }: Endpoint): Promise<boolean> {
    if (typeof access === 'string') return true;
    const rows = await server.db.selectFrom('user_role').select('role').where('user_id', '=', as.id).execute();
    return rows.some(({ role }) => (access as readonly string[]).includes(role));
  }

  /** The refusal without its request id. */
  const outcome = ({ status, body }: { status: number; body: unknown }) => ({
    status,
    body: { ...(body as object), requestId: '' },
  });

  describe('what belongs to others', () => {
    const ofQuotes = calls.filter(([, endpoint]) => {
      const { path } = endpoint;
      const fields = Object.keys((schemasOf(endpoint).input as unknown as { shape?: object }).shape ?? {});
      return (
        /\/(QuoteEdit|QuoteWorkflow|QuoteFileUpload)\//.test(path) &&
        fields.some((name) => /^(id|quoteId|quoteItemId|quote)$/.test(name))
      );
    });

    it('is asked for by many calls', () => {
      expect(ofQuotes.length).toBeGreaterThan(15);
    });

    it.each(ofQuotes)('%s answers as if it did not exist', async (_key, endpoint) => {
      const file = endpoint.in === 'upload' ? { file: { name: 'a.txt', bytes: Buffer.from('a') } } : {};
      const isFile = endpoint.path.includes('/QuoteFileUpload/');
      const input = (ids: Ids) =>
        exampleInput(endpoint, {
          ...ids,
          id: isFile ? ids.fileId : ids.quoteId,
          to: endpoint.path.endsWith('/SendEmail') ? ['b@example.org'] : 1,
          cc: [],
          attachmentIds: [],
          version: 1,
          // One call takes at least one item.
          ...(endpoint.path.endsWith('/SaveDmsItemsToQuote') ? {} : { items: [] }),
          qty: 1,
          ...(endpoint.in === 'upload' ? { visibleToCustomer: 'true' } : {}),
          quoteDate: '2026-11-02',
          validUntil: '2027-01-01',
        });
      const nobodys = {
        quoteId: NOBODYS,
        quoteItemId: NOBODYS,
        fileId: NOBODYS,
        itemId: own.itemId,
        docId: 'x'.repeat(22),
      };
      for (const as of outsiders()) {
        const theirAnswer = outcome(await server.call(endpoint, input(foreign), { as, ...file }));
        expect(theirAnswer.status).toBe((await mayCall(as, endpoint)) ? 404 : 403);
        expect(theirAnswer).toEqual(outcome(await server.call(endpoint, input(nobodys), { as, ...file })));
        expect(JSON.stringify(theirAnswer)).not.toContain(office(theirs).facility.name);
      }
    });

    it('is in no list and no export', async () => {
      const { num } = await server.db
        .selectFrom('quote')
        .select('num')
        .where('id', '=', foreign.quoteId)
        .executeTakeFirstOrThrow();
      for (const as of outsiders()) {
        const list = await server.ok(
          QuoteSearch.SearchQuotesForSalesRep,
          { facilityId: office(theirs).facility.id },
          { as },
        );
        expect(list).toMatchObject({ records: [], total: 0 });
        expect((await server.ok(QuoteSearch.SearchQuotesForSalesRep, { num }, { as })).total).toBe(0);
        const file = await server.call(QuoteSearch.ExportQuotes, { facilityId: office(theirs).facility.id }, { as });
        expect(file.bytes.toString()).not.toContain(office(theirs).facility.name);
      }
    });
  });

  describe('a save does not reach into', () => {
    const save = async (input: Record<string, unknown>, as = office(ours).rep) =>
      server.call(QuoteEdit.SaveSalesRepQuote, await asJustRead(server.db, input), { as });
    const lineOf = (id: number) =>
      server.db.selectFrom('quote_item').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

    it('a line of another quote', async () => {
      const before = await lineOf(foreign.quoteItemId);
      const line = (id: number) => ({ id, version: 1, qty: 99, unitPrice: 0.01, priceReason: 'Mine' });
      const gone = (id: number) => ({ id, version: 1, remove: true });
      for (const [edit, statuses] of [
        [line, [404, 409]],
        [gone, [200, 200]],
      ] as const) {
        const reached = await save({ quote: { id: own.quoteId }, items: [edit(foreign.quoteItemId)] });
        const nothing = await save({ quote: { id: own.quoteId }, items: [edit(NOBODYS)] });
        // Numbers of lines run through all quotes, so that one exists tells nothing. A number that no line has may be a removed line's.
        expect([reached.status, nothing.status]).toEqual(statuses);
        expect(JSON.stringify(reached.body)).not.toContain(office(theirs).facility.name);
      }
      const alone = await server.call(
        QuoteEdit.SaveQuoteItem,
        { quoteId: own.quoteId, ...line(foreign.quoteItemId) },
        { as: office(ours).rep },
      );
      expect(alone.status).toBe(404);
      const reprice = { quoteId: own.quoteId, version: await versionOf(own.quoteId), itemIds: [foreign.quoteItemId] };
      expect((await server.call(QuoteEdit.RepriceQuote, reprice, { as: office(ours).rep })).status).toBe(200);
      expect(await lineOf(foreign.quoteItemId)).toEqual(before);
    });

    it('what only the server works out', async () => {
      const read = await server.ok(
        QuoteEdit.PopulateQuoteEditDataForSalesRep,
        { id: own.quoteId },
        { as: office(ours).rep },
      );
      const forged = {
        statusId: 'Won',
        num: 1,
        revision: 9,
        totalAmount: 0.01,
        subtotal: 0.01,
        ownerId: office(ours).rep.id,
        assigneeId: office(ours).rep.id,
        regionId: office(theirs).region.id,
        docId: foreign.docId,
        approval: { state: 'Approved' },
        search_text: 'x',
        cost: 0,
      };
      const forgedLine = {
        cost: 0,
        marginPct: 99,
        lineTotal: 0.01,
        systemPrice: 0.01,
        listPrice: 0.01,
        promotionId: 1,
        priceSource: 'List',
      };
      const saved = await save({
        quote: { ...forged, id: own.quoteId, version: read.quote.version, contactName: 'Jo' },
        items: [{ ...forgedLine, id: own.quoteItemId, notes: 'seen' }],
      });
      expect(saved.status).toBe(200);
      expect(saved.body.quote).toEqual({ ...read.quote, contactName: 'Jo', version: read.quote.version + 1 });
      expect(await lineOf(own.quoteItemId)).toMatchObject({
        cost: COST,
        system_price: 10,
        unit_price: 9.5,
        line_total: 28.5,
      });
    });

    it('people who may not: inactive, of another role, or another office’s rep', async () => {
      const inactive = await aUser(server.db, { roles: ['salesrep', 'csrep', 'insiderep'], active: false });
      const tries = [
        [office(ours).rep, { salesRepId: office(theirs).rep.id }],
        [office(ours).support, { salesRepId: office(theirs).rep.id }],
        [office(ours).cs, { salesRepId: inactive.id }],
        [office(ours).cs, { csRepId: inactive.id }],
        [office(ours).cs, { isRepId: inactive.id }],
        [office(ours).cs, { salesRepId: office(ours).inside.id }],
        [office(ours).cs, { isRepId: NOBODYS }],
      ] as const;
      for (const [as, people] of tries)
        expect((await save({ quote: { id: own.quoteId, ...people } }, as)).status).toBe(422);
      const notes = await save({ quote: { id: own.quoteId, internalNotes: 'mine' } });
      expect(notes.status).toBe(403);
    });

    it('promotions of other items, and files of other quotes', async () => {
      const { id: promotionId } = await aPromotion(server.db, { itemId: foreign.itemId });
      const { version } = await lineOf(own.quoteItemId);
      const apply = { quoteItemId: own.quoteItemId, promotionId, version };
      expect((await server.call(QuoteEdit.ApplyPromotionToQuoteItem, apply, { as: office(ours).cs })).status).toBe(422);
      const other = await aQuoteIn(office(ours), true);
      const mail = {
        quoteId: other.quoteId,
        version: await versionOf(other.quoteId),
        to: ['b@example.org'],
        subject: 'Quote',
        body: 'Hello',
        attachmentIds: [foreign.fileId],
      };
      const sent = await server.call(QuoteWorkflow.SendEmail, mail, { as: office(ours).cs });
      expect(sent.status).toBe(422);
      expect(JSON.stringify(sent.body)).not.toContain('order.txt');
    });
  });

  describe('the customer’s address', () => {
    it('opens nothing else: no file of another quote, no id for an address, nothing of a revoked one', async () => {
      const other = await aQuoteIn(office(ours), true);
      const unknown = outcome(await server.call(QuoteDoc.GetQuoteDoc, { id: 'x'.repeat(22) }));
      for (const id of [
        String(foreign.quoteId),
        '',
        `${foreign.docId} `,
        foreign.docId.slice(1),
        `${foreign.docId}x`,
        '%',
      ])
        expect(outcome(await server.call(QuoteDoc.GetQuoteDoc, { id }))).toEqual(unknown);
      const file = { docId: other.docId, fileId: foreign.fileId };
      expect((await server.call(QuoteDoc.GetQuoteFile, file)).status).toBe(404);
      expect((await server.call(QuoteDoc.GetQuoteFile, { ...file, fileId: other.fileId })).status).toBe(200);
      await server.ok(
        QuoteWorkflow.RevokePublicLink,
        { quoteId: other.quoteId, revision: 1, comment: 'Sent to the wrong person' },
        { as: office(ours).cs },
      );
      expect(outcome(await server.call(QuoteDoc.GetQuoteDoc, { id: other.docId }))).toEqual(unknown);
      expect((await server.call(QuoteDoc.GetQuoteFile, { docId: other.docId, fileId: other.fileId })).status).toBe(404);
      expect((await server.call(QuoteDoc.GetQuotePdf, { id: other.docId })).status).toBe(404);
    });

    it('is not found by trying: an address may ask sixty times a minute', async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 70; i++)
        statuses.push((await server.call(QuoteDoc.GetQuotePdf, { id: `${i}`.padEnd(22, 'a') })).status);
      expect(statuses.at(-1)).toBe(429);
      expect(new Set(statuses.slice(0, 50))).toEqual(new Set([404]));
    });
  });

  describe('cost, margin, floor and internal notes', () => {
    const readers = () => [office(ours).rep, office(ours).support];

    it.each(
      calls.filter(
        ([, { access }]) =>
          access === 'anyone' ||
          access === 'user' ||
          ROLES.some((role) => role === 'salesrep' && access.includes(role)),
      ),
    )('%s tells nothing of them to reps and supporters', async (_key, endpoint) => {
      const file = endpoint.in === 'upload' ? { file: { name: 'a.txt', bytes: Buffer.from('a') } } : {};
      const leaves = endpoint.path.endsWith('/SignOut');
      for (const reader of readers()) {
        const fresh = endpoint.writes ? await aQuoteIn(office(ours), false) : own;
        const good = {
          ...fresh,
          id: endpoint.path.includes('/QuoteFileUpload/')
            ? fresh.fileId
            : endpoint.path.includes('/QuoteDoc/')
              ? foreign.docId
              : fresh.quoteId,
          docId: foreign.docId,
          facilityId: office(ours).facility.id,
          keyword: '',
          number: 'IT-',
          itemNumber: null,
          hasRecentSaleOnly: false,
          prices: 'keep',
          to: ['b@example.org'],
          email: 'b@example.org',
          cc: [],
          attachmentIds: [],
          salesRepId: office(ours).rep.id,
          internalNotes: undefined,
          action: 'Submit',
          active: true,
        };
        const lineVersion = (
          await server.db
            .selectFrom('quote_item')
            .select('version')
            .where('id', '=', fresh.quoteItemId)
            .executeTakeFirstOrThrow()
        ).version;
        // The current version saves; another one gives a conflict that shows the record. The test checks both.
        for (const version of [endpoint.path.endsWith('Item') ? lineVersion : await versionOf(fresh.quoteId), 77]) {
          const as = leaves ? await aUser(server.db) : reader;
          const input = exampleInput(endpoint, { ...good, version });
          if (endpoint.path.endsWith('/SaveQuoteItem')) input['id'] = fresh.quoteItemId;
          if (endpoint.path.endsWith('/SaveSalesRepQuote'))
            input['items'] = [{ id: fresh.quoteItemId, version: lineVersion, qty: 4 }];
          const answer = await server.call(endpoint, input, { as, ...file });
          expect(answer.bytes.toString('latin1')).not.toMatch(INNER);
        }
      }
    });

    it('are there for the inside, so that the walk above has something to miss', async () => {
      const { bytes } = await server.call(
        QuoteEdit.PopulateQuoteEditDataForInternalRep,
        { id: own.quoteId },
        { as: office(ours).cs },
      );
      for (const inner of [`${COST}`, SECRET, '"marginPct"', '"underFloor"']) expect(bytes.toString()).toContain(inner);
    });
  });
}
