// Tests what clearing by age deletes and keeps, kind by kind, its transactions, and its settings.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS, migrationsIn } from '#platform/db/migrate.server.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { Mailbox } from '#platform/mail/mailbox.contract.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { OrderRequests } from '#addons/orders/order-requests.contract.ts';
import { writeOrdersJob } from '#addons/orders/write-orders.server.ts';
import { Savings } from '#addons/savings/savings.contract.ts';
import { sendRevisionJob } from '#core/quoting/workflow-calls/sending/sending.server.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { FileMissingError } from '#platform/outside/file-store.server.ts';
import { aFile } from '#testing/factories/catalog.server.ts';
import { aFacility, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote, aQuote } from '#testing/factories/quotes.server.ts';
import { aSavingsAnalysis } from '#testing/factories/savings.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { clearOld, retentionJob } from './clear-old.server.ts';
import { readRetention } from './read-retention.server.ts';
import { type Months, Retention } from './retention.contract.ts';
import { RETENTION, RETENTION_GROUPS, type RetentionGroup } from './retention-groups.ts';

let server: TestServer;
let admin: { id: number };
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'retention-'));
const FOREVER = Object.fromEntries(RETENTION_GROUPS.map((group) => [group, null])) as Months;
/** The defaults, before any test saves other values. */
let first: Months;

beforeAll(async () => {
  server = await startTestServer({ config: { orderFolder: folder } });
  admin = await aUser(server.db, { roles: ['systemadmin'] });
  first = (await server.ok(Retention.GetRetention, {}, { as: admin })).months;
});
beforeEach(async () => {
  await server.drain();
  await keep({});
});
afterAll(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true });
});

const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
/** Keeps only the named groups for these months, the others forever. */
const keep = (months: Partial<Months>) =>
  server.db
    .updateTable('retention')
    .set((eb) => ({ ...FOREVER, ...months, version: eb('version', '+', 1) }))
    .execute();
const clear = (atATime?: number) => clearOld(server.services, atATime);
const preview = (group: RetentionGroup, months: number) =>
  server.ok(Retention.PreviewRetention, { group, months }, { as: admin });
const clearEvents = async () =>
  (await server.ok(History.GetHistory, { type: 'retention', id: 1 }, { as: admin }))
    .filter(({ action }) => action === 'Clear')
    .map(({ comment }) => comment);

describe('mail', () => {
  const STATES = ['Sent', 'Waiting', 'HandingOver', 'Uncertain', 'Failed'];
  const aMail = async (state: string, days: number, subject = `${state} ${days}`) => {
    const id = await server.db
      .transaction()
      .execute((db) => queueMail(db, server.services.jobs, { to: ['pat@example.org'], subject, body: 'Hello' }));
    await server.db
      .updateTable('mail')
      .set({ state, created_at: ago(days), sent_at: state === 'Sent' ? ago(days) : null })
      .where('id', '=', id)
      .execute();
    return id;
  };
  const mails = async () =>
    (await server.db.selectFrom('mail').select('subject').orderBy('id').execute()).map((entry) => entry.subject);

  it('goes when it was sent and is old, whatever else is old', async () => {
    for (const state of STATES) await aMail(state, 400);
    await aMail('Sent', 80);
    await keep({ mail: 3 });
    expect((await preview('mail', 3)).going).toEqual([{ kind: 'mail', rows: 1, more: false }]);
    expect(await clear()).toBe(1);
    expect(await mails()).toEqual(['Waiting 400', 'HandingOver 400', 'Uncertain 400', 'Failed 400', 'Sent 80']);
    expect((await preview('mail', 3)).going).toEqual([{ kind: 'mail', rows: 0, more: false }]);
    await server.db.deleteFrom('mail').execute();
  });

  it('that somebody marked as arrived counts from when it was written', async () => {
    const id = await aMail('Sent', 400);
    await server.db.updateTable('mail').set({ sent_at: null }).where('id', '=', id).execute();
    await keep({ mail: 3 });
    expect(await clear()).toBe(1);
  });

  it('is reported as cleared, and one that never existed is not found', async () => {
    const id = await aMail('Sent', 400);
    await keep({ mail: 3 });
    await clear();
    const gone = await server.call(Mailbox.GetMail, { id }, { as: admin });
    expect([gone.status, gone.body]).toMatchObject([
      410,
      { detail: expect.stringMatching(/^This email was cleared/) as string },
    ]);
    expect((await server.call(Mailbox.GetMail, { id: id + 1000 }, { as: admin })).status).toBe(404);
    expect(await server.ok(History.GetCleared, {}, { as: admin })).toContainEqual({
      kind: 'mail',
      before: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    });
  });

  it('of a report goes with its files; those of a quote stay with the quote', async () => {
    const owned = await aQuote(server.db);
    const stored = await Promise.all(
      [null, owned.id].map(async (quoteId) => {
        const file = await aFile(server.db, server.services.files);
        const id = await aMail('Sent', 40);
        const attachments = JSON.stringify([{ fileId: file.id, name: 'report.pdf' }]);
        await server.db.updateTable('mail').set({ attachments, quote_id: quoteId }).where('id', '=', id).execute();
        return file.id;
      }),
    );
    await keep({ mail: 1 });
    await clear();
    const left = await server.db.selectFrom('file').select('id').where('id', 'in', stored).execute();
    expect(left).toEqual([{ id: stored[1] }]);
  });

  it('of a quote goes with the copy of its text, and the quote is not sent a second time', async () => {
    const { id: quoteId } = await aPricedQuote(server.db, { statusId: 'Processing' });
    const { version } = await server.db
      .selectFrom('quote')
      .select('version')
      .where('id', '=', quoteId)
      .executeTakeFirstOrThrow();
    const sent = { to: ['buyer@example.org'], cc: [], subject: 'Your quote', body: 'Secret words', attachmentIds: [] };
    await server.ok(QuoteWorkflow.SendEmail, { quoteId, version, ...sent }, { as: admin });
    await server.drain();
    const sending = () => server.db.selectFrom('quote_sending').selectAll().executeTakeFirstOrThrow();
    const { id: sendingId, mail_id } = await sending();
    expect(mail_id).not.toBeNull();
    await server.db
      .updateTable('mail')
      .set({ sent_at: ago(400) })
      .where('id', '=', mail_id)
      .execute();
    await keep({ mail: 3 });
    expect(await clear()).toBe(1);
    expect(await sending()).toMatchObject({ mail_id, subject: '', body: '', recipients: ['buyer@example.org'] });
    const before = server.mails.length;
    await sendRevisionJob.run(server.services, { sendingId });
    await server.drain();
    expect(server.mails).toHaveLength(before);
    expect(await server.db.selectFrom('quote_revision').select('pdf_file_id').execute()).toEqual([
      { pdf_file_id: expect.any(Number) as number },
    ]);
  });

  it('goes in transactions of the given size, with one line in the history', async () => {
    for (let n = 0; n < 7; n++) await aMail('Sent', 400 + n, `Old ${n}`);
    await keep({ mail: 3 });
    const before = (await clearEvents()).length;
    const {
      rows: [first],
    } = await sql<{ at: string }>`select pg_current_xact_id()::text as at`.execute(server.db);
    expect(await clear(3)).toBe(7);
    const lines = await clearEvents();
    expect(lines).toHaveLength(before + 1);
    expect(lines[0]).toMatch(/^Sent mail: 7 emails from before \d\d\/\d\d\/\d{4}\.$/);
    const {
      rows: [last],
    } = await sql<{ at: string }>`select pg_current_xact_id()::text as at`.execute(server.db);
    expect(Number(last?.at) - Number(first?.at)).toBeGreaterThan(3);
    expect(await clear(3)).toBe(0);
    expect(await clearEvents()).toHaveLength(before + 1);
  });

  it('stays when a longer time is saved before its transaction', async () => {
    await aMail('Sent', 400);
    await keep({ mail: 3 });
    const cleared = await server.db.transaction().execute(async (db) => {
      await db.updateTable('retention').set(FOREVER).execute();
      return { running: clear() };
    });
    expect(await cleared.running).toBe(0);
    await server.db.deleteFrom('mail').execute();
  });

  it('goes on in the next try of a job that a stopping server ended, and the history counts all', async () => {
    for (let n = 0; n < 5; n++) await aMail('Sent', 400);
    await keep({ mail: 3 });
    const { services } = server;
    let looks = 0;
    const stopping = { ...services, jobs: { ...services.jobs, isStopping: () => ++looks > 2 } };
    const lines = (await clearEvents()).length;
    // Each mail is counted as four rows, because its copy is cleared and it may have two files.
    await expect(clearOld(stopping, 8)).rejects.toThrow('The server stops');
    expect(await mails()).toHaveLength(1);
    expect(await clearEvents()).toHaveLength(lines);
    await services.jobs.send(server.db, retentionJob);
    await server.drain();
    expect(await mails()).toEqual([]);
    expect((await clearEvents())[0]).toMatch(/: 5 emails from before /);
  });
});

describe('the history of records', () => {
  const anEvent = async (type: string, id: number, action: string, days: number) => {
    const { id: event } = await server.db
      .insertInto('record_event')
      .values({ record_type: type, record_id: id, record_name: 'Old', actor: 'Kim', action, at: ago(days) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return event;
  };
  const there = async (ids: number[]) =>
    (await server.db.selectFrom('record_event').select('id').where('id', 'in', ids).orderBy('id').execute()).map(
      ({ id }) => id,
    );

  it('keeps the newest of each action of a record, and clears the older ones', async () => {
    const ids = [
      await anEvent('item', 901, 'Create', 900),
      await anEvent('item', 901, 'Edit', 800),
      await anEvent('item', 901, 'Edit', 700),
      await anEvent('item', 901, 'Edit', 30),
      await anEvent('item', 902, 'Edit', 600),
    ];
    await keep({ history: 12 });
    expect((await preview('history', 12)).going).toMatchObject([{ rows: 2 }]);
    expect(await clear()).toBe(2);
    expect(await there(ids)).toEqual([ids[0], ids[3], ids[4]]);
  });

  it('keeps when a territory was switched, by which earlier days are judged, and what the security log points at', async () => {
    const { id } = await aTerritory(server.db);
    const ids = [];
    for (const days of [900, 800, 700]) {
      ids.push(await anEvent('territory', id, 'Deactivate', days));
      ids.push(await anEvent('territory', id, 'Activate', days - 1));
    }
    await recordChange(
      server.db,
      { ...admin, fullName: 'Kim' },
      { type: 'publicSite', id: 1, name: 'Site', action: 'Lock' },
    );
    await recordChange(
      server.db,
      { ...admin, fullName: 'Kim' },
      { type: 'publicSite', id: 1, name: 'Site', action: 'Lock' },
    );
    await keep({ history: 12 });
    const pointed = await server.db
      .selectFrom('security_event')
      .select('event_id')
      .where('event_id', 'is not', null)
      .execute();
    server.setNow(new Date(Date.now() + 500 * 86_400_000).toISOString());
    await clear().finally(() => server.setNow(null));
    expect(await there(ids)).toEqual(ids);
    const events = pointed.map(({ event_id }) => event_id ?? 0);
    expect(await there(events)).toEqual(events.toSorted((a, b) => a - b));
  });

  it('is deleted by nobody else, and that of quotes by nobody at all', async () => {
    const id = await anEvent('item', 903, 'Edit', 900);
    await expect(server.db.deleteFrom('record_event').where('id', '=', id).execute()).rejects.toThrow(
      'retention alone',
    );
    await expect(
      server.db.updateTable('record_event').set({ actor: 'X' }).where('id', '=', id).execute(),
    ).rejects.toThrow('never changed');
    const quote = await aQuote(server.db);
    await server.db
      .insertInto('quote_event')
      .values({ quote_id: quote.id, actor: 'Kim', action: 'Edit', revision: 1, at: ago(5000) })
      .execute();
    await keep(Object.fromEntries(RETENTION_GROUPS.map((group) => [group, RETENTION[group].least])));
    await clear();
    expect(
      await server.db.selectFrom('quote_event').select('id').where('quote_id', '=', quote.id).execute(),
    ).toHaveLength(1);
    await expect(
      server.db.transaction().execute(async (db) => {
        await sql`select set_config('quoteboard.clearing', 'on', true)`.execute(db);
        await db.deleteFrom('quote_event').where('quote_id', '=', quote.id).execute();
      }),
    ).rejects.toThrow('never changed');
  });
});

describe('imports', () => {
  const aStored = async (name: string) => {
    const storage_key = await server.services.files.put(Buffer.from(name));
    const { id } = await server.db
      .insertInto('file')
      .values({ storage_key, name, media_type: 'text/csv', size: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, storage_key };
  };
  const anImport = async (
    kind: string,
    overrides: { state: string; undoable?: boolean; days?: number; fileId?: number },
  ) => {
    const file = await aStored(`${kind}.csv`);
    const refused = await aStored(`${kind}-refused.csv`);
    const at = ago(overrides.days ?? 400);
    const { id } = await server.db
      .insertInto('data_import')
      .values({
        kind,
        file_id: overrides.fileId ?? file.id,
        refused_file_id: refused.id,
        file_name: `${kind}.csv`,
        mapping: '{}',
        state: overrides.state,
        undoable: overrides.undoable ?? false,
        created_by: admin.id,
        created_at: at,
        applied_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, file, refused };
  };
  const isStored = (key: string) =>
    server.services.files.get(key).then(
      () => true,
      (error: unknown) => !(error instanceof FileMissingError),
    );
  const isThere = async (id: number) =>
    (await server.db.selectFrom('data_import').select('id').where('id', '=', id).execute()).length > 0;

  it('go with their rows and files; a file that something else refers to stays', async () => {
    const quote = await aQuote(server.db);
    const shared = await aStored('shared.csv');
    await server.db.insertInto('quote_file').values({ quote_id: quote.id, file_id: shared.id }).execute();
    const old = await anImport('contacts', { state: 'Applied' });
    const sharing = await anImport('contacts', { state: 'Undone', fileId: shared.id });
    await server.db
      .insertInto('data_import_held')
      .values({ import_id: old.id, line: 2, key: 'A', was: '1', now: '2' })
      .execute();
    // The next file of the kind is matched like this one.
    const newest = await anImport('contacts', { state: 'Applied' });
    await keep({ files: 3 });
    expect(await clear()).toBe(2);
    expect([await isThere(old.id), await isThere(sharing.id), await isThere(newest.id)]).toEqual([false, false, true]);
    const stored = [old.file, old.refused, sharing.refused, shared, newest.file].map(({ storage_key }) =>
      isStored(storage_key),
    );
    expect(await Promise.all(stored)).toEqual([false, false, false, true, true]);
    expect(await server.db.selectFrom('file').select('id').where('id', '=', shared.id).execute()).toHaveLength(1);
    const gone = await server.call(DataImport.GetImport, { id: old.id }, { as: admin });
    expect([gone.status, gone.body]).toMatchObject([
      410,
      { detail: expect.stringMatching(/^This import was cleared/) as string },
    ]);
  });

  it('stay while they can be undone, are at work, brought by the watched folder, or what the map draws came of them', async () => {
    const stay = [
      await anImport('items', { state: 'Applied', undoable: true }),
      await anImport('items', { state: 'Checking' }),
      await anImport('items', { state: 'Applying' }),
      await anImport('items', { state: 'Failed', days: 20 }),
    ];
    const taken = await anImport('items', { state: 'Failed' });
    const drawn = await anImport('items', { state: 'Undone' });
    const failed = await anImport('items', { state: 'Failed' });
    await anImport('items', { state: 'Checked', days: 1 });
    await server.db
      .insertInto('import_inbox_file')
      .values({ kind: 'items', name: 'a.csv', sha256: 'a', import_id: taken.id, taken_at: ago(400) })
      .execute();
    await server.db
      .insertInto('geo_file')
      .values({ import_id: drawn.id, state: 'RI', sha: 'a', packed: Buffer.of(), zips: '02818' })
      .execute();
    await keep({ files: 3 });
    expect(await clear()).toBe(1);
    for (const { id } of [...stay, taken, drawn]) expect(await isThere(id)).toBe(true);
    expect(await isThere(failed.id)).toBe(false);
  });

  it('lose their stored files only after their rows are gone for good', async () => {
    const old = await anImport('costs', { state: 'Failed' });
    await keep({ files: 3 });
    const { services } = server;
    const removed: { key: string; rows: number }[] = [];
    const remove = async (key: string) => {
      // Read on another connection, so it sees only what was committed.
      const rows = await server.db.selectFrom('file').select('id').where('storage_key', '=', key).execute();
      removed.push({ key, rows: rows.length });
    };
    await clearOld({ ...services, files: { ...services.files, remove } });
    expect(removed.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(
      [old.file, old.refused]
        .map(({ storage_key: key }) => ({ key, rows: 0 }))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    );
  });

  it('with more held rows than a transaction takes go one by one, each with all its rows', async () => {
    const many = [await anImport('users', { state: 'Failed' }), await anImport('users', { state: 'Failed' })];
    for (const { id } of many)
      for (let line = 1; line <= 6; line++)
        await server.db
          .insertInto('data_import_held')
          .values({ import_id: id, line, key: 'A', was: '1', now: '2' })
          .execute();
    await keep({ files: 3 });
    expect(await clear(5)).toBe(2);
    expect(
      await server.db
        .selectFrom('data_import_held')
        .select('line')
        .where(
          'import_id',
          'in',
          many.map(({ id }) => id),
        )
        .execute(),
    ).toEqual([]);
  });
});

describe('order files', () => {
  const aWrittenOrder = async () => {
    const { id, num } = await aPricedQuote(server.db, { statusId: 'SentToCustomer' });
    await server.ok(
      QuoteWorkflow.PerformWorkflowAction,
      { quoteId: id, action: 'MarkWon', version: 1, poNumber: 'PO-1' },
      { as: admin },
    );
    await writeOrdersJob.run(server.services);
    await server.db
      .updateTable('order_file')
      .set({ written_at: ago(400) })
      .where('name', '=', `order-${num}-R1.json`)
      .execute();
    const row = await server.db
      .selectFrom('order_request')
      .select(['id', 'version'])
      .where('quote_id', '=', id)
      .executeTakeFirstOrThrow();
    return { ...row, file: path.join(folder, `order-${num}-R1.json`) };
  };

  it('go from the table and from the folder; a file with other content stays', async () => {
    await server.db.updateTable('order_settings').set({ files: true, format: 'json' }).execute();
    const [order, other] = [await aWrittenOrder(), await aWrittenOrder()];
    fs.writeFileSync(other.file, 'somebody else');
    await keep({ files: 3 });
    expect((await preview('files', 3)).going).toContainEqual({ kind: 'orderFiles', rows: 2, more: false });
    expect(await clear()).toBe(2);
    expect([fs.existsSync(order.file), fs.existsSync(other.file)]).toEqual([false, true]);
    const gone = await server.call(OrderRequests.GetOrderFile, { id: order.id, format: 'json' }, { as: admin });
    expect(gone.status).toBe(410);
    expect(await clear()).toBe(0);
  });

  it('are not written a second time, with what may be other content', async () => {
    const order = await aWrittenOrder();
    await keep({ files: 3 });
    await clear();
    await server.ok(OrderRequests.ResendOrderRequest, { id: order.id, version: order.version }, { as: admin });
    await writeOrdersJob.run(server.services);
    expect(fs.existsSync(order.file)).toBe(false);
    const { records } = await server.ok(OrderRequests.SearchOrderRequests, {}, { as: admin });
    expect(records.find(({ id }) => id === order.id)).toMatchObject({
      state: 'Waiting',
      error: expect.stringContaining('deleted') as string,
    });
  });

  it('of an order that waits again stay', async () => {
    const order = await aWrittenOrder();
    await server.db.updateTable('order_request').set({ state: 'Waiting' }).where('id', '=', order.id).execute();
    await keep({ files: 3 });
    expect(await clear()).toBe(0);
    expect(fs.existsSync(order.file)).toBe(true);
  });
});

it('sessions go with their tokens, except the last of each person', async () => {
  const user = await aUser(server.db, { roles: ['salesrep'] });
  const ids = [];
  for (const days of [500, 460, 440, 410]) {
    const { id } = await server.db
      .insertInto('session')
      .values({ user_id: user.id, created_at: ago(days + 1), last_used_at: ago(days) })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
    for (let n = 0; n < 3; n++)
      await server.db
        .insertInto('refresh_token')
        .values({ token_hash: `${id} ${n}`, session_id: id, expires_at: ago(days) })
        .execute();
  }
  await keep({ sessions: 14 });
  expect((await preview('sessions', 14)).going).toMatchObject([{ rows: 3 }]);
  expect(await clear(6)).toBe(3);
  const left = await server.db.selectFrom('session').select('id').where('user_id', '=', user.id).execute();
  expect(left).toEqual([{ id: ids[3] }]);
  await keep({ sessions: 2 });
  expect(await clear()).toBe(0);
});

it('keys of new quotes go', async () => {
  const quotes = [await aQuote(server.db), await aQuote(server.db)];
  for (const [n, { id }] of quotes.entries())
    await server.db
      .insertInto('new_quote_key')
      .values({ user_id: admin.id, client_key: `key ${n}`, quote_id: id, created_at: ago(n === 0 ? 40 : 20) })
      .execute();
  await keep({ notices: 1 });
  expect(await clear()).toBe(1);
  expect(await server.db.selectFrom('new_quote_key').select('quote_id').execute()).toEqual([
    { quote_id: quotes[1]?.id },
  ]);
});

it('files of savings analyses go, and the analyses stay; one that still has to be read stays', async () => {
  const facility = await aFacility(server.db);
  const shared = { facility_id: facility.id, owner_id: admin.id };
  const analyses = [
    await aSavingsAnalysis(server.db, { ...shared, state: 'ready', rows: [{}] }),
    await aSavingsAnalysis(server.db, { ...shared, state: 'columns' }),
    await aSavingsAnalysis(server.db, { ...shared, state: 'ready' }),
  ];
  const files: { id: number; storageKey: string }[] = [];
  for (const [n, { id }] of analyses.entries()) {
    const file = await aFile(server.db, server.services.files);
    const { storage_key: storageKey } = await server.db
      .selectFrom('file')
      .select('storage_key')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow();
    files.push({ id: file.id, storageKey });
    await server.db
      .insertInto('savings_file')
      .values({ analysis_id: id, file_id: file.id, kept_at: ago(n === 2 ? 20 : 40) })
      .execute();
  }
  await keep({ files: 1 });
  expect(await clear()).toBe(1);
  await expect(server.services.files.get(files[0]?.storageKey ?? '')).rejects.toBeInstanceOf(FileMissingError);
  const stored = await server.db.selectFrom('savings_file').select('file_id').orderBy('file_id').execute();
  expect(stored.map((entry) => entry.file_id)).toEqual([files[1]?.id, files[2]?.id]);
  const [first] = analyses;
  const analysis = await server.ok(Savings.GetAnalysis, { id: first?.id ?? 0 }, { as: admin });
  expect(analysis.rowCount).toBe(1);
  const again = { id: analysis.id, version: analysis.version, fields: ['makerNo', 'description'] as never };
  const { status, body } = await server.call(Savings.SetUsageColumns, again, { as: admin });
  expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('no longer stored')]);
});

it('a restored copy clears nothing while its mail is held', async () => {
  const { id: quoteId } = await aQuote(server.db);
  await server.db
    .insertInto('new_quote_key')
    .values({ user_id: admin.id, client_key: 'of the copy', quote_id: quoteId, created_at: ago(40) })
    .execute();
  await keep({ notices: 1 });
  await server.db.updateTable('installation').set({ mail_held_at: new Date() }).execute();
  expect(await clear()).toBe(0);
  expect((await server.ok(Retention.GetRetention, {}, { as: admin })).held).toBe(true);
  await server.db.updateTable('installation').set({ mail_held_at: null }).execute();
  expect(await clear()).toBe(1);
});

describe('the settings', () => {
  const read = () => server.ok(Retention.GetRetention, {}, { as: admin });

  it('begin with what loses nothing', () => {
    expect(first).toEqual({ mail: null, history: null, files: null, sessions: 14, notices: 3 });
  });

  it.each([
    [{}, { mail: null, history: null, files: null, sessions: 14, notices: 3 }],
    [
      { mail: 90, recordEvents: 400, imports: 30, usageFiles: 200, orderFiles: 90, sessions: 30, notifications: 7 },
      { mail: 3, history: 14, files: 7, sessions: 2, notices: 1 },
    ],
    [
      { mail: 36_500, imports: 30, usageFiles: 30, sessions: null, newQuoteKeys: null },
      { mail: 1_200, history: null, files: null, sessions: null, notices: null },
    ],
  ])('come of the longest days of their kinds: %j', async (days, months) => {
    const migration = (await migrationsIn(MIGRATIONS)).find(({ name }) => name.endsWith('-months-of-retention'));
    const rolledBack = new Error('rolled back');
    const converting = server.db.transaction().execute(async (db) => {
      await sql`alter table retention add column days jsonb, drop column mail, drop column history, drop column files,
        drop column sessions, drop column notices`.execute(db);
      await sql`update retention set days = ${JSON.stringify(days)}`.execute(db);
      await sql.raw(migration?.text ?? '').execute(db);
      expect((await readRetention(db)).months).toEqual(months);
      throw rolledBack;
    });
    await expect(converting).rejects.toBe(rolledBack);
  });

  it('are saved over a version, with what changed in the history and the security log', async () => {
    const { version } = await read();
    const saved = await server.ok(Retention.SaveRetention, { version, months: { mail: 13 } }, { as: admin });
    expect(saved.months).toEqual({ ...FOREVER, mail: 13 });
    const stale = await server.call(Retention.SaveRetention, { version, months: { mail: 20 } }, { as: admin });
    expect([stale.status, stale.body]).toMatchObject([
      409,
      { conflict: { current: { mail: 13, version: saved.version } } },
    ]);
    const [change] = await server.ok(History.GetHistory, { type: 'retention', id: 1 }, { as: admin });
    expect(change).toMatchObject({
      action: 'Edit',
      changes: [{ field: 'Sent mail', before: 'forever', after: '13 months' }],
    });
    const event = await server.db
      .selectFrom('security_event')
      .select('kind')
      .where('event_id', '=', change?.id ?? 0)
      .executeTakeFirst();
    expect(event).toEqual({ kind: 'Settings' });
  });

  it.each(RETENTION_GROUPS.map((group) => [group, RETENTION[group].least] as const))(
    '%s: at least %d months',
    async (group, least) => {
      const { version } = await read();
      const less = { version, months: { [group]: least - 1 } };
      const short = await server.call(Retention.SaveRetention, less, { as: admin });
      expect([short.status, short.body]).toMatchObject([422, { errors: [{ path: `months.${group}` }] }]);
      const early = await server.call(Retention.PreviewRetention, { group, months: least - 1 }, { as: admin });
      expect(early.status).toBe(422);
      expect((await preview(group, least)).before).toMatch(/^\d{4}-/);
      await server.ok(Retention.SaveRetention, { version, months: { [group]: least } }, { as: admin });
    },
  );

  it('nothing goes of what is kept forever', async () => {
    const forever = await server.ok(Retention.PreviewRetention, { group: 'mail', months: null }, { as: admin });
    expect(forever).toEqual({ before: null, going: [] });
  });

  it('count months by the calendar of the company', async () => {
    server.setNow('2026-05-31T15:00:00Z');
    const { before } = await preview('mail', 3).finally(() => server.setNow(null));
    expect(before).toBe('2026-02-28');
  });

  it('are for system administrators', async () => {
    const other = await aUser(server.db, { roles: ['salesadmin'] });
    expect((await server.call(Retention.GetRetention, {}, { as: other })).status).toBe(403);
    expect((await server.call(Retention.SaveRetention, { version: 1, months: {} }, { as: other })).status).toBe(403);
    expect((await server.call(Retention.PreviewRetention, { group: 'mail', months: 3 })).status).toBe(401);
  });
});
