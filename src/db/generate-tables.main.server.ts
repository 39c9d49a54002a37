// Writes src/db/tables.ts from the migrated schema: npm run tables, after each new migration.
import fs from 'node:fs/promises';
import path from 'node:path';
import { openEmbedded } from './database.server.ts';
import { migrate } from './migrate.server.ts';
import { tableTypes } from './table-types.server.ts';

const database = await openEmbedded({});
await migrate(database.db);
await fs.writeFile(path.join(import.meta.dirname, 'tables.ts'), await tableTypes(database.db));
await database.close();
