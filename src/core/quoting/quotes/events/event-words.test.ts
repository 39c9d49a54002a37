// Tests that every event the server writes has its own text instead of the name of its call.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ACTIONS } from '../actions.ts';
import { customerActor, eventWords } from './event-words.ts';

const features = new URL('../../', import.meta.url);

/** The event names in the code that writes them. */
function written(): string[] {
  const files = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /^(?:quote|workflow)[^/]*\/.*\.server\.ts$/.test(file) && !file.includes('.test.'),
  );
  const text = files.map((file) => readFileSync(new URL(file, features), 'utf8')).join('\n');
  return [...text.matchAll(/(?:action: |note\w*\(db, user, quote, )'(\w+)'/g)].map(([, name = '']) => name);
}

test('every event has words', () => {
  const events = new Set([...ACTIONS, ...written()]);
  expect([...events]).toEqual(expect.arrayContaining(['AddTemplate', 'ApplyPromotion', 'Upload', 'Question']));
  const untold = [...events].filter(
    (action) => eventWords({ action, actor: 'Kim' }).replaceAll(' ', '') === action.toLowerCase(),
  );
  expect(untold).toEqual([]);
});

test('actions of the customer name the customer', () => {
  expect(eventWords({ action: 'MarkWon', actor: 'Kim Lee' })).toBe('marked the quote won');
  expect(eventWords({ action: 'MarkWon', actor: customerActor('Kim Lee') })).toBe('accepted the quote');
  expect(eventWords({ action: 'MarkLost', actor: customerActor('Kim Lee') })).toBe('declined the quote');
  expect(eventWords({ action: 'SomethingElse', actor: 'Kim' })).toBe('something else');
});
