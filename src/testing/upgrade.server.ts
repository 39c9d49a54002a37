// The migrations of an upgrade under test: those of the oldest released version, today's, and what a later version may bring.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { MIGRATIONS, migrationsIn } from '#platform/db/migrate.server.ts';

/** The last migration of the oldest released version. */
const FIRST_RELEASE = '0008-start-values';
/** It changes both tables that everybody works on, one with a rewrite, and adds one that refers to them. */
const NEXT = {
  '9001-next':
    "-- Locks: quote_item, quote\nalter table quote_item add column next_text text not null default 'x'; alter table quote add column next_no int;",
  '9002-more': '-- Locks: quote\ncreate index quote_next on quote (next_no); update quote set next_no = 1;',
  '9003-table':
    '-- Locks: quote, item\ncreate table next_thing (quote_id int references quote, item_id int references item);',
};

/** The migrations of this version. */
export const landed = await migrationsIn(MIGRATIONS);
/** The migrations of the oldest released version. */
export const released = landed.filter(({ name }) => name <= FIRST_RELEASE);
/** The migrations of a version to come. */
export const next = Object.entries(NEXT).map(([name, text]) => ({ name, text }));

/** A folder with these migrations, which the end of the test removes. */
export function folderWith(migrations: { name: string; text: string }[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-migrations-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  for (const { name, text } of migrations) fs.writeFileSync(path.join(folder, `${name}.sql`), text);
  return folder;
}
