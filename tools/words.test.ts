// Words that readers stumbled over stay away, and a name that many files declare means one thing in all of them.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type BindingIdentifier, type BindingPattern, type ParamPattern, parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { root } from './run.mjs';

const FILES = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.(test|e2e)\.tsx?$/.test(file) && !file.startsWith('src/testing/'),
);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Words that screens and code no longer use, with their replacements. */
const ODD: [odd: RegExp, instead: string][] = [
  [/Look at it/, 'Preview'],
  [/'Making it/, 'Generating…'],
  [/mail carries/, 'Attachments are limited to 25 MB.'],
  [/'Gives'/, 'Offer'],
  [/label: 'Coming'/, 'Scheduled'],
  [/is no territory|'is no \w+ here/, 'is not a known territory'],
  [/is no last day/, 'needs an end date'],
  [/whoever runs this server/, 'contact your administrator'],
  [/Leave user and password out/, 'Remove the user name and password'],
  [/label: 'Silent'/, 'Ignored'],
  [/Show all of it/, 'Show all'],
  [/[^\w-]e-mail/i, 'email'],
  [/colour|behaviour|favour|licence|catalogd/i, 'the American spelling'],
  [/\bsayTimesIn\b/, 'setCompanyTimeZone'],
  [/\btellWide\b/, 'markIfOverflowing'],
  [/\bknowPrices\b/, 'loadMissingPrices'],
  [/\btakeUp\b/, 'beginEdit'],
  [/\btakeLine\b/, 'editableCopy'],
  [/\btakeIds\b/, 'reserveIds'],
  [/\blinesConcerned\b/, 'affectedLines'],
  [/\blaidOver\b/, 'withPending'],
  [/\b(?:sayWhere|sayOfQuote|letGo|lookInto)\b/, 'what it does'],
  [/working-out\//, 'calculate/'],
  [/\b(?:MOST|LONGEST|LEAST|FEWEST|SHORTEST)_[A-Z]/, 'MAX_ or MIN_'],
];
/** A heading of the files that an ERP reads, so it stays as it is. */
const EXCEPT: Record<string, string> = {
  'src/addons/orders/order-file.server.ts': "'Contact e-mail'",
};

test('no file has one of the odd words', () => {
  const problems = FILES.flatMap((file) => {
    const text = read(file).replace(EXCEPT[file] ?? '\0', '');
    return ODD.filter(([odd]) => odd.test(text)).map(([odd, instead]) => `${file}: ${odd.source}, say ${instead}`);
  });
  expect(problems).toEqual([]);
});

/** Names that more than three files declare for themselves. */
const MEANING: Record<string, string> = {
  columnsOf: "the columns of the file's DataList",
  count: 'a number with its thousands separated',
  Facts: 'what is known of the thing, as pairs of label and value',
  Figures: 'the totals at the top of a report or dialog',
  Head: 'the title of a page with what can be done there',
  historyWords: 'the fields of a record as its history shows them',
  inWords: 'a field of a form as a conflict shows it',
  kindReport: 'what a kind of import reports',
  Parts: 'the parts of a page below its head',
  reportOf: 'the answer of a report',
  StateChip: 'the state of a row, colored',
  write: 'the step of a kind of import that writes',
};

test('a name that more than three files declare means one thing', () => {
  const counts = new Map<string, number>();
  for (const file of FILES) {
    const declared = [
      ...read(file).matchAll(
        /^(?:export )?(?:(?:async )?function (\w+)|const (\w+) = (?:async )?\([^)]*\)[^=\n]* =>)/gm,
      ),
    ];
    for (const name of new Set(declared.map(([, called, named]) => called ?? named ?? '')))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const common = [...counts].filter(([, count]) => count > 3).map(([name]) => name);
  expect(common.toSorted(), 'say in MEANING what it means in all of them, or give each its own name').toEqual(
    Object.keys(MEANING).toSorted(),
  );
});

/** Words of another century, and what a reader expects instead. They may stay where a name is stored or answered to other programs. */
const UNUSED_WORDS = /\b(?:said|told|stands|mend(?:s|ed|ing)?|anew|meanwhile)\b/i;
const STORED_NAMES = /\b(?:told_(?:at|by|through)|saidUnit|said_unit)\b/g;
/** A field of an answer, which its callers know by this name. */
const ANSWERED = new Set([
  'src/platform/data-import/inbox/ImportInboxPanel.tsx',
  'src/platform/data-import/inbox/import-inbox.contract.ts',
  'src/platform/data-import/inbox/inbox-view.server.test.ts',
  'src/platform/data-import/inbox/inbox-view.server.ts',
]);
const PROSE = globSync(['{src,bench,e2e,tools}/**/*.{ts,tsx,mjs,css}', 'docs/**/*.md', '*.md'], { cwd: root }).filter(
  // The first quotes the subject of an old commit, the others the words that are checked.
  (file) => !['docs/testing.md', 'CONTRIBUTING.md', 'tools/words.test.ts'].includes(file) && !ANSWERED.has(file),
);

test('no file uses a word that readers stumbled over', () => {
  const lines = PROSE.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) =>
        UNUSED_WORDS.test(line.replaceAll(STORED_NAMES, ''))
          ? [`${file}:${index + 1}: ${line.trim().slice(0, 100)}`]
          : [],
      ),
  );
  expect(lines).toEqual([]);
});

/** Names that tell nothing: participles, pronouns and prepositions. A value is a noun, a function a verb. */
const RIDDLES = ['found', 'given', 'made', 'asked', 'kept', 'shown', 'said', 'told', 'of', 'some', 'one'];
/** Where one may be declared. Parsing only files that match saves most of the time. */
const MAYBE_DECLARED = new RegExp(String.raw`(?:\b(?:const|let|function)|[(,[{:]|\.\.\.)\s*(?:${RIDDLES.join('|')})\b`);

/** The names that a pattern declares. A name taken from a property of the same name is the property's. */
function namesIn(pattern: BindingPattern | ParamPattern): { name: string; start: number }[] {
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left);
  if (pattern.type === 'RestElement') return namesIn(pattern.argument);
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
  if (pattern.type === 'TSParameterProperty') return namesIn(pattern.parameter);
  return pattern.properties.flatMap((property) =>
    property.type === 'RestElement' ? namesIn(property.argument) : property.shorthand ? [] : namesIn(property.value),
  );
}

test('no variable, parameter or function has a name that tells nothing', () => {
  const riddles = globSync('{src,bench,e2e,tools}/**/*.{ts,tsx,mjs}', { cwd: root }).flatMap((file) => {
    const source = read(file);
    if (!MAYBE_DECLARED.test(source)) return [];
    const names: { name: string; start: number }[] = [];
    const declare = (node: { id: BindingIdentifier | null; params: ParamPattern[] }) =>
      names.push(...(node.id ? [node.id] : []), ...node.params.flatMap(namesIn));
    new Visitor({
      VariableDeclarator: (node) => void names.push(...namesIn(node.id)),
      CatchClause: (node) => void (node.param && names.push(...namesIn(node.param))),
      FunctionDeclaration: (node) => void declare(node),
      FunctionExpression: (node) => void declare(node),
      ArrowFunctionExpression: (node) => void names.push(...node.params.flatMap(namesIn)),
    }).visit(parseSync(file, source).program);
    return names
      .filter(({ name }) => RIDDLES.includes(name))
      .map(({ name, start }) => `${file}:${source.slice(0, start).split('\n').length}: ${name}`);
  });
  expect(riddles).toEqual([]);
});
