// The walk that types hostile text everywhere: it comes back as typed or is refused, and does no harm in PDF, CSV, mail, headers, or log.
// The slow walk types every text, the fast one every third.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteFileUpload, QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { openMail } from '#platform/outside/mail.server.ts';
import { aFacility, aUser } from '../factories/people.server.ts';
import { startTestServer, type TestServer } from '../test-server.server.ts';
import { openLog } from '#app/log.server.ts';

const HOSTILE = [
  '<script>alert("x")</script><img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>&amp;&lt;\'',
  "Robert'); drop table quote; --",
  '=cmd|"/c calc"!A1',
  '+1-2',
  '-2+3',
  '@SUM(A1)',
  '{{7*7}} ${7*7} <%= 7*7 %> %s %n %00',
  '#panic("no") #import "/etc/passwd" $x^2$ *bold* _it_ <label> \\ // [x]',
  '../../etc/passwd\\..\\x',
  'right\u202Eot tfel\u202C \u200Fmark\u200E \u2066iso\u2069',
  'zero\u200Bwidth\u200Djoin\uFEFF.',
  'e\u0301 \u00E9 Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324\u031E\u0349\u035A\u032F\u031E\u0320\u034DA\u036B',
  '😀👩‍👩‍👧‍👦🏳️‍🌈 \u{1F9D1}\u{1F3FD}',
  '漢字 العربية עברית ไทย \uFDFA',
  'line one\nline two\n\n\tindented',
  'Bcc: everybody@example.com\nSubject: other\n\nbody',
  'NaN undefined null true [object Object] constructor __proto__',
  'x'.repeat(90),
];
/** What every field removes from typed text: invisible characters, and space around it. */
const storedText = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim();

const KNOWN_HEADERS = [
  'from',
  'to',
  'cc',
  'subject',
  'list-unsubscribe',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
];

const BROKEN = [
  ['half a letter', 'a\ud800b'],
  ['the other half', '\udc00'],
] as const;

/** Declares the tests of the walk in the file that calls it. */
export function walkHostileText(isWhole: boolean): void {
  let server: TestServer;
  let cs: Awaited<ReturnType<typeof aUser>>;
  let log = '';
  const mailbox = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-mailbox-'));

  beforeAll(async () => {
    const lines = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        log += chunk.toString();
        done();
      },
    });
    server = await startTestServer({
      config: { trustProxy: 1 },
      mail: openMail({ smtpUrl: undefined, from: 'quotes@example.com', mailbox }),
      log: openLog('info', lines),
    });
    cs = await aUser(server.db, { roles: ['csrep'] });
  });
  afterAll(async () => {
    await server.close();
    fs.rmSync(mailbox, { recursive: true, force: true });
  });

  const versionOf = async (id: number) =>
    (await server.db.selectFrom('quote').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;
  let customers = 0;
  const customer = () => ({ headers: { 'x-forwarded-for': `10.1.${++customers >> 8}.${customers & 255}` } });

  /** A quote with the text in every field a person may type in. */
  async function quoteOf(text: string) {
    const facility = await aFacility(server.db);
    const rep = await aUser(server.db, { fullName: text });
    const address = { line1: text, line2: text, city: text, state: 'IL', zip: '60601' };
    const header = {
      contactName: text,
      contactEmail: text,
      customerReference: text,
      poNumber: text,
      customerMessage: text,
      internalNotes: text,
      billTo: address,
      shipTo: address,
    };
    const lines = ['section', 'note', 'custom'].map((type) => ({
      type: type as 'custom',
      description: text,
      ...(type === 'custom'
        ? { itemNumber: text, notes: text, qty: 2, unitPrice: 10, unit: 'EA', priceReason: text }
        : {}),
    }));
    const result = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: 0, facilityId: facility.id, salesRepId: rep.id, ...header }, items: lines },
      { as: cs },
    );
    // The facility's data comes from the ERP and may hold anything.
    await server.db.updateTable('quote').set({ facility_name: text }).where('id', '=', result.quote.id).execute();
    return { made: result, header, lines, id: result.quote.id };
  }

  async function send(quoteId: number, text: string): Promise<string> {
    const act = async (action: 'StartProcess') =>
      server.ok(
        QuoteWorkflow.PerformWorkflowAction,
        { quoteId, action, version: await versionOf(quoteId), comment: text },
        { as: cs },
      );
    await act('StartProcess');
    const mail = {
      quoteId,
      version: await versionOf(quoteId),
      to: ['buyer@example.org'],
      subject: text,
      body: text,
    };
    return (await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs })).quote.docId ?? '';
  }

  /** Sends the waiting mails, and checks that no text became a header or HTML, and that the PDF of the quote is attached. */
  async function expectCleanMails(): Promise<void> {
    const before = new Set(fs.existsSync(mailbox) ? fs.readdirSync(mailbox) : []);
    await server.drain();
    const names = fs.readdirSync(mailbox).filter((name) => name.endsWith('.eml') && !before.has(name));
    const mails = names.map((name) => fs.readFileSync(path.join(mailbox, name), 'utf8'));
    expect(mails.length).toBeGreaterThanOrEqual(2);
    const PDF = Buffer.from('%PDF-').toString('base64').slice(0, 6);
    expect(mails.filter((mail) => mail.includes(`\r\n\r\n${PDF}`)).length).toBeGreaterThan(0);
    for (const mail of mails) {
      const headers = (mail.split('\r\n\r\n')[0] ?? '').replaceAll(/\r\n[ \t]/g, '').split('\r\n');
      const headerNames = headers.map((line) => line.split(':')[0]?.toLowerCase() ?? '');
      expect(headerNames.filter((name) => !KNOWN_HEADERS.includes(name))).toEqual([]);
      expect(new Set(headerNames).size).toBe(headerNames.length);
      expect(mail).not.toMatch(/^content-type: text\/html/im);
    }
  }

  describe.each(isWhole ? HOSTILE : HOSTILE.filter((_, at) => at % 3 === 0))('%j', (text) => {
    it('comes back as it was typed, from the board to the customer and his answers, and stays inside its mail', async () => {
      // Names and numbers of a visitor are one line.
      const line = storedText(text).replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
      const { id, header, lines } = await quoteOf(text);
      const expected = storedText(text);
      const read = await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id }, { as: cs });
      for (const [field, value] of Object.entries(header)) {
        const typed =
          typeof value === 'string' ? expected : { ...value, line1: expected, line2: expected, city: expected };
        expect(read.quote).toHaveProperty(field, typed);
      }
      expect(read.items.map(({ description }) => description)).toEqual(lines.map(() => expected));
      expect(read.items[2]).toMatchObject({ itemNumber: expected, notes: expected, priceReason: expected });

      const docId = await send(id, text);
      const question = { docId, name: text, email: 'jane@example.org', question: text };
      expect((await server.call(QuoteDoc.AskQuestion, question, customer())).status).toBe(200);
      const page = await server.call(QuoteDoc.GetQuoteDoc, { id: docId }, customer());
      expect(page.status).toBe(200);
      expect(JSON.stringify(page.body)).toContain(JSON.stringify(expected).slice(1, -1));
      const accepted = await server.call(
        QuoteDoc.AcceptQuote,
        { docId, name: text, title: text, poNumber: text, acceptTerms: true },
        customer(),
      );
      expect(accepted.body.acceptance).toMatchObject({ name: line, title: line, poNumber: line });
      const { events } = await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id }, { as: cs });
      const actors = events.map(({ actor }) => actor);
      expect(actors.filter((actor) => actor === `${line} (customer)`)).toHaveLength(2);
      expect(events.find(({ action }) => action === 'Question')?.comment).toBe(`${expected}\n\njane@example.org`);
      await expectCleanMails();
    });

    it('does not compute in a spreadsheet', async () => {
      const { made } = await quoteOf(text);
      const answer = await server.call(QuoteSearch.ExportQuotes, { facilityId: made.quote.facilityId }, { as: cs });
      expect(answer.status).toBe(200);
      const [, ...rows] = parse(answer.bytes, { bom: true });
      expect(rows).toHaveLength(1);
      expect(rows.flat().some((cell) => cell.includes(text))).toBe(true);
      for (const cell of rows.flat()) expect(cell).not.toMatch(/^\s*(?:[=@\t\r＝＋－＠]|[+-](?!\d+(\.\d+)?$))/);
    });

    it('names a file, and nothing more', async () => {
      const { id } = await quoteOf('plain');
      const name = text.replaceAll(/[\r\n"]/g, ' ');
      const file = { name: `${name}.txt`, bytes: Buffer.from('text') };
      const sent = await server.call(QuoteFileUpload.UploadQuoteFile, { quoteId: id }, { as: cs, file });
      expect(sent.status).toBe(200);
      expect(sent.body.name).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\\/]/u);
      const back = await server.call(QuoteFileUpload.DownloadQuoteFile, { id: sent.body.id }, { as: cs });
      expect(back.headers).toMatchObject({
        'content-type': expect.stringMatching(/^text\/plain/) as string,
        'x-content-type-options': 'nosniff',
        'content-disposition': expect.stringMatching(
          /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.!#$&+^`|~%-]+$/,
        ) as string,
      });
      const exact = /UTF-8''(.*)$/.exec(String(back.headers['content-disposition']))?.[1] ?? '';
      expect(decodeURIComponent(exact)).toBe(sent.body.name);
    });
  });

  it('none of it is in the log, and a line of the log stays a line', () => {
    const lines = log.split('\n').filter(Boolean);
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines) expect(Object.keys(JSON.parse(line) as object)).toContain('level');
    for (const text of ['alert(', 'drop table', '#panic', 'everybody@', 'jane@', '\u202e'])
      expect(log).not.toContain(text);
  });

  it.each(BROKEN)('%s is refused, in every field, with a sentence', async (_what, text) => {
    const { id } = await quoteOf('plain');
    const refused = async (answer: Promise<{ status: number; body: unknown }>) => {
      const { status, body } = await answer;
      expect({ status, body }).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining('Enter it again.') as string },
      });
    };
    for (const field of ['contactName', 'contactEmail', 'customerMessage', 'internalNotes', 'poNumber', 'paymentTerms'])
      await refused(server.call(QuoteEdit.SaveSalesRepQuote, { quote: { id, [field]: text } }, { as: cs }));
    for (const field of ['description', 'notes', 'itemNumber', 'unit', 'priceReason'])
      await refused(server.call(QuoteEdit.SaveQuoteItem, { quoteId: id, id: 0, qty: 1, [field]: text }, { as: cs }));
    await refused(
      server.call(
        QuoteWorkflow.PerformWorkflowAction,
        { quoteId: id, action: 'StartProcess', version: 1, comment: text },
        { as: cs },
      ),
    );
  });
}
