// The operator's command that brings the database up to date before the new version starts: npm run migrate.
import { openDatabase } from '#app/start.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { sentenceOf } from '#platform/shared/sentence-of.server.ts';

try {
  const database = await openDatabase(readConfig(process.env, 'tool'), { tool: true });
  await database.close();
  console.log('The database is up to date.');
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}
