// Tests which part of a searched word remains without its ending.
import { expect, test } from 'vitest';
import { withoutEnding, withoutPlural } from './endings.server.ts';

test.each([
  ['gloves', 'glove'],
  ['Sutures', 'suture'],
  ['masks', 'mask'],
  ['boxes', 'box'],
  ['brushes', 'brush'],
  ['lenses', 'lens'],
  ['hoses', 'hose'],
  ['batteries', 'batter'],
  ['battery', 'batter'],
  ['assemblies', 'assembl'],
  ['dresses', 'dress'],
  ['tissues', 'tissue'],
  ["women's", 'women'],
  // These end like a plural but are singular, or are not words.
  ['lens', 'lens'],
  ['gas', 'gas'],
  ['gauss', 'gauss'],
  ['pelvis', 'pelvis'],
  ['virus', 'virus'],
  ['AB-12S', 'ab-12s'],
  ['x1', 'x1'],
])('%s without its plural is %s', (word, stem) => {
  expect(withoutPlural(word)).toBe(stem);
});

test.each([
  ['suturing', 'sutur'],
  ['draping', 'drap'],
  ['stripping', 'strip'],
  ['lubricated', 'lubricat'],
  ['glove', 'glov'],
  ['red', 'red'],
  ['551000', '551000'],
])('%s without its ending is %s', (word, stem) => {
  expect(withoutEnding(word)).toBe(stem);
});
