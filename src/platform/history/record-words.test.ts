// Tests that an action on any record reads as a sentence.
import { expect, test } from 'vitest';
import { RECORD_ACTIONS, recordWords } from './record-words.ts';

test('describes an action together with its record', () => {
  expect(recordWords({ type: 'region', action: 'Create' })).toBe('added the region');
  expect(recordWords({ type: 'approvalRule', action: 'Move' })).toBe('moved the approval rule');
  expect(recordWords({ action: 'Edit' })).toBe('changed the record');
  expect(recordWords({ type: 'territory', action: 'Import' })).toBe('changed the territory through an import');
  expect(recordWords({ type: 'dataImport', action: 'Import' })).toBe('applied the import');
});

test('an unknown action is shown by its name', () => {
  expect(recordWords({ type: 'user', action: 'Old Action' })).toBe('old action');
  expect(recordWords({ type: 'user', action: 'toString' })).toBe('tostring');
});

test('no two actions read alike', () => {
  const sentences = Object.keys(RECORD_ACTIONS).map((action) => recordWords({ action }));
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(sentences.join()).not.toContain('%');
});
