// Reads the words, sizes and counts of a description as hospitals, manufacturers and we write them.

/** Common trade abbreviations. An abbreviation with several meanings is left as it is. */
const MEANS: Record<string, string> = {
  glv: 'glove',
  glvs: 'glove',
  gloves: 'glove',
  syr: 'syringe',
  syrg: 'syringe',
  ndl: 'needle',
  ndle: 'needle',
  needl: 'needle',
  cath: 'catheter',
  caths: 'catheter',
  cathr: 'catheter',
  tbg: 'tubing',
  tb: 'tube',
  bndg: 'bandage',
  bdg: 'bandage',
  drsg: 'dressing',
  drg: 'dressing',
  drsng: 'dressing',
  spng: 'sponge',
  gz: 'gauze',
  ster: 'sterile',
  strl: 'sterile',
  strle: 'sterile',
  stl: 'sterile',
  nonster: 'nonsterile',
  nst: 'nonsterile',
  ns: 'nonsterile',
  disp: 'disposable',
  dispos: 'disposable',
  dsp: 'disposable',
  pwdr: 'powder',
  pf: 'powderfree',
  lf: 'latexfree',
  ltx: 'latex',
  nitr: 'nitrile',
  vnyl: 'vinyl',
  surg: 'surgical',
  sx: 'surgical',
  msk: 'mask',
  gwn: 'gown',
  drp: 'drape',
  elec: 'electrode',
  electr: 'electrode',
  thermo: 'thermometer',
  bp: 'pressure',
  adh: 'adhesive',
  abs: 'absorbent',
  abd: 'abdominal',
  fol: 'foley',
  sil: 'silicone',
  silic: 'silicone',
  slcn: 'silicone',
  sut: 'suture',
  blk: 'black',
  wht: 'white',
  blu: 'blue',
  grn: 'green',
  yel: 'yellow',
  clr: 'clear',
  insul: 'insulin',
  hypo: 'hypodermic',
  sol: 'solution',
  soln: 'solution',
  irrig: 'irrigation',
  cont: 'container',
  contr: 'container',
  bag: 'bag',
  bg: 'bag',
  conn: 'connector',
  ext: 'extension',
  infus: 'infusion',
  inj: 'injection',
  intro: 'introducer',
  oxy: 'oxygen',
  o2: 'oxygen',
  nsl: 'nasal',
  cann: 'cannula',
  canula: 'cannula',
  trach: 'tracheostomy',
  suct: 'suction',
  st: 'set',
  kt: 'kit',
  undrpd: 'underpad',
  wipe: 'wipe',
  alc: 'alcohol',
  chg: 'chlorhexidine',
  prep: 'prep',
  pvp: 'povidone',
  wnd: 'wound',
  collec: 'collection',
  coll: 'collection',
  spec: 'specimen',
  cntr: 'container',
  hol: 'holder',
  hldr: 'holder',
  reg: 'regular',
  std: 'standard',
  ped: 'pediatric',
  peds: 'pediatric',
  inf: 'infant',
  adlt: 'adult',
  univ: 'universal',
  w: 'with',
  wo: 'without',
  nonwov: 'nonwoven',
  nw: 'nonwoven',
  elas: 'elastic',
  elast: 'elastic',
  compr: 'compression',
  stock: 'stocking',
  tp: 'tape',
  ppr: 'paper',
  plas: 'plastic',
  pls: 'plastic',
  rbr: 'rubber',
  alum: 'aluminum',
  ss: 'stainless',
};
/** Words without a meaning of their own. */
const EMPTY = new Set(
  'a an and for in of on or the to with by per from w each ea bx box cs case pk pack pkg ct ctn count rl dz'.split(' '),
);

const GLOVE_SIZES: Record<string, string> = {
  xs: 'xs',
  'x-small': 'xs',
  xsma: 'xs',
  xsmal: 'xs',
  xsmall: 'xs',
  sma: 's',
  smal: 's',
  smll: 's',
  small: 's',
  sm: 's',
  sml: 's',
  s: 's',
  medi: 'm',
  mediu: 'm',
  medium: 'm',
  mdm: 'm',
  med: 'm',
  md: 'm',
  m: 'm',
  lar: 'l',
  larg: 'l',
  large: 'l',
  lrg: 'l',
  lg: 'l',
  lge: 'l',
  l: 'l',
  xl: 'xl',
  xlar: 'xl',
  xlarg: 'xl',
  xlarge: 'xl',
  xlrg: 'xl',
  'x-large': 'xl',
  xlg: 'xl',
  xxl: 'xxl',
  '2xl': 'xxl',
  xxlarge: 'xxl',
  '3xl': 'xxxl',
  xxxl: 'xxxl',
  '4xl': 'xxxxl',
};
const MATERIALS = new Set(
  'nitrile latex vinyl silicone polyurethane cotton rayon foam neoprene polypropylene nylon silk chromic'.split(' '),
);
/** An item has at most one of the words of a line. */
const EXCLUSIVE: readonly (readonly string[])[] = [
  ['sterile', 'nonsterile'],
  ['latexfree', 'latex'],
  ['powderfree', 'powdered'],
  ['left', 'right'],
  ['cuffed', 'uncuffed'],
  ['oral', 'nasal'],
  ['straight', 'curved', 'winged', 'coiled', 'angled'],
  ['absorbable', 'nonabsorbable'],
  ['disposable', 'reusable'],
  ['adult', 'pediatric', 'infant', 'neonatal'],
  ['male', 'female'],
  ['undyed', 'violet', 'dyed'],
  [
    'blue',
    'yellow',
    'white',
    'green',
    'red',
    'black',
    'pink',
    'purple',
    'lavender',
    'orange',
    'gray',
    'gold',
    'clear',
    'brown',
  ],
];
const GROUP_OF = new Map(
  EXCLUSIVE.flatMap((words) => words.map((word) => [word, words.slice(0, 2).join(' or ')] as const)),
);

export type ItemWords = {
  words: string[];
  /** 'gauge' to '18', 'size' to 'm'. A name can have several values. */
  sizes: Map<string, Set<string>>;
};

const NUMBER = String.raw`\d+(?:\.\d+)?(?:[- ]\d+/\d+|/\d+)?|\.\d+|\d+/\d+`;
const UNITS: Record<string, string> = {
  gauge: 'g ga gauge gage',
  french: 'fr french f',
  ml: 'ml cc milliliter milliliters',
  mm: 'mm',
  cm: 'cm',
  oz: 'oz ounce ounces',
  mg: 'mg',
  percent: '% pct percent',
  inch: 'in inch inches "',
  foot: "ft feet foot '",
  yard: 'yd yds yard yards',
  pound: 'lb lbs pound pounds',
};
const UNIT_OF = new Map(Object.entries(UNITS).flatMap(([name, words]) => words.split(' ').map((word) => [word, name])));
const MEASURE = new RegExp(
  String.raw`(?<![\d.])(${NUMBER})\s*(?:(%|"|')|(${[...UNIT_OF.keys()].filter((word) => /\w/.test(word)).join('|')})\b)`,
  'g',
);
const BY = new RegExp(
  String.raw`(${NUMBER})\s*(?:in(?:ch)?|"|cm|mm|ft)?\s*[x×]\s*(${NUMBER})(?:\s*(?:in(?:ch)?|"|cm|mm|ft)?\s*[x×]\s*(${NUMBER}))?`,
  'g',
);
const SUTURE = /\b(\d{1,2})-0\b/g;
/** '100/bx', '10 per case': the content of a package does not describe the item. */
const PACKS = /\b\d+\s*(?:\/|per\s+)\s*(?:bx|box|cs|case|pk|pack|pkg|ct|ctn|carton|bg|bag|ea|each|rl|roll|dz)\b/g;

/** Reads a description. Sizes are removed from the text, so that '18 ga' and '18G' are the same. */
export function wordsIn(description: string): ItemWords {
  let text = ` ${description.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()} `
    .replaceAll('®', ' ')
    .replaceAll('™', ' ')
    .replace(/\bn(?:on|n)?[- ]?(?:sterile|ster|strl|strle)\b/g, 'nonsterile')
    .replace(/\b(?:latex|ltx)[- ]?fr(?:ee?)?\b/g, 'latexfree')
    .replace(/\bpowder[- ]?free\b/g, 'powderfree')
    .replace(/\bx[- ](?=(?:sma|lar|lrg|lg)[a-z]*\b)/g, 'x')
    .replace(/(?<=[a-z])['’]s\b/g, '')
    .replace(PACKS, ' ');
  const sizes = new Map<string, Set<string>>();
  const note = (name: string, value: string): void => void sizes.set(name, (sizes.get(name) ?? new Set()).add(value));
  text = text.replace(BY, (_all, ...results: (string | undefined)[]) => {
    const parts = results.slice(0, 3).flatMap((part) => (part === undefined ? [] : [decimalText(part)]));
    if (!parts.includes('0')) note('by', parts.toSorted((a, b) => Number(a) - Number(b)).join('x'));
    return ' ';
  });
  text = text.replace(SUTURE, (_all, zeros: string) => (note('suture', zeros), ' '));
  text = text.replace(MEASURE, (all, result: string, sign: string | undefined, word: string | undefined) => {
    const name = UNIT_OF.get(sign ?? word ?? '') ?? '';
    // '0.9 g' and '250 g' are weights.
    if ((name === 'gauge' || name === 'french') && !/^\d{1,2}(?:\.\d)?$/.test(result)) return all;
    note(name, decimalText(result));
    return ' ';
  });
  const words: string[] = [];
  for (const written of text.split(/[^a-z0-9.-]+/)) {
    const word = written.replace(/^[.-]+|[.-]+$/g, '');
    const size = GLOVE_SIZES[word];
    if (size !== undefined) note('size', size);
    else for (const part of word.split('-')) if (part !== '' && !EMPTY.has(part)) words.push(wordOf(part));
  }
  for (const word of words) if (MATERIALS.has(word)) note('material', word);
  for (const word of words) {
    const group = GROUP_OF.get(word);
    if (group !== undefined) note(group, word);
  }
  return { words: [...new Set(words)], sizes };
}

export const consonantsOf = (word: string): string => word.charAt(0) + word.slice(1).replaceAll(/[aeiou]/g, '');

/** Whether one word is the other one, shortened or without its vowels. */
export function isShortOf(short: string, word: string): boolean {
  if (!/^[a-z]{3,}$/.test(short) || !/[a-z]{3}/.test(word)) return short === word;
  return word.startsWith(short) || (!/[aeiou]/.test(short.slice(1)) && consonantsOf(word).startsWith(short));
}

/** Whether the words differ by one added, missing or different letter, or by two swapped letters. */
export function isOneOff(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start++;
  const tail = (from: number, target: number): boolean => word.slice(from) === other.slice(target);
  return (
    tail(start + 1, start + 1) ||
    tail(start + 1, start) ||
    tail(start, start + 1) ||
    (word[start] === other[start + 1] && word[start + 1] === other[start] && tail(start + 2, start + 2))
  );
}

/** Whether two words may be the same: shortened, without vowels, or misspelled. */
export function isAlike(word: string, other: string): boolean {
  if (word === other) return true;
  if (!/^[a-z]{3,}$/.test(word) || !/^[a-z]{3,}$/.test(other)) return false;
  return isShortOf(word, other) || isShortOf(other, word) || (word.length >= 5 && isOneOff(word, other));
}

/** A word in the singular and without abbreviation. */
function wordOf(word: string): string {
  const known = MEANS[word];
  if (known !== undefined) return known;
  if (/^[a-z]{4,}s$/.test(word) && !/(?:ss|us|is)$/.test(word)) return MEANS[word.slice(0, -1)] ?? word.slice(0, -1);
  return word;
}

/** '1-1/2' and '1.50' are 1.5. */
function decimalText(text: string): string {
  const [, whole = '0', top, bottom] = /^(?:(\d+(?:\.\d+)?|\.\d+)(?:[- ]|(?=$)))?(?:(\d+)\/(\d+))?$/.exec(text) ?? [];
  const value = top === undefined ? Number(whole) : Number(whole) + Number(top) / Number(bottom);
  return Number.isFinite(value) ? String(Math.round(value * 1000) / 1000) : text;
}

function haveOneInCommon(list: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const entry of list) if (others.has(entry)) return true;
  return false;
}

/** The first contradiction in sizes that both descriptions contain, in words. Empty if there is none. */
export function contradiction(theirs: ItemWords, ours: ItemWords): string {
  for (const [name, values] of theirs.sizes) {
    const known = ours.sizes.get(name);
    if (!known || haveOneInCommon(values, known)) continue;
    // Two descriptions with many measurements may each mention different ones.
    if (['inch', 'cm', 'mm', 'foot'].includes(name) && (values.size > 1 || known.size > 1)) continue;
    return name.includes(' or ')
      ? `Theirs is ${[...values].join(', ')}, but ours is ${[...known].join(', ')}`
      : `Their ${name} is ${[...values].join(', ')}, but ours is ${[...known].join(', ')}`;
  }
  return '';
}
