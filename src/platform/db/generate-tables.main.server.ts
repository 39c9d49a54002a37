// Writes src/platform/db/tables.ts from the migrated schema, and database/migrations.sha256: npm run tables, after each new migration.
import fs from 'node:fs/promises';
import path from 'node:path';
import { openPostgres } from './database.server.ts';
import { MIGRATIONS, migrate, migrationsIn } from './migrate.server.ts';
import { openScratchPostgres } from './own-postgres/own-postgres.server.ts';
import { tableTypes } from './table-types.server.ts';

const postgres = await openScratchPostgres();
const database = openPostgres(postgres.url, 2, { long: true });
await migrate(database.db);
await fs.writeFile(path.join(import.meta.dirname, 'tables.ts'), await tableTypes(database.db));
await database.close();
await postgres.stop();
const list = (await migrationsIn(MIGRATIONS)).map(({ name, hash }) => `${hash}  ${name}.sql\n`);
await fs.writeFile(`${MIGRATIONS}.sha256`, list.join(''));
