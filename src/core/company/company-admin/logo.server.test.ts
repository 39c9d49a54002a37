// Tests the company's logo over HTTP: accepted or refused by content, used by later sends, kept by earlier ones, lost from the store.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import pino from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { logoAddress } from '#platform/shared/logo.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { aLogo, aPicture } from '#testing/a-logo.server.ts';
import { breakFileStore } from '#testing/break-file-store.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { CompanyAdmin } from './company-admin.contract.ts';

let server: TestServer;
let admin: { id: number };
let cs: { id: number };
const logged: string[] = [];
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  server = await startTestServer({ log });
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
  cs = await aUser(server.db, { roles: ['csrep'] });
});
afterAll(() => server.close());

const current = async () => (await server.ok(CompanyAdmin.GetCompany, {}, { as: admin })).logo;
async function upload(bytes: Buffer, name = 'logo.png', more: { replaces?: string; as?: { id: number } } = {}) {
  const replaces = more.replaces ?? (await current())?.id ?? '';
  return server.call(CompanyAdmin.UploadLogo, { replaces }, { as: more.as ?? admin, file: { name, bytes } });
}
async function uploaded(bytes: Buffer, name?: string) {
  const { status, body } = await upload(bytes, name);
  expect(status).toBe(200);
  if (!body.logo) throw new Error('no logo');
  return body.logo;
}
const remove = async () => server.ok(CompanyAdmin.RemoveLogo, { replaces: (await current())?.id ?? '' }, { as: admin });
const get = (url: string) => server.inject({ method: 'GET', url });
async function sent(): Promise<{ id: number; docId: string }> {
  const { id } = await aPricedQuote(server.db, { statusId: 'Processing', validUntil: '2099-01-01' });
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const mail = { quoteId: id, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  const { quote } = await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs });
  return { id, docId: quote.docId ?? '' };
}
const logoOn = async (docId: string) => (await server.ok(QuoteDoc.GetQuoteDoc, { id: docId })).document.company.logo;
async function pdfOf(docId: string) {
  const { status, bytes } = await server.call(QuoteDoc.GetQuotePdf, { id: docId });
  expect(status).toBe(200);
  return bytes;
}
/** Returns the number of pictures in a PDF, without their transparency masks. */
function picturesIn(pdf: Buffer): number {
  const count = (what: RegExp) => pdf.toString('latin1').match(what)?.length ?? 0;
  return count(/\/Subtype\s*\/Image\b/g) - count(/\/SMask \d/g);
}
const fileOf = async (logo: string) => {
  const { storage_key: key } = await server.db
    .selectFrom('company_logo')
    .innerJoin('file', 'file.id', 'company_logo.file_id')
    .select('storage_key')
    .where('company_logo.id', '=', logo)
    .executeTakeFirstOrThrow();
  return path.join(server.services.config.storageUrl.slice('file:'.length), key.slice(0, 2), key);
};

describe('what is taken', () => {
  test('a PNG is encoded again and served to anyone at its own permanent address', async () => {
    const logo = await uploaded(await aLogo(), '../Our logo.png');
    expect(logo).toMatchObject({
      id: expect.stringMatching(/^[\w-]{43}$/),
      name: 'Our logo.png',
      width: 600,
      height: 200,
    });
    expect(await current()).toEqual(logo);
    const served = await get(logoAddress(logo));
    expect(served).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
    expect((await get('/files/logos/unknown')).status).toBe(404);
    const [event] = await server.ok(History.GetHistory, { type: 'company', id: 1 }, { as: admin });
    expect(event).toMatchObject({
      actor: 'Bea Boss',
      action: 'New logo',
      changes: [{ field: 'Logo', before: '', after: 'Our logo.png (600 × 200 pixels)' }],
    });
  });

  test.each([
    ['a JPEG', () => aPicture(600, 200).jpeg(), [600, 200]],
    [
      'one that lies on its side until it is turned',
      () => aPicture(200, 600).withMetadata({ orientation: 6 }).jpeg(),
      [600, 200],
    ],
    ['one in the colors of print', () => aPicture(600, 200).flatten().toColorspace('cmyk').jpeg(), [600, 200]],
    ['a large one, made smaller', () => aPicture(4000, 1000).png(), [1200, 300]],
    ['one that is as tall as it is wide', () => aPicture(900, 900).png(), [400, 400]],
  ])('%s', async (_what, picture, [width, height]) => {
    const { id } = await uploaded(await picture().toBuffer(), 'logo.jpg');
    const stored = await sharp(
      server.services.files && (await server.services.files.get(path.basename(await fileOf(id)))),
    ).metadata();
    expect(stored).toMatchObject({ format: 'png', space: 'srgb', width, height });
    expect(stored.exif).toBeUndefined();
  });

  test('what hides in a file, or behind it, is not kept', async () => {
    const png = await aPicture(300, 100)
      .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
      .png()
      .toBuffer();
    const hiding = Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]);
    const { id } = await uploaded(hiding);
    const stored = await server.services.files.get(path.basename(await fileOf(id)));
    expect(hiding.includes('SECRET-PLACE')).toBe(true);
    expect(stored.includes('SECRET-PLACE') || stored.includes('script')).toBe(false);
  });
});

describe('what is refused', () => {
  const whole = () => aLogo(300, 100);
  /** Returns the same PNG with another size in its header. */
  const grown = (png: Buffer) => {
    png.writeUInt32BE(60_000, 16);
    png.writeUInt32BE(60_000, 20);
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    return png;
  };
  test.each<[string, string, () => Promise<Buffer>, RegExp]>([
    ['nothing', 'a.png', async () => Buffer.alloc(0), /empty/],
    ['words', 'a.png', async () => Buffer.from('just words'), /neither a PNG nor a JPEG/],
    [
      'a drawing',
      'a.svg',
      async () => Buffer.from('<?xml version="1.0"?><svg xmlns="…"/>'),
      /SVG drawing.*Save it as a PNG/,
    ],
    ['a drawing that says it is a PNG', 'a.png', async () => Buffer.from('<svg onload="x()"/>'), /SVG drawing/],
    ['a GIF', 'a.gif', () => aPicture(300, 100).gif().toBuffer(), /neither a PNG nor a JPEG/],
    ['a WebP', 'a.png', () => aPicture(300, 100).webp().toBuffer(), /neither a PNG nor a JPEG/],
    ['half a PNG', 'a.png', async () => (await whole()).subarray(0, 200), /damaged or incomplete/],
    [
      'half a JPEG',
      'a.jpg',
      async () => (await aPicture(300, 100).jpeg().toBuffer()).subarray(0, 600),
      /damaged or incomplete/,
    ],
    [
      'the beginning of a PNG',
      'a.png',
      async () => Buffer.concat([(await whole()).subarray(0, 8), Buffer.alloc(90, 7)]),
      /damaged/,
    ],
    [
      'too many bytes',
      'a.png',
      async () => Buffer.concat([await whole(), Buffer.alloc(2_000_000)]),
      /is 2\.1 MB\. A logo may be up to 2 MB\./,
    ],
    ['too many points', 'a.png', () => aLogo(4001, 1000), /4001 × 1000 pixels.*4,000/],
    ['a few bytes that say they are very many points', 'a.png', async () => grown(await whole()), /60000 × 60000/],
    ['too few points', 'a.png', () => aLogo(40, 20), /40 × 20 pixels, too few/],
    ['a stroke', 'a.png', () => aLogo(1200, 100), /too wide for/],
    ['a pole', 'a.png', () => aLogo(100, 400), /too tall for/],
    [
      'white on nothing',
      'a.png',
      async () =>
        sharp({ create: { width: 300, height: 100, channels: 4, background: '#fff' } })
          .png()
          .toBuffer(),
      /seen on white/,
    ],
  ])('%s', async (_what, name, bytes, sentence) => {
    const before = await current();
    const answer = await upload(await bytes(), name);
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'file' }], detail: expect.stringMatching(sentence) },
    });
    expect(answer.body).toMatchObject({ detail: expect.stringContaining(name) });
    expect(await current()).toEqual(before);
  });

  test('a store that fails: nothing is changed', async () => {
    const before = await current();
    const comesBack = breakFileStore(server.services.config);
    const answer = await upload(await aLogo(320, 100)).finally(comesBack);
    expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringContaining('Nothing was saved') } });
    expect(await current()).toEqual(before);
  });

  test('everybody but system administrators', async () => {
    const file = { name: 'logo.png', bytes: await whole() };
    for (const role of ROLES.filter((candidate) => candidate !== 'systemadmin')) {
      const as = await aUser(server.db, { roles: [role] });
      expect((await server.call(CompanyAdmin.UploadLogo, {}, { as, file })).status).toBe(403);
      expect((await server.call(CompanyAdmin.RemoveLogo, {}, { as })).status).toBe(403);
    }
    expect((await server.call(CompanyAdmin.UploadLogo, {}, { file })).status).toBe(401);
    expect((await server.call(CompanyAdmin.UploadLogo, {}, { as: admin })).status).toBe(422);
  });
});

test('of two administrators, the second one gets a conflict, and the other company values do not change', async () => {
  await remove();
  const { company } = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  const other = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Al Other' });
  const [first, second] = [await aLogo(300, 100, '#111'), await aLogo(300, 100, '#222')];
  const done = await upload(first, 'first.png', { replaces: '', as: other });
  expect(done.status).toBe(200);
  expect(await upload(second, 'second.png', { replaces: '' })).toMatchObject({
    status: 409,
    body: {
      detail: 'Al Other uploaded first.png in the meantime. Check it first. To use yours anyway, choose it again.',
    },
  });
  expect((await server.call(CompanyAdmin.RemoveLogo, { replaces: '' }, { as: admin })).status).toBe(409);
  const replaces = done.body.logo?.id ?? '';
  await server.ok(CompanyAdmin.RemoveLogo, { replaces }, { as: other });
  expect(await upload(second, 'second.png', { replaces })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Al Other removed the logo in the meantime.') },
  });
  // A form opened earlier is still current.
  expect((await server.call(CompanyAdmin.SaveCompany, { ...company, phone: '555' }, { as: admin })).status).toBe(200);
  const [, removed] = await server.ok(History.GetHistory, { type: 'company', id: 1 }, { as: admin });
  expect(removed).toMatchObject({ action: 'Remove logo', changes: [{ field: 'Logo', after: '' }] });
});

describe('on quotes', () => {
  test('a draft has it; what was sent keeps it when it is replaced and removed', async () => {
    await remove();
    const before = await sent();
    const first = await uploaded(await aLogo(600, 200, '#a11'));
    const draft = await aPricedQuote(server.db, { statusId: 'Processing' });
    const drawn = await server.call(QuoteWorkflow.GenerateQuotePdf, { id: draft.id }, { as: cs });
    expect(picturesIn(drawn.bytes)).toBe(1);

    const quote = await sent();
    const next = await uploaded(await aLogo(300, 300, '#1a1'));
    const later = await sent();
    await remove();
    expect(await logoOn(before.docId)).toBeNull();
    expect(await logoOn(quote.docId)).toEqual({ id: first.id, width: 600, height: 200 });
    expect(await logoOn(later.docId)).toEqual({ id: next.id, width: 300, height: 300 });
    expect((await get(logoAddress(first))).status).toBe(200);
    // Rendered only now, after the logo was removed.
    expect(picturesIn(await pdfOf(before.docId))).toBe(0);
    const pdf = await pdfOf(quote.docId);
    expect(picturesIn(pdf)).toBe(1);
    const { document } = await server.db
      .selectFrom('quote_revision')
      .select('document')
      .where('doc_id', '=', quote.docId)
      .executeTakeFirstOrThrow();
    expect(document).toMatchObject({ company: { logo: { id: first.id } } });
    // Rendering again produces the same bytes.
    await server.db
      .updateTable('quote_revision')
      .set({ pdf_file_id: null })
      .where('doc_id', '=', quote.docId)
      .execute();
    expect((await pdfOf(quote.docId)).equals(pdf)).toBe(true);
  });

  test('a document of before there were logos has none', async () => {
    const quote = await sent();
    await sql`update quote_revision set document = document #- '{company,logo}' where doc_id = ${quote.docId}`.execute(
      server.db,
    );
    expect(await logoOn(quote.docId)).toBeNull();
    expect(picturesIn(await pdfOf(quote.docId))).toBe(0);
  });

  test('a lost file: page and PDF come without it, the log says so; the same upload brings it back', async () => {
    const bytes = await aLogo(500, 150, '#33c');
    const logo = await uploaded(bytes);
    const quote = await sent();
    rmSync(await fileOf(logo.id));
    logged.length = 0;
    expect(await get(logoAddress(logo))).toMatchObject({
      status: 410,
      headers: { 'cache-control': 'no-store', 'content-type': 'application/problem+json' },
      text: expect.stringContaining('This logo is missing from the file store. Contact your system administrator.'),
    });
    expect(logged.filter((line) => line.includes('the file store has lost a logo'))).toHaveLength(1);
    expect(await logoOn(quote.docId)).toMatchObject({ id: logo.id });
    logged.length = 0;
    expect(picturesIn(await pdfOf(quote.docId))).toBe(0);
    expect(logged.some((line) => line.includes('the file store has lost a logo'))).toBe(true);

    expect(await uploaded(bytes)).toEqual(logo);
    expect((await get(logoAddress(logo))).status).toBe(200);
    expect(picturesIn(await pdfOf((await sent()).docId))).toBe(1);
  });

  test('a file that is not what it was counts as lost', async () => {
    const logo = await uploaded(await aLogo(500, 150, '#c3c'));
    const quote = await sent();
    writeFileSync(await fileOf(logo.id), await aLogo(500, 150, '#000'));
    expect(picturesIn(await pdfOf(quote.docId))).toBe(0);
  });

  test('a store that is away for a moment: the PDF comes without the logo, and that one is not kept', async () => {
    await uploaded(await aLogo(500, 150, '#3cc'));
    const quote = await sent();
    const comesBack = breakFileStore(server.services.config);
    try {
      expect(picturesIn(await pdfOf(quote.docId))).toBe(0);
    } finally {
      comesBack();
    }
    expect(picturesIn(await pdfOf(quote.docId))).toBe(1);
    await server.drain();
    expect(picturesIn(await pdfOf(quote.docId))).toBe(1);
    expect(server.mails.at(-1)?.attachments?.length).toBe(1);
  });
});

test('the same logo again is no change, and stores nothing', async () => {
  const bytes = await aLogo(444, 111);
  const logo = await uploaded(bytes);
  const files = () =>
    readdirSync(server.services.config.storageUrl.slice('file:'.length), {
      recursive: true,
      withFileTypes: true,
    }).filter((candidate) => candidate.isFile()).length;
  const events = async () => (await server.ok(History.GetHistory, { type: 'company', id: 1 }, { as: admin })).length;
  const before = [files(), await events()];
  expect(await uploaded(bytes)).toEqual(logo);
  expect([files(), await events()]).toEqual(before);
});
