// Tests that the program refuses a database that does not belong to it, with a sentence.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshDatabase } from '#testing/base-database.server.ts';
import type { Database } from './database.server.ts';
import { isCurrent, MIGRATIONS, migrate } from './migrate.server.ts';

let database: Database;
let folder: string;
beforeEach(async () => {
  database = await freshDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-migrations-'));
  fs.cpSync(MIGRATIONS, folder, { recursive: true });
});
afterEach(async () => {
  await database.close();
  fs.rmSync(folder, { recursive: true });
});

const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);

it('runs what is missing, in order, and nothing twice', async () => {
  write('9001-new.sql', '-- Owner: quotes. A test.\n-- Locks: quote\nalter table quote add column made_by_test int;');
  write('9002-newer.sql', '-- Owner: quotes. A test.\ncreate table made_by_test (id int);');
  expect(await migrate(database.db, folder)).toEqual(['9001-new', '9002-newer']);
  expect(await migrate(database.db, folder)).toEqual([]);
  await sql`select made_by_test from quote`.execute(database.db);
  await sql`select id from made_by_test`.execute(database.db);
  expect(await isCurrent(database.db)).toBe(true);
});

it('keeps what ran before a migration that fails, and nothing of that one', async () => {
  write('9001-new.sql', 'create table made_by_test (id int);');
  write('9002-wrong.sql', 'insert into made_by_test values (1); alter table nothing add column x int;');
  await expect(migrate(database.db, folder)).rejects.toThrow('Migration 9002-wrong failed.');
  expect((await sql`select id from made_by_test`.execute(database.db)).rows).toEqual([]);
  write('9002-wrong.sql', 'insert into made_by_test values (2);');
  expect(await migrate(database.db, folder)).toEqual(['9002-wrong']);
});

it('refuses a database that is newer than the program', async () => {
  write('9001-new.sql', 'create table made_by_test (id int);');
  await migrate(database.db, folder);
  await expect(migrate(database.db)).rejects.toThrow(
    'The database is newer than this program: it has migration 9001-new, which this program does not know. ' +
      'Start the newer version of the program, or restore the backup made before the upgrade.',
  );
  // A running server stays ready.
  expect(await isCurrent(database.db)).toBe(true);
});

it('refuses a migration that was changed after it ran, but not for its line ends', async () => {
  write('9001-new.sql', 'create table made_by_test (id int);\n');
  await migrate(database.db, folder);
  write('9001-new.sql', 'create table made_by_test (id int);\r\n');
  expect(await migrate(database.db, folder)).toEqual([]);
  write('9001-new.sql', 'create table made_by_test (id bigint);\n');
  await expect(migrate(database.db, folder)).rejects.toThrow(
    'Migration 9001-new was changed after it ran on this database. Restore its file as it was released.',
  );
});

it('refuses a migration with a number before the last that ran', async () => {
  write('9002-new.sql', 'create table made_by_test (id int);');
  await migrate(database.db, folder);
  write('9001-late.sql', 'create table late (id int);');
  await expect(migrate(database.db, folder)).rejects.toThrow(
    'Migration 9001-late comes before 9002-new, which has run here. Give it a later number.',
  );
});

it('refuses a database from before the first version', async () => {
  await sql`drop table schema_migration; create table kysely_migration (name text)`.execute(database.db);
  await expect(migrate(database.db)).rejects.toThrow(
    'This database was made before the first version of Quoteboard and cannot be upgraded. Use an empty database or another DATA_DIR.',
  );
});
