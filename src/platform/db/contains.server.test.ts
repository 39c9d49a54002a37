// Tests that search ignores case and accents, matches wildcards literally, and finds texts that were stored before accents were folded.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase, freshDatabase } from '#testing/base-database.server.ts';
import { folded, holds } from './contains.server.ts';
import type { Database } from './database.server.ts';
import { MIGRATIONS, migrate } from './migrate.server.ts';

describe('a search', () => {
  let database: Database;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.close());

  const finds = async (typed: string, text: string) => {
    const { rows } = await sql<{ found: boolean }>`select ${holds(sql`${text}::text`, typed)} as found`.execute(
      database.db,
    );
    return rows[0]?.found;
  };

  test.each([
    ['clinica', 'Clínica Ávila'],
    ['CLÍNICA', 'clinica avila'],
    ['avila', 'CLÍNICA ÁVILA'],
    ['nino', 'Niño'],
    ['strasse', 'Hauptstraße'],
    ['straße', 'Hauptstrasse'],
    ['orsted', 'Ørsted'],
    ['lodz', 'Łódź'],
    ['coeur', 'Sacré-Cœur'],
    ['больница', 'БОЛЬНИЦА'],
    // Some systems write a letter and its accent as two characters.
    ['clínica', 'Cli\u0301nica'],
    ['5.5', 'size 5.5 mm'],
    ['100%', '100% cotton'],
    ['a_b', 'A_B'],
    ['back\\slash', 'Back\\Slash'],
  ])('for %s finds %s', async (typed, text) => {
    expect(await finds(typed, text)).toBe(true);
  });

  test.each([
    ['55', 'size 5.5 mm'],
    ['100%', '100x cotton'],
    ['a_b', 'axb'],
    ['clinic a', 'Clínica'],
  ])('for %s does not find %s', async (typed, text) => {
    expect(await finds(typed, text)).toBe(false);
  });

  test('finds every part of every text, in any case', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'aZ9 -.%_\\éÑßøŁœИ漢'), minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(11), fc.nat(11), async (whole, from, length) => {
        const part = whole.slice(from % whole.length, (from % whole.length) + 1 + (length % whole.length));
        expect([await finds(part, whole), await finds(part.toUpperCase(), whole)]).toEqual([true, true]);
      }),
      { numRuns: 100 },
    );
  });

  test('folds a folded text to itself', async () => {
    const { rows } = await sql`select ${folded(folded('ÉŁŒ ß 漢'))} as twice, ${folded('ÉŁŒ ß 漢')} as once`.execute(
      database.db,
    );
    expect(rows).toEqual([{ twice: 'eloe ss 漢', once: 'eloe ss 漢' }]);
  });
});

test('texts from before accents were folded are found without them, and two names that become one keep their quotes', {
  timeout: 120_000,
}, async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-migrations-'));
  for (const name of fs.readdirSync(MIGRATIONS).toSorted()) {
    if (name < '0009') fs.copyFileSync(path.join(MIGRATIONS, name), path.join(folder, name));
  }
  const database = await emptyDatabase();
  const { db } = database;
  await migrate(db, folder);
  fs.rmSync(folder, { recursive: true });
  const quotes = sql`insert into quote (num, status_id, facility_name, facility_acct_no, owner_id, quote_date, valid_until)
    select 900 + n, 'Won', (array['Clinica', 'Clínica', 'Clinica', 'Elsewhere'])[n], 'A1', 1, date '2026-01-01', date '2026-03-01'
    from generate_series(1, 4) n`;
  await sql`insert into app_user (id, user_name, full_name) values (1, 'rene@example.com', 'René')`.execute(db);
  await sql`insert into facility (acct_no, name) values ('A1', 'Clínica')`.execute(db);
  await sql`insert into item (item_number, description) values ('X1', 'Catéter')`.execute(db);
  await quotes.execute(db);
  await sql`insert into record_event (record_type, record_id, record_name, user_id, actor, action, changes)
    values ('facility', 1, 'Clínica', 1, 'René', 'Edit', '[]')`.execute(db);
  await migrate(db);
  const { rows } = await sql`select
    (select search_text from app_user) as person, (select search_text from facility) as facility,
    (select search_text from item) as item,
    (select json_agg(search_text order by id) from quote_name) as names,
    (select json_agg(search_text order by quote.num) from quote join quote_name on quote_name.id = name_id) as quotes,
    (select words @@ 'clinica'::tsquery from record_event) as event`.execute(db);
  expect(rows).toEqual([
    {
      person: 'rene rene@examplecom ',
      facility: 'a1 clinica   ',
      item: 'x1 cateter',
      names: ['clinica#a1', 'elsewhere#a1'],
      quotes: ['clinica#a1', 'clinica#a1', 'clinica#a1', 'elsewhere#a1'],
      event: true,
    },
  ]);
  await expect(sql`update record_event set comment = ''`.execute(db)).rejects.toThrow('never changed');
  await database.close();
});
