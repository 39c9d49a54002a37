// Tests folders and files of contracts over HTTP: readers, names, moves, versions and removal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeOrphans } from '#platform/background-work/orphaned-files.server.ts';
import { breakFileStore } from '#testing/break-file-store.server.ts';
import { aZip } from '#testing/a-zip.server.ts';
import { contractFiles, pdf } from '#testing/contract-files.server.ts';
import { aContract, aGpo } from '#testing/factories/contracts.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ContractFiles, FolderFileNav } from './contract-files.contract.ts';

type Office = Awaited<ReturnType<typeof aSalesOffice>>;
let server: TestServer;
let office: Office;
let keeper: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
  office = await aSalesOffice(server.db);
  keeper = office.contracts;
});
afterAll(() => server.close());

const { ours, aFolder, upload, aFile } = contractFiles(
  () => server,
  () => office,
);
const nav = (overrides: Record<string, unknown>, as: { id: number } = keeper) =>
  server.call(FolderFileNav.navGPOContractFolder, overrides, { as });
const listFiles = async (overrides: Record<string, unknown>, as: { id: number } = keeper) => {
  const { folders, files } = await server.ok(FolderFileNav.navGPOContractFolder, overrides, { as });
  return { folders: folders.map(({ name }) => name), files: files.records.map(({ name }) => name) };
};
const saveFolder = (overrides: Record<string, unknown>, as = keeper) =>
  server.call(ContractFiles.SaveContractFolder, { id: 0, parentId: null, ...overrides }, { as });
const download = (id: number, as: { id: number } = keeper, versionId?: number) =>
  server.call(ContractFiles.DownloadContractFile, { id, ...(versionId ? { versionId } : {}) }, { as });

describe('browsing', () => {
  it('goes from GPOs to contracts to folders and files, and back by the path', async () => {
    const gpo = await aGpo(server.db, { name: 'Northern Buyers' });
    const { id, number } = await aContract(server.db, { gpoId: gpo.id });
    const folder = await aFolder(id, 'Amendments');
    const inner = await aFolder(id, '2026', folder.id);
    await aFile(id, 'Top.pdf');
    await aFile(id, 'Amendment 1.pdf', { folderId: inner.id });
    const top = (await nav({})).body;
    expect(top.path).toEqual([]);
    expect(top.folders.find(({ id: first }) => first === gpo.id)).toMatchObject({ kind: 'gpo', files: 2 });
    expect((await nav({ gpoId: gpo.id })).body.folders).toMatchObject([
      { kind: 'contract', id, name: number, files: 2 },
    ]);
    expect((await nav({ contractId: id })).body).toMatchObject({
      path: [
        { kind: 'gpo', name: 'Northern Buyers' },
        { kind: 'contract', id, name: number },
      ],
      folders: [{ kind: 'folder', name: 'Amendments', files: 1, version: 1 }],
      files: { records: [{ name: 'Top.pdf', mediaType: 'application/pdf', versions: 1, audience: 'all' }], total: 1 },
    });
    const deep = (await nav({ folderId: inner.id })).body;
    expect(deep.path.map(({ name }) => name)).toEqual(['Northern Buyers', number, 'Amendments', '2026']);
    expect(await listFiles({ contractId: id, keyword: 'amend' })).toEqual({
      folders: ['Amendments'],
      files: ['Amendment 1.pdf'],
    });
    expect((await nav({ keyword: 'amendment 1' })).body.files.records).toMatchObject([
      { place: `${number} › Amendments › 2026` },
    ]);
    expect(await listFiles({ folderId: inner.id, keyword: 'top' })).toEqual({ folders: [], files: [] });
    expect(await listFiles({ gpoId: 0, keyword: 'amendment 1' })).toEqual({ folders: [], files: [] });
  });

  it('shows only contracts that the user may see, and files for their audience', async () => {
    const id = await ours();
    for (const audience of ['all', 'internal', 'contractdept'] as const)
      await aFile(id, `${audience}.pdf`, { audience });
    const stranger = await aSalesOffice(server.db);
    expect(await listFiles({ contractId: id }, office.rep)).toEqual({ folders: [], files: ['all.pdf'] });
    for (const user of [office.support, office.manager])
      expect((await listFiles({ contractId: id }, user)).files).toEqual(['all.pdf']);
    for (const user of [office.cs, office.inside, office.salesAdmin])
      expect((await listFiles({ contractId: id }, user)).files).toEqual(['all.pdf', 'internal.pdf']);
    for (const user of [office.contracts, office.admin])
      expect((await listFiles({ contractId: id }, user)).files).toHaveLength(3);
    const { records } = (await nav({ contractId: id })).body.files;
    const secret = records.find(({ audience }) => audience === 'contractdept')?.id ?? 0;
    const open = records.find(({ audience }) => audience === 'all')?.id ?? 0;
    expect((await download(secret, office.cs)).status).toBe(404);
    expect((await download(open, office.rep)).status).toBe(200);
    for (const answer of [
      await nav({ contractId: id }, stranger.rep),
      await download(open, stranger.rep),
      await server.call(ContractFiles.GetContractFileVersions, { id: open }, { as: stranger.rep }),
    ])
      expect(answer.status).toBe(404);
    expect((await nav({ keyword: 'pdf' }, stranger.rep)).body).toMatchObject({ folders: [], files: { total: 0 } });
    expect((await nav({}, stranger.rep)).body.folders).toEqual([]);
    expect((await listFiles({ keyword: 'contractdept' }, office.cs)).files).toEqual([]);
  });

  it('refuses accounts without the GPO tab, and changes by people who do not maintain contracts', async () => {
    const id = await ours();
    const hidden = await aUser(server.db, { roles: ['contractdept'] });
    await server.db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', hidden.id).execute();
    expect((await nav({}, hidden)).status).toBe(403);
    expect((await saveFolder({ contractId: id, name: 'Mine' }, hidden)).status).toBe(403);
    expect((await upload({ contractId: id }, pdf('a.pdf'), hidden)).status).toBe(403);
    for (const user of [office.rep, office.cs, office.salesAdmin]) {
      expect((await saveFolder({ contractId: id, name: 'Mine' }, user)).status).toBe(403);
      expect((await upload({ contractId: id }, pdf('a.pdf'), user)).status).toBe(403);
    }
  });

  it('keeps contracts apart: a folder of another contract is not found and takes no file', async () => {
    const [first, two] = [await ours(), await ours()];
    const folder = await aFolder(first, 'Only here');
    const file = await aFile(two, 'Here.pdf');
    expect((await nav({ contractId: two, folderId: folder.id })).status).toBe(404);
    expect((await upload({ contractId: two, folderId: folder.id }, pdf('a.pdf'))).status).toBe(422);
    expect((await saveFolder({ contractId: two, parentId: folder.id, name: 'In it' })).status).toBe(422);
    const move = { id: file.id, version: file.version, name: file.name, audience: 'all' as const, folderId: folder.id };
    expect((await server.call(ContractFiles.SaveContractFile, move, { as: keeper })).status).toBe(422);
    expect((await upload({ contractId: first, fileId: file.id, version: 1 }, pdf('a.pdf'))).status).toBe(404);
  });

  it('pages through five thousand files of one folder', async () => {
    const id = await ours();
    const { id: blob } = await server.db
      .insertInto('file')
      .values({ storage_key: `many-${id}`, name: 'x', media_type: 'text/plain', size: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const name = (n: number) => `File ${String(n).padStart(4, '0')}.txt`;
    for (let start = 0; start < 5000; start += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => name(start + index));
      const created = await server.db
        .insertInto('contract_file')
        .values(rows.map((row) => ({ contract_id: id, name: row, name_key: row.toLowerCase(), file_id: blob })))
        .returning('id')
        .execute();
      await server.db
        .insertInto('contract_file_version')
        .values(created.map((entry) => ({ contract_file_id: entry.id, version_no: 1, file_id: blob })))
        .execute();
    }
    const last = (await nav({ contractId: id, page: 50, pageSize: 100 })).body.files;
    expect([last.total, last.pageCount, last.records.at(-1)?.name]).toEqual([5000, 50, name(4999)]);
    const { records } = (await nav({ contractId: id, pageSize: 1, sort: { field: 'name', dir: 'desc' } })).body.files;
    expect(records[0]?.name).toBe(name(4999));
  });
});

describe('a folder', () => {
  it('needs a unique name in its place, regardless of case and Unicode form', async () => {
    const id = await ours();
    await aFolder(id, 'Preise Für');
    for (const name of ['preise für', 'PREISE FU\u0308R'])
      expect((await saveFolder({ contractId: id, name })).body).toMatchObject({ errors: [{ path: 'name' }] });
    const inner = await aFolder(id, 'Other');
    expect((await saveFolder({ contractId: id, parentId: inner.id, name: 'Preise Für' })).status).toBe(200);
    await aFile(id, 'Taken.pdf');
    expect((await saveFolder({ contractId: id, name: 'taken.PDF' })).status).toBe(422);
    expect((await upload({ contractId: id }, pdf('other'))).status).toBe(422);
  });

  it.each(['../../up', String.raw`C:\x`, 'a/b', '..', 'CON', 'x\u202Efdp', 'x'.repeat(300), ' ', 'tab\u0000'])(
    'refuses or corrects the name %j',
    async (name) => {
      const answer = await saveFolder({ contractId: await ours(), name });
      const refused = { status: 422, body: { errors: [{ path: 'name' }] } };
      expect(answer).toMatchObject(name.startsWith('tab') ? { status: 200, body: { name: 'tab' } } : refused);
    },
  );

  it('is renamed and moved with a version check, and never into itself', async () => {
    const id = await ours();
    const [a, b] = [await aFolder(id, 'A'), await aFolder(id, 'B')];
    const c = await aFolder(id, 'C', a.id);
    const edit = (folder: { id: number }, fields: Record<string, unknown>) =>
      saveFolder({ id: folder.id, contractId: id, version: 1, ...fields });
    expect((await edit(a, { name: 'A', parentId: c.id })).body).toMatchObject({ errors: [{ path: 'parentId' }] });
    expect((await edit(a, { name: 'A', parentId: a.id })).status).toBe(422);
    expect((await edit(c, { name: 'C2', parentId: b.id })).body).toMatchObject({
      name: 'C2',
      parentId: b.id,
      version: 2,
    });
    const late = await edit(c, { name: 'C3', parentId: b.id });
    expect(late.status).toBe(409);
    expect(String(late.body['detail' as never])).toContain("Name from 'C' to 'C2'");
    expect(await server.ok(ContractFiles.GetContractFolders, { contractId: id }, { as: keeper })).toEqual([
      { id: a.id, name: 'A' },
      { id: b.id, name: 'B' },
      { id: c.id, name: 'B › C2' },
    ]);
    expect((await saveFolder({ id: c.id, contractId: id, name: 'C3' })).status).toBe(422);
    expect((await saveFolder({ id: c.id, contractId: await ours(), version: 2, name: 'C3' })).status).toBe(422);
  });

  it('exists once when two people create or rename it at the same time', async () => {
    const id = await ours();
    const both = await Promise.all([
      saveFolder({ contractId: id, name: 'Same' }),
      saveFolder({ contractId: id, name: 'same' }),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const [x, y] = [await aFolder(id, 'X'), await aFolder(id, 'Y')];
    // Each folder moves into the other. One of the two moves is refused.
    const moves = await Promise.all([
      saveFolder({ id: x.id, contractId: id, version: 1, name: 'X', parentId: y.id }),
      saveFolder({ id: y.id, contractId: id, version: 1, name: 'Y', parentId: x.id }),
    ]);
    expect(moves.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const renames = await Promise.all(
      ['One', 'Two'].map((name) =>
        saveFolder({ id: both[0].body.id || both[1].body.id, contractId: id, version: 1, name }),
      ),
    );
    expect(renames.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('is at most twenty levels deep', async () => {
    const id = await ours();
    let parentId: number | null = null;
    for (let depth = 1; depth <= 20; depth++) parentId = (await aFolder(id, `D${depth}`, parentId)).id;
    expect((await saveFolder({ contractId: id, parentId, name: 'Too deep' })).status).toBe(422);
  });
});

describe('a file', () => {
  it('gets its type from its bytes, is sent as a download, and is never a web page', async () => {
    const id = await ours();
    for (const [name, bytes] of [
      ['a.pdf', Buffer.from('<!doctype html><script>1</script>')],
      ['a.html', Buffer.from('<p>')],
      ['a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['a.exe', Buffer.from('%PDF-1.7')],
      ['a.pdf', Buffer.alloc(0)],
    ] as const)
      expect(await upload({ contractId: id }, { name, bytes })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'file' }] },
      });
    expect((await listFiles({ contractId: id })).files).toEqual([]);
    const created = await aFile(id, 'scan.bin');
    expect(created.mediaType).toBe('application/pdf');
    const sent = await download(created.id);
    expect(String(sent.headers['content-disposition'])).toMatch(/^attachment; filename="scan.bin"/);
    expect(sent.headers['x-content-type-options']).toBe('nosniff');
    const large = await upload(
      { contractId: id },
      { name: 'large.txt', bytes: Buffer.alloc(25 * 1024 * 1024 + 1, 'a') },
    );
    expect(large.status).toBe(413);
  });

  it.each([
    ['#features/etc/passwd.txt', 'passwd.txt'],
    [String.raw`C:\Users\x\prices.txt`, 'prices.txt'],
    ['invoice\u202Efdp.txt', 'invoicefdp.txt'],
    ['con.txt', '_con.txt'],
    [`${'y'.repeat(300)}.txt`, `${'y'.repeat(146)}.txt`],
    ['what?.txt', 'what_.txt'],
    ['é.txt'.normalize('NFD'), 'é.txt'],
  ])('sent as %j is kept under a harmless name', async (name, stored) => {
    const { body } = await upload({ contractId: await ours() }, { name, bytes: Buffer.from('text') });
    expect(body.name).toBe(stored);
  });

  it('leaves nothing if the upload is interrupted', async () => {
    const id = await ours();
    const { headers } = await server.call(
      ContractFiles.UploadContractFile,
      { contractId: id },
      {
        as: keeper,
        file: { name: 'whole.txt', bytes: Buffer.from('whole') },
      },
    );
    expect(headers).toBeDefined();
    const stored = async () =>
      Number(
        (
          await server.db
            .selectFrom('file')
            .select((eb) => eb.fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      );
    const before = await stored();
    const cut = await server.inject({
      method: 'POST',
      url: ContractFiles.UploadContractFile.path,
      headers: {
        'content-type': 'multipart/form-data; boundary=b',
        authorization: `Bearer ${await server.tokenOf(keeper)}`,
      },
      payload: `--b\r\ncontent-disposition: form-data; name="contractId"\r\n\r\n${id}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="cut.txt"\r\n\r\nhalf of i`,
    });
    expect(cut.status).toBe(400);
    expect(await stored()).toBe(before);
    expect((await listFiles({ contractId: id })).files).toEqual(['whole.txt']);
  });

  it('is refused and not listed if it cannot be stored', async () => {
    const id = await ours();
    const restore = breakFileStore(server.services.config);
    try {
      expect((await upload({ contractId: id }, pdf('a.pdf'))).status).toBe(503);
    } finally {
      restore();
    }
    expect((await listFiles({ contractId: id })).files).toEqual([]);
  });

  it('is never unpacked when it is a ZIP, not even a bomb', async () => {
    const bomb = aZip([{ name: '#features/bomb.txt', bytes: Buffer.alloc(5_000_000), says: 4_000_000_000 }]);
    const { body } = await upload({ contractId: await ours() }, { name: 'bomb.zip', bytes: bomb });
    expect(body).toMatchObject({ name: 'bomb.zip', mediaType: 'application/zip', size: bomb.length });
    expect((await download(body.id)).bytes).toEqual(bomb);
  });

  it('keeps its name, folder and audience when a new version names none of them', async () => {
    const id = await ours();
    const folder = await aFolder(id, 'Kept');
    const created = await aFile(id, 'Secret.pdf', { folderId: folder.id, audience: 'contractdept' });
    const next = await upload(
      { contractId: id, fileId: created.id, version: 1 },
      pdf('b.pdf', 'longer than the first'),
    );
    const { size, updatedAt } = next.body;
    expect(next.body).toEqual({ ...created, versions: 2, version: 2, size, updatedAt });
  });

  it('keeps versions that can each be downloaded; an upload of the same name is offered as the next version', async () => {
    const id = await ours();
    const first = await aFile(id, 'Prices.pdf');
    const again = await upload({ contractId: id }, pdf('PRICES.pdf', 'second'));
    expect(again).toMatchObject({ status: 409, body: { conflict: { current: { fileId: first.id, version: 1 } } } });
    const second = await upload({ contractId: id, fileId: first.id, version: 1 }, pdf('rev b.pdf', 'second'));
    expect(second.body).toMatchObject({ id: first.id, name: 'Prices.pdf', versions: 2, version: 2 });
    expect((await upload({ contractId: id, fileId: first.id, version: 1 }, pdf('late.pdf'))).status).toBe(409);
    expect((await upload({ contractId: id, fileId: first.id }, pdf('none.pdf'))).status).toBe(422);
    const third = await upload(
      { contractId: id, fileId: first.id, version: 2 },
      { name: 'p.txt', bytes: Buffer.from('text') },
    );
    expect(third.body).toMatchObject({ name: 'Prices.txt', versions: 3, mediaType: 'text/plain' });
    const versions = await server.ok(ContractFiles.GetContractFileVersions, { id: first.id }, { as: office.rep });
    expect(versions.map(({ versionNo, name }) => [versionNo, name])).toEqual([
      [3, 'p.txt'],
      [2, 'rev b.pdf'],
      [1, 'Prices.pdf'],
    ]);
    expect((await download(first.id, keeper, versions[1]?.id)).bytes.toString()).toContain('second');
    const other = await aFile(id, 'Other.pdf');
    expect((await download(other.id, keeper, versions[1]?.id)).status).toBe(404);
  });

  it('is renamed, moved and given another audience with a version check; its extension stays', async () => {
    const id = await ours();
    const folder = await aFolder(id, 'Into');
    const file = await aFile(id, 'Name.pdf');
    await aFile(id, 'Taken.pdf', { folderId: folder.id });
    const edit = (fields: Record<string, unknown>) =>
      server.call(
        ContractFiles.SaveContractFile,
        { id: file.id, version: 1, name: 'Name.pdf', folderId: null, audience: 'all', ...fields },
        { as: keeper },
      );
    for (const name of ['Name.exe', 'Name', 'a/b.pdf', '..pdf']) expect((await edit({ name })).status).toBe(422);
    expect((await edit({ name: 'taken.PDF', folderId: folder.id })).status).toBe(422);
    const moved = await edit({ name: 'New.pdf', folderId: folder.id, audience: 'internal' });
    expect(moved.body).toMatchObject({ name: 'New.pdf', folderId: folder.id, audience: 'internal', version: 2 });
    expect((await edit({ name: 'Late.pdf' })).status).toBe(409);
    expect((await download(file.id, office.rep)).status).toBe(404);
  });
});

describe('a removed file or folder', () => {
  const remove = (file: { id: number }, version: number) =>
    server.call(ContractFiles.RemoveContractFile, { id: file.id, version }, { as: keeper });
  const storedOf = (ids: number[]) =>
    server.db
      .selectFrom('contract_file_version as v')
      .innerJoin('file', 'file.id', 'v.file_id')
      .select(['file.id', 'file.storage_key as key'])
      .where('v.contract_file_id', 'in', ids)
      .execute();
  const rowsOf = async (stored: { id: number }[]) => {
    const ids = stored.map(({ id }) => id);
    return server.db.selectFrom('file').select('id').where('id', 'in', ids).execute();
  };

  it('is gone with all its versions, and its bytes go as orphans; its name is free', async () => {
    const id = await ours();
    const file = await aFile(id, 'Gone.pdf');
    await upload({ contractId: id, fileId: file.id, version: 1 }, pdf('Gone.pdf', 'two'));
    const stays = await aFile(id, 'Stays.pdf');
    const stored = await storedOf([file.id]);
    expect(stored).toHaveLength(2);
    expect((await remove(file, 7)).status).toBe(409);
    expect((await remove(file, 2)).body).toEqual({ id: file.id });
    expect((await download(file.id)).status).toBe(404);
    expect((await remove(file, 2)).status).toBe(404);
    expect((await upload({ contractId: id, fileId: file.id, version: 2 }, pdf('Gone.pdf'))).status).toBe(404);
    expect((await listFiles({ contractId: id })).files).toEqual(['Stays.pdf']);
    expect(await rowsOf(stored)).toEqual([]);
    try {
      // The store measures the age of its files with the system clock.
      server.setNow(new Date(Date.now() + 2 * 86_400_000).toISOString());
      await removeOrphans(server.services);
    } finally {
      server.setNow('2026-11-10T15:00:00Z');
    }
    for (const { key } of stored)
      await expect(server.services.files.get(key)).rejects.toThrow('is not in the file store');
    expect((await download(stays.id)).status).toBe(200);
    expect((await aFile(id, 'gone.PDF')).versions).toBe(1);
  });

  it('takes what is in a folder along, and nothing else', async () => {
    const id = await ours();
    const folder = await aFolder(id, 'Whole');
    const inner = await aFolder(id, 'Inner', folder.id);
    const beside = await aFolder(id, 'Beside');
    const file = await aFile(id, 'In.pdf', { folderId: inner.id });
    await aFile(id, 'Out.pdf', { folderId: beside.id });
    const stored = await storedOf([file.id]);
    const gone = (version: number) =>
      server.call(ContractFiles.RemoveContractFolder, { id: folder.id, version }, { as: keeper });
    expect((await gone(7)).status).toBe(409);
    expect((await gone(1)).body).toEqual({ id: folder.id, files: 1 });
    expect(await listFiles({ contractId: id })).toEqual({ folders: ['Beside'], files: [] });
    expect(await listFiles({ folderId: beside.id })).toEqual({ folders: [], files: ['Out.pdf'] });
    for (const answer of [await nav({ folderId: inner.id }), await download(file.id), await gone(1)])
      expect(answer.status).toBe(404);
    expect(await rowsOf(stored)).toEqual([]);
  });
});
