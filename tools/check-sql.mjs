// Checks the SQL in the code: no line is too long to review, and raw text appears only in known files (docs/decisions/0010).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { sourcesIn } from './check-imports.mjs';
import { root } from './run.mjs';

const LONGEST = 140;
/** Raw text: names and types of columns from lists in the code, and migrations. */
const MAY_BE_RAW = [
  'src/platform/db/one-plan-parameter.server.ts',
  'src/platform/db/migrate.server.ts',
  'src/platform/data-import/running/merge-rows.server.ts',
  'src/platform/data-import/running/undo-import.server.ts',
  'src/platform/retention/retention-rows.server.ts',
  'src/core/quoting/quote-edit/lines/quote-lines.server.ts',
  'src/core/quoting/quote-edit/settle/edit-facts.server.ts',
  'src/core/quoting/quote-edit/view/quote-facts.server.ts',
  'src/addons/reports/facts/fact-rows.server.ts',
];

/**
 * Says what is wrong with the SQL of a file, one sentence a line. Tests may use raw text.
 * @returns {{ line: number, says: string }[]}
 */
export function wrongSql(/** @type {string} */ file, /** @type {string} */ source) {
  if (!/\bsql(<[^`]*>)?`|\bsql\.raw\(/.test(source)) return [];
  /** @type {Map<number, string>} */
  const wrong = new Map();
  const lines = source.split('\n');
  const lineAt = (/** @type {number} */ offset) => source.slice(0, offset).split('\n').length;
  const mayBeRaw = MAY_BE_RAW.includes(file) || /\.(test|e2e)\.ts$/.test(file) || !file.startsWith('src/');
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return;
      for (let line = lineAt(quasi.start); line <= lineAt(quasi.end); line++) {
        if ((lines[line - 1]?.length ?? 0) > LONGEST)
          wrong.set(line, `SQL in a line of more than ${LONGEST} characters.`);
      }
    },
    MemberExpression({ object, property, start }) {
      if (mayBeRaw || object.type !== 'Identifier' || object.name !== 'sql') return;
      if (property.type === 'Identifier' && property.name === 'raw')
        wrong.set(lineAt(start), 'Raw SQL: pass a value, sql.ref, sql.table, sql.lit or a fragment.');
    },
  }).visit(parseSync(file, source).program);
  return [...wrong].map(([line, says]) => ({ line, says })).toSorted((a, b) => a.line - b.line);
}

if (process.argv[1] === import.meta.filename) {
  for (const file of sourcesIn(root)) {
    for (const { line, says } of wrongSql(file, readFileSync(path.join(root, file), 'utf8'))) {
      console.error(`${file}:${line}  ${says}`);
      process.exitCode = 1;
    }
  }
}
