// Tests messages of schemas without their own: they mention neither types nor what was 'received'.
import { expect, test } from 'vitest';
import { z } from 'zod';
import './plain-words.ts';

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'This field is required'],
  [z.number(), null, 'This field is required'],
  [z.coerce.number(), undefined, 'This field is required'],
  [z.enum(['Won', 'Lost']), undefined, 'This field is required'],
  [z.enum(['Won', 'Lost']), 'Sold', 'Not one of: Won, Lost'],
  [z.number(), '3', 'A number is expected'],
  [z.number().int(), 1.5, 'A whole number is expected'],
  [z.string(), 3, 'Text is expected'],
  [z.boolean(), 'yes', 'True or false is expected'],
  [z.array(z.string()), 'a', 'A list is expected'],
  [z.object({}), [], 'An object is expected'],
  [z.number().min(1), 0, 'At least 1'],
  [z.number().max(200), 500, 'At most 200'],
  [z.number().max(9_999_999_999), 1e12, 'At most 9,999,999,999'],
  [z.number().min(0.0001), 0, 'At least 0.0001'],
  [z.string().max(2), 'abc', 'At most 2 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'At most 1 entry'],
  [z.union([z.number(), z.boolean()]), 'a', 'Not valid'],
  [z.string('Say who'), undefined, 'Say who'],
  [z.string().min(1, 'Please enter your Email first!'), '', 'Please enter your Email first!'],
])('%# %j', (schema, value, words) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(words);
});
