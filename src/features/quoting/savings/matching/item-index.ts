// An index of the catalog's words in memory, by which thousands of descriptions find their items in seconds.
import { contradiction, isShortOf, type ItemWords, wordsIn } from './item-words.ts';

export type IndexedItem = { id: number; text: string };
/** `score`: 0 to 100, how much of the meaning of both texts is the same. */
export type DescribedItem = { itemId: number; score: number; shared: string[] };

/** So many items of a word are weighed; a more frequent word only adds to items that rarer words found. */
const MOST_OF_A_WORD = 3000;
/** So many items of a description are compared in detail. */
const MOST_COMPARED = 30;
/** So many items' words are remembered, because the items of a file are alike. */
const MOST_REMEMBERED = 20_000;
const MOST_SIMILAR = 6;
/** A word that is only alike counts so much. */
const ALIKE = 0.8;

export type ItemIndex = {
  find: (description: string, most: number) => DescribedItem[];
  size: number;
};
export type GrowingIndex = { add: (items: Iterable<IndexedItem>) => void; done: () => ItemIndex };

/** An index that grows by some items at a time, so that a server with a large catalog answers calls in between. */
export function growingIndex(): GrowingIndex {
  const ids: number[] = [];
  const texts: string[] = [];
  const found = new Map<string, number[]>();
  return {
    add: (items) => {
      for (const { id, text } of items) {
        const at = ids.push(id) - 1;
        texts.push(text);
        for (const word of keysOf(wordsIn(text))) {
          const places = found.get(word);
          if (places) places.push(at);
          else found.set(word, [at]);
        }
      }
    },
    done: () => indexOf(ids, texts, found),
  };
}

function indexOf(ids: readonly number[], texts: readonly string[], found: Map<string, number[]>): ItemIndex {
  const weights: number[] = [];
  const places = new Map([...found].map(([word, list]) => [word, Uint32Array.from(list)]));
  found.clear();
  const weightOf = (word: string): number => Math.log(1 + ids.length / (places.get(word)?.length ?? 0.5));
  for (const [word, list] of places) {
    const weight = weightOf(word);
    for (const at of list) weights[at] = (weights[at] ?? 0) + weight;
  }
  const byLetter = Map.groupBy(
    [...places.keys()].filter((word) => /^[a-z]{4,}$/.test(word)),
    (word) => word.charAt(0),
  );
  const known = new Map<string, string[]>();
  /** The words of the catalog that a word with a typing error, or cut short, may mean. */
  const similar = (word: string): string[] => {
    const before = known.get(word);
    if (before) return before;
    const alike = (byLetter.get(word.charAt(0)) ?? [])
      .filter((one) => isShortOf(word, one) || (word.length >= 5 && isOneOff(word, one)))
      .toSorted((a, b) => (places.get(b)?.length ?? 0) - (places.get(a)?.length ?? 0))
      .slice(0, MOST_SIMILAR);
    if (known.size > 20_000) known.clear();
    known.set(word, alike);
    return alike;
  };

  const remembered = new Map<number, ItemWords>();
  const wordsAt = (at: number): ItemWords => {
    let words = remembered.get(at);
    if (!words) {
      words = wordsIn(texts[at] ?? '');
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(at, words);
    }
    return words;
  };

  const find = (description: string, most: number): DescribedItem[] => {
    const theirs = wordsIn(description);
    const asked = keysOf(theirs).map((word) => ({
      word,
      weight: places.has(word) ? weightOf(word) : Math.min(weightOf(word), 6),
      means: places.has(word) ? [word] : /^[a-z]{3,}$/.test(word) ? similar(word) : [],
    }));
    const whole = asked.reduce((sum, { weight }) => sum + weight, 0);
    if (whole === 0) return [];
    const scores = new Map<number, number>();
    for (const { weight, means, word } of asked.toSorted((a, b) => b.weight - a.weight)) {
      const met = new Set<number>();
      for (const one of means) {
        const list = places.get(one);
        if (!list) continue;
        const adds = (one === word ? 1 : ALIKE) * weight;
        const isRare = list.length <= MOST_OF_A_WORD;
        if (isRare || scores.size === 0) {
          for (const at of isRare ? list : list.subarray(0, MOST_OF_A_WORD)) {
            if (met.has(at)) continue;
            met.add(at);
            scores.set(at, (scores.get(at) ?? 0) + adds);
          }
        } else
          for (const at of scores.keys())
            if (!met.has(at) && has(list, at)) {
              met.add(at);
              scores.set(at, (scores.get(at) ?? 0) + adds);
            }
      }
    }
    const best = [...scores].toSorted((a, b) => b[1] - a[1]).slice(0, MOST_COMPARED);
    return best
      .flatMap(([at, score]) => {
        const ours = wordsAt(at);
        if (contradiction(theirs, ours) !== '') return [];
        const kept = new Set(keysOf(ours));
        const share = 0.75 * (score / whole) + 0.25 * Math.min(1, score / (weights[at] ?? whole));
        const shared = asked.filter(({ means }) => means.some((one) => kept.has(one))).map(({ word }) => shown(word));
        return [{ itemId: ids[at] ?? 0, score: Math.round(Math.min(1, share) * 10_000) / 100, shared }];
      })
      .toSorted((a, b) => b.score - a.score || a.itemId - b.itemId)
      .slice(0, most);
  };
  return { find, size: ids.length };
}

/** Words, and sizes as words of their own. */
function keysOf({ words, sizes }: ItemWords): string[] {
  return [
    ...words,
    ...[...sizes].flatMap(([name, values]) =>
      name === 'material' || name.includes(' or ') ? [] : [...values].map((value) => `${name}:${value}`),
    ),
  ];
}

const shown = (word: string): string => word.replace(/^by:/, '').replace(/^(\w+):(.*)$/, '$2 $1');

function has(sorted: Uint32Array, value: number): boolean {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle] ?? 0;
    if (at === value) return true;
    if (at < value) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** Whether one letter more, less, other, or two in the other order make one word of the other. */
function isOneOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const tail = (from: number, of: number): boolean => one.slice(from) === other.slice(of);
  return (
    tail(start + 1, start + 1) ||
    tail(start + 1, start) ||
    tail(start, start + 1) ||
    (one[start] === other[start + 1] && one[start + 1] === other[start] && tail(start + 2, start + 2))
  );
}
