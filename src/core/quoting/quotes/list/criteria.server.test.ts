// Tests that criteria are written with a delay: readers see them immediately, and a stopping server writes them.
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Services } from '#platform/api/services.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer } from '#testing/test-server.server.ts';
import { rememberCriteria, rememberedCriteria, writeCriteria } from './criteria.server.ts';

const Word = z.object({ word: z.string() });

test('the last search of each user and screen is remembered; one that cannot be stored blocks no others', async () => {
  const server = await startTestServer();
  const { services, db } = server;
  const [first, other] = [await aUser(db), await aUser(db)];
  rememberCriteria(services, first.id, 'quote-search', { word: 'first' });
  rememberCriteria(services, first.id, 'quote-search', { word: 'second' });
  rememberCriteria(services, first.id, 'home', { word: 'home' });
  rememberCriteria(services, other.id, 'quote-search', { word: 'theirs' });
  rememberCriteria(services, 999_999_999, 'quote-search', { word: 'of nobody' });
  expect(await db.selectFrom('saved_criteria').selectAll().execute()).toEqual([]);

  expect(await rememberedCriteria(services, first.id, 'quote-search', Word)).toEqual({ word: 'second' });
  expect(await rememberedCriteria(services, first.id, 'home', Word)).toEqual({ word: 'home' });
  expect(await rememberedCriteria(services, other.id, 'quote-search', Word)).toEqual({ word: 'theirs' });
  expect(await rememberedCriteria(services, other.id, 'home', Word)).toBeNull();

  rememberCriteria(services, first.id, 'quote-search', { word: 'third' });
  rememberCriteria(services, other.id, 'home', { word: 'not for a database: \u0000' });
  await writeCriteria(services);
  // Reads like another process, without this one's memory.
  const elsewhere: Services = { ...services };
  expect(await rememberedCriteria(elsewhere, first.id, 'quote-search', Word)).toEqual({ word: 'third' });
  await server.close();
});
