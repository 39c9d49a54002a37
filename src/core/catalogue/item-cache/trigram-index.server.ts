// Lists, for each three characters, of the texts that hold them: with them a word is looked for in few of 200,000 texts.

/** 26 letters and 10 digits have classes of their own. All other characters share the rest, which only makes lists longer. */
const CLASSES = 64;
const CLASS_OF = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return code - 97;
  if (code >= 48 && code <= 57) return code - 22;
  return 36 + (code % 28);
});
/** A pause after so many texts lets other work of the server go on; they take about five milliseconds. */
const PAUSE_AFTER = 2_000;

/** `bytes` from `starts[k]` to `starts[k + 1]` are the positions of list k, upward, each as its distance from the one before. */
export type Postings = { starts: Uint32Array; bytes: Uint8Array; size: number };

/** The lists of folded texts. A text of fewer than three characters is in none. */
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

/** Calls `tell` once for each text and each list that it is in, with its distance from the last text of the list. */
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
 * Something that walks positions upward. `at` is where it is, Infinity after the last; `reach` walks on to the first position from the given one on.
 * `length` says about how many there are.
 */
type Walk = { at: number; length: number; reach: (from: number) => void };

/**
 * Walks the positions of all texts that may hold each word, upward; a word is a list of its forms, one of which is enough. Returns a function
 * that returns the next position, -1 after the last. A text at such a position need not hold the words, so look at it. All texts are walked when
 * no word has three characters.
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

/** To look at a text costs more than to walk over this many positions of a list, because texts are all over the memory. */
const WORTH = 16;
const MOST_LISTS = 3;

/** What all of these have in common, or somewhat more: only the shortest are walked. */
function allOf(walks: Walk[]): Walk {
  const [shortest, ...others] = walks.toSorted((a, b) => a.length - b.length);
  if (!shortest) throw new Error('there is nothing to walk');
  const worth = others.slice(0, MOST_LISTS - 1).filter(({ length }) => length <= WORTH * shortest.length);
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
