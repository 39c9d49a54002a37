import { expect, it } from 'vitest';
import { mentionedIn, typedMention } from './mentions.ts';

const PEOPLE = [{ name: 'Sam Roe' }, { name: 'Sam Roeder' }, { name: 'Ann Lee' }, { name: 'José Ñandú' }];
const named = (text: string) => mentionedIn(text, PEOPLE).map(({ name }) => name);

it.each([
  ['@Sam Roe please look', ['Sam Roe']],
  ['@sam roeder, please', ['Sam Roeder']],
  ['for @Ann Lee and @Sam Roe.', ['Sam Roe', 'Ann Lee']],
  ['(@José Ñandú)', ['José Ñandú']],
  ['@Sam', []],
  ['@Sam Roes', []],
  ['write to x@ann lee', []],
  ['Ann Lee', []],
  ['@@Ann Lee', ['Ann Lee']],
  ['@', []],
])('%s mentions %j', (text, names) => {
  expect(named(text)).toEqual(names);
});

it.each([
  ['Hello @sa', 9, 'sa'],
  ['Hello @sam r', 12, 'sam r'],
  ['@', 1, ''],
  ['Hello @sam roe x', 16, null],
  ['x@sam', 5, null],
  ['none', 4, null],
])('in %j at %i the name %j is being typed', (text, caret, name) => {
  expect(typedMention(text, caret)).toBe(name);
});
