// The operator's command for a consistent backup of database and files: npm run backup -- <folder>.
import path from 'node:path';
import { readConfig } from '#platform/outside/config.server.ts';
import { sentenceOf } from '#platform/shared/sentence-of.server.ts';
import { backUp } from './backup.server.ts';

try {
  const [name] = process.argv.slice(2);
  if (!name) throw new Error('Usage: npm run backup -- <new folder>');
  const folder = path.resolve(name);
  await backUp(folder, readConfig(process.env, 'tool'));
  console.log(`The backup is complete: ${folder}`);
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}
