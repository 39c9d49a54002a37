// Tests that the lists include every text that contains the words.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { candidates, postingsOf } from './trigram-index.server.ts';

const now = () => Promise.resolve();

async function candidatesOf(texts: string[], words: string[][]): Promise<number[]> {
  const next = candidates(await postingsOf(texts, now), words);
  const all: number[] = [];
  for (let position = next(); position >= 0; position = next()) all.push(position);
  return all;
}

const aText = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '-', 'é', '€', '😀'), maxLength: 12 });

it('names every text that has one form of each word, upward and once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aText, { maxLength: 40 }),
      fc.array(fc.array(aText, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
      async (texts, words) => {
        const all = await candidatesOf(texts, words);
        const holding = [...texts.keys()].filter((n) =>
          words.every((forms) => forms.some((form) => texts[n]?.includes(form))),
        );
        expect(all).toEqual(expect.arrayContaining(holding));
        expect(all).toEqual([...new Set(all)].toSorted((a, b) => a - b));
      },
    ),
    { numRuns: 500 },
  );
});

it('walks few texts for a rare word, and finds texts that are far apart', async () => {
  const texts = Array.from({ length: 50_000 }, (_, n) => (n % 20_000 === 19_999 ? 'a rare glove' : `glove ${n % 7}`));
  expect(await candidatesOf(texts, [['glove'], ['rare']])).toEqual([19_999, 39_999]);
  expect(await candidatesOf(texts, [['glove 6', 'rare']])).toContain(39_999);
  expect(await candidatesOf(texts, [['none']])).toEqual([]);
});
