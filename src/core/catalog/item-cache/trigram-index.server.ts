// Lists the texts that contain each group of three characters, so that a search for a word checks only a few of 200,000 texts.

/** Each of the 26 letters and 10 digits has its own class. All other characters share the remaining classes, which only makes lists longer. */
const CLASSES = 64;
const CLASS_OF = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return code - 97;
  if (code >= 48 && code <= 57) return code - 22;
  return 36 + (code % 28);
});
/** A pause after this many texts, about every five milliseconds, lets the server do other work. */
const PAUSE_AFTER = 2_000;

/** `bytes` from `starts[k]` to `starts[k + 1]` are the positions of list k in ascending order, each as its distance from the previous one. */
export type Postings = { starts: Uint32Array; bytes: Uint8Array; size: number };

/** Builds the lists of folded texts. A text of fewer than three characters is in none. */
export async function postingsOf(texts: readonly string[], pause: () => Promise<unknown>): Promise<Postings> {
  const starts = new Uint32Array(CLASSES ** 3 + 1);
  await eachDistance(texts, pause, (key, distance) => {
    starts[key + 1] = (starts[key + 1] ?? 0) + bytesOf(distance);
  });
  for (let key = 0; key < CLASSES ** 3; key++) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  const ends = starts.slice();
  const bytes = new Uint8Array(starts.at(-1) ?? 0);
  await eachDistance(texts, pause, (key, distance) => {
    let end = ends[key] ?? 0;
    let rest = distance;
    for (; rest > 127; rest >>>= 7) bytes[end++] = (rest & 127) | 128;
    bytes[end++] = rest;
    ends[key] = end;
  });
  return { starts, bytes, size: texts.length };
}

function bytesOf(distance: number): number {
  return distance < 128 ? 1 : distance < 16_384 ? 2 : distance < 2_097_152 ? 3 : 4;
}

/** Calls `tell` once for each text and each list that contains it, with the distance from the list's previous text. */
async function eachDistance(
  texts: readonly string[],
  pause: () => Promise<unknown>,
  tell: (key: number, distance: number) => void,
): Promise<void> {
  const last = new Int32Array(CLASSES ** 3).fill(-1);
  for (const [position, text] of texts.entries()) {
    if (position % PAUSE_AFTER === 0) await pause();
    for (let at = 0; at + 2 < text.length; at++) {
      const key = trigramKey(text, at);
      const before = last[key] ?? -1;
      if (before === position) continue;
      last[key] = position;
      tell(key, position - before);
    }
  }
}

function trigramKey(text: string, at: number): number {
  const classOf = (index: number) => CLASS_OF[text.charCodeAt(index) & 127] ?? 0;
  return (classOf(at) * CLASSES + classOf(at + 1)) * CLASSES + classOf(at + 2);
}

/**
 * Walks positions in ascending order. `at` is the current position, Infinity after the last; `reach` advances to the first position that is not
 * before the given one. `length` is about the number of positions.
 */
type Walk = { at: number; length: number; reach: (from: number) => void };

/**
 * Walks the positions of all texts that may contain each word, in ascending order. A word is a list of its forms; one of them is enough. Returns a
 * function that returns the next position, or -1 after the last. The caller must check the text at each position, because it may not contain the
 * words. If no word has three characters, all texts are walked.
 */
export function candidates(postings: Postings, words: readonly (readonly string[])[]): () => number {
  const walks = words
    .filter((forms) => forms.every((form) => form.length >= 3))
    .map((forms) => anyOf(forms.map((form) => allOf(listsOf(postings, form)))));
  if (walks.length === 0) {
    let position = -1;
    return () => (++position < postings.size ? position : -1);
  }
  const walk = allOf(walks);
  return () => {
    const { at } = walk;
    if (at === Infinity) return -1;
    walk.reach(at + 1);
    return at;
  };
}

function listsOf({ starts, bytes }: Postings, word: string): Walk[] {
  return Array.from({ length: word.length - 2 }, (_, at) => {
    const key = trigramKey(word, at);
    return new List(bytes, starts[key] ?? 0, starts[key + 1] ?? 0);
  });
}

/** Checking a text costs more than walking this many positions of a list, because the texts are scattered in memory. */
const WORTH = 16;
const MAX_LISTS = 3;

/** The positions that all walks share, or slightly more, because only the shortest are walked. */
function allOf(walks: Walk[]): Walk {
  const [shortest, ...others] = walks.toSorted((a, b) => a.length - b.length);
  if (!shortest) throw new Error('there is nothing to walk');
  const worth = others.slice(0, MAX_LISTS - 1).filter(({ length }) => length <= WORTH * shortest.length);
  return worth.length === 0 ? shortest : new All(shortest, worth);
}

function anyOf(walks: Walk[]): Walk {
  const [only] = walks;
  return only && walks.length === 1 ? only : new Any(walks);
}

class All implements Walk {
  at = -1;
  readonly length: number;
  readonly #first: Walk;
  readonly #others: Walk[];

  constructor(first: Walk, others: Walk[]) {
    this.length = first.length;
    this.#first = first;
    this.#others = others;
    this.reach(0);
  }

  reach(from: number): void {
    const first = this.#first;
    first.reach(from);
    for (let n = 0; n < this.#others.length && first.at !== Infinity; n++) {
      const other = this.#others[n];
      other?.reach(first.at);
      if (!other || other.at === first.at) continue;
      first.reach(other.at);
      n = -1;
    }
    this.at = first.at;
  }
}

class Any implements Walk {
  at = -1;
  readonly length: number;
  readonly #walks: Walk[];

  constructor(walks: Walk[]) {
    this.length = walks.reduce((sum, { length }) => sum + length, 0);
    this.#walks = walks;
    this.reach(0);
  }

  reach(from: number): void {
    for (const walk of this.#walks) walk.reach(from);
    this.at = Math.min(...this.#walks.map(({ at }) => at));
  }
}

class List implements Walk {
  at = -1;
  readonly length: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #next: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.length = end - start;
    this.#bytes = bytes;
    this.#next = start;
    this.#end = end;
    this.reach(0);
  }

  reach(from: number): void {
    const [bytes, end] = [this.#bytes, this.#end];
    let [at, next] = [this.at, this.#next];
    while (at < from) {
      if (next >= end) {
        at = Infinity;
        break;
      }
      let byte = bytes[next++] ?? 0;
      let distance = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[next++] ?? 0;
        distance |= (byte & 127) << shift;
      }
      at += distance;
    }
    this.at = at;
    this.#next = next;
  }
}
