// Words that readers stumbled over stay away, and a name that many files declare means one thing in all of them.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
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
  [/colour|behaviour|favour|licence|catalogued/i, 'the American spelling'],
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
];
/** A heading of the files that an ERP reads, so it stays as it is. */
const EXCEPT: Record<string, string> = {
  'src/addons/orders/order-file.server.ts': "'Contact e-mail'",
};

test('no file has one of the odd words', () => {
  const found = FILES.flatMap((file) => {
    const text = read(file).replace(EXCEPT[file] ?? '\0', '');
    return ODD.filter(([odd]) => odd.test(text)).map(([odd, instead]) => `${file}: ${odd.source}, say ${instead}`);
  });
  expect(found).toEqual([]);
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
