// Checks that landed migrations keep their names and content, and that new ones follow them (docs/decisions/0004).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

const LIST = 'database/migrations.sha256';

/**
 * Says what is wrong with the migrations, one sentence per problem. `list` is the correct list, `written` the one in the file, and `landed`
 * the one on the main branch.
 * @param {{ files: string[], list: string, written: string, landed: string }} state
 */
export function wrongWith({ files, list, written, landed }) {
  const wrong = [];
  const numbers = files.map((name) => name.slice(0, 4));
  for (const name of files) {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) wrong.push(`${name} is not named like 0012-what-for.sql.`);
  }
  for (const number of new Set(numbers.filter((candidate, index) => numbers.indexOf(candidate) !== index))) {
    wrong.push(`Two migrations have the number ${number}. The one that has not landed takes the next free number.`);
  }
  const now = list.split('\n');
  const lines = landed.split('\n').filter(Boolean);
  const first = lines.findIndex((line, index) => now[index] !== line);
  if (first >= 0) {
    const [, name] = /** @type {string} */ (lines[first]).split('  ');
    const same = now[first]?.endsWith(`  ${name}`);
    wrong.push(
      same
        ? `${name} has landed and must not change. Put it back, and write what you need as a new migration.`
        : `${name} has landed and must keep its name and its place. New migrations come after the last.`,
    );
  }
  if (wrong.length === 0 && list !== written) wrong.push(`${LIST} is not up to date. Run: npm run tables`);
  return wrong;
}

/** The list on the main branch when this branch began, or empty when git does not know it. */
function landedList() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  for (const branch of ['origin/main', 'main']) {
    try {
      return git('show', `${git('merge-base', 'HEAD', branch).trim()}:${LIST}`);
    } catch {
      // The branch does not exist or has no list.
    }
  }
  return '';
}

if (process.argv[1] === import.meta.filename) {
  const folder = path.join(root, 'database/migrations');
  const files = readdirSync(folder).toSorted();
  const list = files.map((name) => {
    const text = readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return `${createHash('sha256').update(text).digest('hex')}  ${name}\n`;
  });
  const written = readFileSync(path.join(root, LIST), 'utf8').replaceAll('\r\n', '\n');
  const wrong = wrongWith({ files, list: list.join(''), written, landed: landedList() });
  for (const sentence of wrong) console.error(sentence);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
