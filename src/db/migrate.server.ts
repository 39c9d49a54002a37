// Brings a database up to the newest migration in database/migrations (plain SQL, forward only).
import fs from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Db } from './database.server.ts';

const FOLDER = path.join(import.meta.dirname, '../../database/migrations');

function migratorOf(db: Db): Migrator {
  return new Migrator({
    db,
    provider: {
      getMigrations: async () => {
        const names = (await fs.readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
        return Object.fromEntries(
          names.map((name) => [
            name.replace(/\.sql$/, ''),
            {
              up: async (trx: Kysely<unknown>) => {
                await sql.raw(await fs.readFile(path.join(FOLDER, name), 'utf8')).execute(trx);
              },
            },
          ]),
        );
      },
    },
  });
}

/** Runs what is missing, in one transaction. Throws with the migration's name when one fails. */
export async function migrate(db: Db): Promise<void> {
  const { error, results } = await migratorOf(db).migrateToLatest();
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName;
    throw new Error(failed ? `Migration ${failed} failed.` : 'The database cannot be opened.', { cause: error });
  }
}

/** Whether every migration in the folder has run here. */
export async function isCurrent(db: Db): Promise<boolean> {
  const migrations = await migratorOf(db).getMigrations();
  return migrations.every((migration) => migration.executedAt);
}
