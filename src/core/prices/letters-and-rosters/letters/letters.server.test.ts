// Tests letters of commitment over HTTP: steps, what each needs, files, the PDF, and who sees which.
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { aContract, aGpo, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { letterContent, letterPdf, letterPool } from './letter-pdf.server.ts';
import { Letters } from './letters.contract.ts';

type Office = Awaited<ReturnType<typeof aSalesOffice>>;
let server: TestServer;
let office: Office;
let keeper: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-06-15T15:00:00Z');
  office = await aSalesOffice(server.db);
  keeper = office.contracts;
});
afterAll(() => server.close());

async function ours() {
  const { db } = server;
  const gpo = await aGpo(db, { name: `Buyers ${Math.random()}` });
  const contract = await aContract(db, { gpoId: gpo.id, facilityIds: [office.facility.id] });
  const { id: tierId } = await aTier(db, {
    contractId: contract.id,
    no: 2,
    needsLoc: true,
    fallbackId: contract.tierId,
  });
  return { contractId: contract.id, tierId, facilityId: office.facility.id };
}
const save = (overrides: Record<string, unknown>, as: { id: number } = keeper) =>
  server.call(Letters.SaveLoc, { id: 0, state: 'Sent', from: '2026-07-01', to: null, ...overrides }, { as });
const SIGNED = { state: 'Signed', signer: 'Pat Doe', signedOn: '2026-06-10' };
const paths = ({ body }: { body: unknown }) =>
  ((body as { errors?: { path: string }[] }).errors ?? []).map(({ path }) => path);
const attach = (
  id: number,
  version: number,
  file = { name: 'signed.pdf', bytes: Buffer.from('%PDF-1.7 signed') },
  as = keeper,
) => server.call(Letters.AttachLocFile, { id, version }, { as, file });

describe('a letter', () => {
  it('goes from sent to approved to revoked, with a version check and each step in its history', async () => {
    const input = await ours();
    const { body: sent } = await save(input);
    expect(sent).toMatchObject({ state: 'Sent', tierNo: 2, from: '2026-07-01', to: null, version: 1, file: null });
    const edit = { ...input, id: sent.id };
    expect(
      paths(await save({ ...edit, version: 1, state: 'Approved', signer: 'P', signedOn: '2026-06-10' })),
    ).toContain('state');
    expect(paths(await save({ ...edit, version: 1, state: 'Signed' }))).toEqual(['signer', 'signedOn']);
    expect(paths(await save({ ...edit, version: 1, ...SIGNED, signedOn: '2026-06-16' }))).toEqual(['signedOn']);
    expect((await save({ ...edit, version: 1, ...SIGNED })).body).toMatchObject({ state: 'Signed', version: 2 });
    const late = await save({ ...edit, version: 1, state: 'Received' });
    expect(late.status).toBe(409);
    expect(JSON.stringify(late.body)).toContain("State from 'Sent' to 'Signed'");
    expect((await save({ ...edit, state: 'Received' })).status).toBe(422);
    const approved = { ...edit, ...SIGNED, state: 'Approved' };
    expect((await save({ ...approved, version: 2 })).body).toMatchObject({ state: 'Approved', version: 3 });
    // The agreed fields cannot change, but the letter can get a last day.
    const other = await aTier(server.db, { contractId: input.contractId, no: 3 });
    expect(
      paths(await save({ ...approved, version: 3, tierId: other.id, from: '2026-08-01', coversChildren: true })),
    ).toEqual(['tierId', 'coversChildren', 'from']);
    expect((await save({ ...approved, version: 3, to: '2026-12-31' })).body).toMatchObject({
      to: '2026-12-31',
      version: 4,
    });
    const revoke = { ...approved, state: 'Revoked', to: '2026-12-31', version: 4 };
    expect(paths(await save(revoke))).toEqual(['note']);
    expect((await save({ ...revoke, note: 'Commitment not kept' })).body).toMatchObject({ state: 'Revoked' });
    expect(paths(await save({ ...revoke, version: 5, state: 'Sent' }))).toContain('state');
    const history = await server.ok(History.GetHistory, { type: 'letter', id: sent.id }, { as: keeper });
    expect(history.map(({ action }) => action)).toEqual(['Edit', 'Edit', 'Edit', 'Edit', 'Create']);
  });

  it('with a first day in the past is approved only with a reason', async () => {
    const input = await ours();
    const { body } = await save({ ...input, ...SIGNED, from: '2026-06-14' });
    const approve = { ...input, ...SIGNED, id: body.id, version: 1, state: 'Approved' };
    expect(paths(await save({ ...approve, from: '2026-06-14' }))).toEqual(['note']);
    expect((await save({ ...approve, from: '2026-06-14', note: 'Mailed late by us' })).status).toBe(200);
    const { body: again } = await save({ ...input, ...SIGNED, from: '2026-12-01' });
    const second = await save({ ...approve, id: again.id, from: '2026-12-01' });
    expect(paths(second)).toEqual(['from']);
    expect(JSON.stringify(second.body)).toContain('already approved from 06/14/2026 on');
  });

  it('can be approved only by the contract department and system administrators', async () => {
    const input = await ours();
    const { body } = await save({ ...input, ...SIGNED });
    const approve = { ...input, ...SIGNED, id: body.id, version: 1, state: 'Approved' };
    for (const as of [office.rep, office.support, office.manager, office.cs, office.inside, office.salesAdmin])
      expect((await save(approve, as)).status).toBe(403);
    expect((await save(approve, office.admin)).status).toBe(200);
  });

  it.each([
    ['ends before it begins', { to: '2026-06-30' }, 'to'],
    ['a tier of another contract', { tierId: 2_147_483_000 }, 'tierId'],
    ['a facility that does not exist', { facilityId: 2_147_483_000 }, 'facilityId'],
    ['begins approved', { ...SIGNED, state: 'Approved' }, 'state'],
  ])('%s: refused', async (_what, wrong, path) => {
    expect(paths(await save({ ...(await ours()), ...wrong }))).toContain(path);
  });

  it('stays with its contract', async () => {
    const [first, two] = [await ours(), await ours()];
    const { body } = await save(first);
    expect((await save({ ...two, id: body.id, version: 1 })).status).toBe(404);
  });
});

describe('its file', () => {
  it('is replaceable until the letter is approved, and gets its type from its bytes', async () => {
    const input = await ours();
    const { body } = await save({ ...input, ...SIGNED });
    const page = { name: 'a.pdf', bytes: Buffer.from('<html>') };
    expect((await attach(body.id, 1, page)).status).toBe(422);
    expect((await attach(body.id, 9)).status).toBe(409);
    expect((await attach(body.id, 1)).body).toMatchObject({ file: { name: 'signed.pdf' }, version: 2 });
    const [first] = await keysOf(body.id);
    expect((await attach(body.id, 2, { name: 'better.pdf', bytes: Buffer.from('%PDF-1.7 better') })).status).toBe(200);
    await expect
      .poll(() =>
        server.services.files.get(first ?? '').then(
          () => 'there',
          () => 'gone',
        ),
      )
      .toBe('gone');
    const sent = await server.call(Letters.DownloadLocFile, { id: body.id }, { as: office.rep });
    expect(sent.bytes.toString()).toBe('%PDF-1.7 better');
    expect(String(sent.headers['content-disposition'])).toMatch(/^attachment/);
    await save({ ...input, ...SIGNED, id: body.id, version: 3, state: 'Approved' });
    expect((await attach(body.id, 4)).status).toBe(422);
  });

  const keysOf = async (id: number) =>
    (
      await server.db
        .selectFrom('contract_loc')
        .innerJoin('file', 'file.id', 'contract_loc.file_id')
        .select('storage_key')
        .where('contract_loc.id', '=', id)
        .execute()
    ).map(({ storage_key }) => storage_key);
});

describe('readers', () => {
  it('get the letters of facilities they serve, and no others by id', async () => {
    const input = await ours();
    const stranger = await aSalesOffice(server.db);
    const { body: mine } = await save(input);
    const { body: theirs } = await save({ ...input, facilityId: stranger.facility.id });
    await attach(theirs.id, 1);
    const list = (as: { id: number }, more = {}) =>
      server.ok(Letters.GetLocs, { contractId: input.contractId, ...more }, { as });
    expect((await list(office.rep)).records.map(({ id }) => id)).toEqual([mine.id]);
    expect((await list(office.cs)).total).toBe(2);
    expect((await list(office.cs, { state: 'Approved' })).total).toBe(0);
    expect((await list(office.cs, { keyword: stranger.facility.name })).records.map(({ id }) => id)).toEqual([
      theirs.id,
    ]);
    for (const call of [Letters.DownloadLocFile, Letters.GetLocPdf]) {
      expect((await server.call(call, { id: theirs.id }, { as: office.rep })).status).toBe(404);
      expect((await server.call(call, { id: theirs.id }, { as: office.cs })).status).toBe(200);
      expect((await server.call(call, { id: mine.id }, { as: stranger.rep })).status).toBe(404);
    }
    expect((await server.call(Letters.GetLocs, { contractId: input.contractId }, { as: stranger.rep })).status).toBe(
      404,
    );
    expect((await attach(mine.id, 1, undefined, office.rep)).status).toBe(403);
  });
});

it('is printed from its record, with hostile names as plain text', async () => {
  const input = await ours();
  const facility = await aFacility(server.db, { name: '#panic("x") Ávila $1$ _Clinic_' });
  await aFacility(server.db, { parentId: facility.id });
  await server.db
    .updateTable('contract_tier')
    .set({ requirement: '85% of purchases' })
    .where('id', '=', input.tierId)
    .execute();
  const { body } = await save({ ...input, facilityId: facility.id, coversChildren: true });
  const content = await letterContent(server.db, server.services, body);
  expect(Object.fromEntries(content.facts.map(({ label, value }) => [label, value]))).toMatchObject({
    Facility: '#panic("x") Ávila $1$ _Clinic_',
    'Also for': '1 facility below it',
    Tier: '2. Tier 2',
    Commitment: '85% of purchases',
    Days: '07/01/2026 – 12/31/2099',
  });
  const pdf = await server.call(Letters.GetLocPdf, { id: body.id }, { as: keeper });
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(String(pdf.headers['content-disposition'])).toMatch(/^attachment; filename="Letter of commitment C-\d+\.pdf"/);
  expect(pdf.headers['content-type']).toBe('application/pdf');
});

it('reports when the process that typesets it hangs, dies or fails, and the next letter works', async () => {
  const values = await ours();
  const { body } = await save(values);
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'quoteboard-test-letter-')), 'process.mjs');
  writeFileSync(
    file,
    `import { answerJobs } from ${JSON.stringify(import.meta.resolve('#platform/outside/pool-worker.server.ts'))};
    answerJobs(({ signers: [{ name }] }) => {
      if (name === 'hang') for (;;);
      if (name === 'die') process.exit(3);
      if (name === 'fail') throw new Error('unknown font');
      return { pdf: new Uint8Array([1, 2, 3]) };
    });`,
  );
  const pool = letterPool(pathToFileURL(file), 2000);
  const logged: unknown[] = [];
  const log = { error: (...input: unknown[]) => void logged.push(input) };
  const request = (signer: string) => letterPdf(server.db, server.services, { ...body, signer }, log, pool);
  for (const trouble of ['hang', 'die', 'fail']) {
    const [lost, next] = await Promise.allSettled([request(trouble), request('good')]);
    expect(lost).toMatchObject({
      status: 'rejected',
      reason: { status: 503, message: 'The PDF could not be made. Try again in a moment.' },
    });
    expect(next).toMatchObject({ status: 'fulfilled', value: { mediaType: 'application/pdf' } });
  }
  expect(logged).toHaveLength(3);
});
