// Counts how much work a regular expression is for texts that keep it busy, so that a test can tell how the work grows without a clock.

type Node =
  | { kind: 'char'; matches: (char: string) => boolean }
  | { kind: 'assert'; isStart: boolean; holds: (text: string, at: number) => boolean }
  | { kind: 'all'; parts: Node[] }
  | { kind: 'any'; options: Node[] }
  | { kind: 'group'; index: number; name: string; body: Node }
  | { kind: 'back'; to: string }
  | { kind: 'look'; body: Node; ahead: boolean; negative: boolean }
  | { kind: 'loop'; body: Node; least: number; most: number; lazy: boolean };

type Flags = { ignoreCase: boolean; multiline: boolean; dotAll: boolean; unicode: string };

class Parser {
  at = 0;
  groups = 0;
  readonly source: string;
  readonly flags: Flags;
  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = {
      ignoreCase: flags.includes('i'),
      multiline: flags.includes('m'),
      dotAll: flags.includes('s'),
      unicode: /[uv]/.exec(flags)?.[0] ?? '',
    };
  }

  private peek(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }
  private take(text: string): boolean {
    if (!this.peek(text)) return false;
    this.at += text.length;
    return true;
  }

  options(): Node {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'any', options };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !this.peek('|') && !this.peek(')')) parts.push(this.quantified());
    return { kind: 'all', parts };
  }

  private quantified(): Node {
    const body = this.atom();
    const braces = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.source.slice(this.at));
    let bounds: [number, number] | null = null;
    if (this.take('*')) bounds = [0, Infinity];
    else if (this.take('+')) bounds = [1, Infinity];
    else if (this.take('?')) bounds = [0, 1];
    else if (braces) {
      this.at += braces[0].length;
      const least = Number(braces[1]);
      bounds = [least, braces[2] ? (braces[3] ? Number(braces[3]) : Infinity) : least];
    }
    if (!bounds) return body;
    return { kind: 'loop', body, least: bounds[0], most: bounds[1], lazy: this.take('?') };
  }

  private atom(): Node {
    if (this.take('(')) return this.group();
    if (this.take('^'))
      return {
        kind: 'assert',
        isStart: true,
        holds: (text, at) => at === 0 || (this.flags.multiline && text[at - 1] === '\n'),
      };
    if (this.take('$'))
      return {
        kind: 'assert',
        isStart: false,
        holds: (text, at) => at === text.length || (this.flags.multiline && text[at] === '\n'),
      };
    if (this.peek('[')) return this.charOf(this.classText());
    if (this.peek('\\')) return this.escape();
    const char = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
    this.at += char.length;
    return this.charOf(char);
  }

  private group(): Node {
    for (const [mark, ahead, negative] of [
      ['?=', true, false],
      ['?!', true, true],
      ['?<=', false, false],
      ['?<!', false, true],
    ] as const)
      if (this.take(mark)) return { kind: 'look', body: this.closed(), ahead, negative };
    if (this.take('?:')) return this.closed();
    const name = /^\?<(\w+)>/.exec(this.source.slice(this.at));
    if (name) this.at += name[0].length;
    else if (this.peek('?')) throw new Error(`This kind of group is not known: ${this.source.slice(this.at - 1)}`);
    const index = ++this.groups;
    return { kind: 'group', index, name: name?.[1] ?? '', body: this.closed() };
  }

  private closed(): Node {
    const body = this.options();
    if (!this.take(')')) throw new Error(`A group is not closed: ${this.source}`);
    return body;
  }

  private classText(): string {
    const from = this.at;
    let depth = 0;
    for (; this.at < this.source.length; this.at++) {
      const char = this.source[this.at];
      if (char === '\\') this.at++;
      else if (char === '[' && (depth === 0 || this.flags.unicode === 'v')) depth++;
      else if (char === ']' && --depth === 0) {
        this.at++;
        break;
      }
    }
    return this.source.slice(from, this.at);
  }

  private escape(): Node {
    if (this.take('\\b'))
      return { kind: 'assert', isStart: false, holds: (text, at) => isWord(text[at - 1]) !== isWord(text[at]) };
    if (this.take('\\B'))
      return { kind: 'assert', isStart: false, holds: (text, at) => isWord(text[at - 1]) === isWord(text[at]) };
    const rest = this.source.slice(this.at);
    const back = /^\\(?:([1-9]\d*)|k<(\w+)>)/.exec(rest);
    if (back) {
      this.at += back[0].length;
      return { kind: 'back', to: back[1] ?? back[2] ?? '' };
    }
    const text = /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])/.exec(rest)?.[0] ?? rest;
    this.at += text.length;
    return this.charOf(text);
  }

  /** One character of a class, an escape or itself, by the engine's own reading. */
  private charOf(text: string): Node {
    const { ignoreCase, dotAll, unicode } = this.flags;
    const first = new RegExp(`^${text}$`, `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${unicode}`);
    const known = new Map<string, boolean>();
    const matches = (char: string): boolean => {
      let answer = known.get(char);
      if (answer === undefined) known.set(char, (answer = first.test(char)));
      return answer;
    };
    return { kind: 'char', matches };
  }
}

const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);

class TooMany extends Error {}

/** How the engine tries a text: every choice is tried in order, and taken back when what follows fails. */
class Matcher {
  steps = 0;
  private readonly groups = new Map<string, string>();
  readonly text: string;
  readonly most: number;
  constructor(text: string, most: number) {
    this.text = text;
    this.most = most;
  }

  /** Whether `node` matches at a place and `next` accepts where it ends. */
  match(node: Node, at: number, next: (end: number) => boolean): boolean {
    if (++this.steps > this.most) throw new TooMany();
    switch (node.kind) {
      case 'char': {
        const char = this.text[at];
        return char !== undefined && node.matches(char) && next(at + 1);
      }
      case 'assert':
        return node.holds(this.text, at) && next(at);
      case 'all':
        return this.all(node.parts, 0, at, next);
      case 'any':
        return node.options.some((option) => this.match(option, at, next));
      case 'group': {
        const keys = [String(node.index), node.name].filter((key) => key !== '');
        return this.match(node.body, at, (end) => {
          const before = keys.map((key) => this.groups.get(key));
          for (const key of keys) this.groups.set(key, this.text.slice(at, end));
          if (next(end)) return true;
          keys.forEach((key, index) => this.groups.set(key, before[index] ?? ''));
          return false;
        });
      }
      case 'back': {
        const word = this.groups.get(node.to) ?? '';
        return this.text.startsWith(word, at) && next(at + word.length);
      }
      case 'look': {
        const isFound = node.ahead ? this.match(node.body, at, () => true) : this.behind(node.body, at);
        return isFound !== node.negative && next(at);
      }
      case 'loop':
        return this.loop(node, 0, at, next);
    }
  }

  private all(parts: readonly Node[], index: number, at: number, next: (end: number) => boolean): boolean {
    const part = parts[index];
    return part ? this.match(part, at, (end) => this.all(parts, index + 1, end, next)) : next(at);
  }

  /** What a look behind matches is short in practice, so its beginnings are tried one by one. */
  private behind(body: Node, at: number): boolean {
    for (let from = at; from >= Math.max(0, at - 10); from--)
      if (this.match(body, from, (end) => end === at)) return true;
    return false;
  }

  private loop(node: Node & { kind: 'loop' }, count: number, at: number, next: (end: number) => boolean): boolean {
    const { body, least, most, lazy } = node;
    const again = () =>
      count < most &&
      this.match(body, at, (end) => (end > at || count < least) && this.loop(node, count + 1, end, next));
    if (count < least) return again();
    return lazy ? next(at) || again() : again() || next(at);
  }
}

export type Pattern = { source: string; flags: string };

function parse({ source, flags }: Pattern): Node {
  return new Parser(source, flags).options();
}

/** The steps of a search through a text from its beginning, as `replaceAll` or `test` makes it; `most` when there are more. */
function stepsOf(root: Node, text: string, flags: string, most: number): number {
  const matcher = new Matcher(text, most);
  try {
    for (let at = 0; at <= text.length; ) {
      let end = -1;
      if (matcher.match(root, at, (result) => ((end = result), true))) {
        if (!flags.includes('g')) break;
        at = end > at ? end : at + 1;
      } else if (flags.includes('y') || isTied(root, flags)) break;
      else at++;
    }
  } catch (error) {
    if (!(error instanceof TooMany) && !(error instanceof RangeError)) throw error;
    return most;
  }
  return matcher.steps;
}

/** Whether a pattern that fails at the beginning of a text fails everywhere. */
function isTied(node: Node, flags: string): boolean {
  if (node.kind === 'assert') return node.isStart && !flags.includes('m');
  if (node.kind === 'all') return node.parts.length > 0 && isTied(node.parts[0] as Node, flags);
  if (node.kind === 'any') return node.options.every((option) => isTied(option, flags));
  return node.kind === 'group' && isTied(node.body, flags);
}

/** Characters of every sort that patterns tell apart. */
const SAMPLES = [...' \t\n\r\u00a0aAzZxe059-_.,;:/\\@<>()[]{}"\'#%&+*=|~^$!?°×–•é中\u0001'];

/** A loop with what leads to it: words that the parts before it match. */
type Place = { lead: string[]; body: Node; unbounded: boolean };

function loopsOf(node: Node, lead: string[]): Place[] {
  switch (node.kind) {
    case 'all': {
      const places: Place[] = [];
      let before = lead;
      for (const part of node.parts) {
        places.push(...loopsOf(part, before));
        const words = wordsOf(part);
        before = before.flatMap((head) => words.slice(0, 2).map((word) => head + word)).slice(0, 3);
      }
      return places;
    }
    case 'any':
      return node.options.flatMap((option) => loopsOf(option, lead));
    case 'group':
    case 'look':
      return loopsOf(node.body, lead);
    case 'loop':
      return [{ lead, body: node.body, unbounded: node.most === Infinity }, ...loopsOf(node.body, lead)];
    default:
      return [];
  }
}

/** Some short words that a node matches, without a promise about look-arounds. */
function wordsOf(node: Node): string[] {
  switch (node.kind) {
    case 'char': {
      const char = SAMPLES.find((sample) => node.matches(sample)) ?? literalOf(node);
      return [char];
    }
    case 'all':
      return node.parts.reduce<string[]>(
        (heads, part) => heads.flatMap((head) => wordsOf(part).map((word) => head + word)).slice(0, 4),
        [''],
      );
    case 'any':
      return node.options.flatMap((option) => wordsOf(option).slice(0, 1)).slice(0, 6);
    case 'group':
      return wordsOf(node.body);
    case 'loop': {
      const words = wordsOf(node.body);
      return [
        ...new Set([...words.map((word) => word.repeat(Math.max(node.least, 1))), ...(node.least === 0 ? [''] : [])]),
      ];
    }
    default:
      return [''];
  }
}

function literalOf(node: Node & { kind: 'char' }): string {
  for (let code = 33; code < 0x2100; code++)
    if (node.matches(String.fromCharCode(code))) return String.fromCharCode(code);
  return '';
}

function charsOf(node: Node): (Node & { kind: 'char' })[] {
  switch (node.kind) {
    case 'char':
      return [node];
    case 'all':
      return node.parts.flatMap(charsOf);
    case 'any':
      return node.options.flatMap(charsOf);
    case 'group':
    case 'look':
    case 'loop':
      return charsOf(node.body);
    default:
      return [];
  }
}

/** One sample of each sort of character that the pattern tells apart and that one of its loops takes. */
function sortsOf(root: Node, places: readonly Place[]): string[] {
  const chars = charsOf(root);
  const looped = places.flatMap(({ body }) => charsOf(body));
  const sorts = new Map<string, string>();
  for (const sample of new Set([...SAMPLES, ...chars.map(literalOf)])) {
    if (sample === '' || !looped.some((char) => char.matches(sample))) continue;
    const key = chars.map((char) => (char.matches(sample) ? '1' : '0')).join('');
    if (!sorts.has(key)) sorts.set(key, sample);
  }
  return [...sorts.values()];
}

const FEW = 16;
const MANY = 150;
const MAX_STEPS = 400_000;

export type Growth = { degree: 'linear' | 'quadratic' | 'worse'; text: string };

/**
 * How the work of a pattern grows with the length of a text, for the worst text that is found: what leads to a loop, what the loop repeats, and an end that
 * does not fit.
 */
export function growthOf(pattern: Pattern): Growth {
  const root = parse(pattern);
  const places = loopsOf(root, ['']).filter(({ unbounded }) => unbounded);
  let worst: Growth = { degree: 'linear', text: '' };
  if (places.length === 0) return worst;
  const leads = [...new Set(['', ...places.flatMap(({ lead }) => lead)])]
    .filter((lead) => lead.length < 30)
    .slice(0, 5);
  const words = places.flatMap(({ body }) => wordsOf(body)).filter((word) => word.length > 1);
  const pumps = new Set([...sortsOf(root, places), ...words.slice(0, 4)]);
  for (const lead of leads) {
    for (const pump of pumps) {
      for (const end of ['\u0001', '']) {
        const textOf = (count: number) => lead + pump.repeat(Math.ceil(count / pump.length)) + end;
        const steps = (count: number) => stepsOf(root, textOf(count), pattern.flags, MAX_STEPS);
        const [few, twice] = [steps(FEW), steps(2 * FEW)];
        // Linear work doubles with the text, quadratic work becomes four times as much, cubic work eight times.
        if (twice < 2.7 * few && twice < MAX_STEPS) continue;
        const text = JSON.stringify(textOf(8));
        if (twice >= MAX_STEPS) return { degree: 'worse', text };
        if (twice > 5.5 * few && steps(4 * FEW) > 5.5 * twice) return { degree: 'worse', text };
        if (worst.degree === 'linear' && steps(2 * MANY) > 3 * steps(MANY)) worst = { degree: 'quadratic', text };
      }
    }
  }
  return worst;
}
