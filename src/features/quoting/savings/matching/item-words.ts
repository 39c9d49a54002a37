// The words, sizes and counts of a description, as hospitals, makers and we write them.

/** Abbreviations of the trade. What stands for several words is left as it is. */
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
  ntrl: 'nitrile',
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
/** Words that name nothing by themselves. */
const EMPTY = new Set(
  'a an and for in of on or the to with by per from w each ea bx box cs case pk pack pkg ct ctn count rl dz'.split(' '),
);

const GLOVE_SIZES: Record<string, string> = {
  xs: 'xs',
  'x-small': 'xs',
  xsmall: 'xs',
  small: 's',
  sm: 's',
  sml: 's',
  s: 's',
  medium: 'm',
  med: 'm',
  md: 'm',
  m: 'm',
  large: 'l',
  lrg: 'l',
  lg: 'l',
  lge: 'l',
  l: 'l',
  xl: 'xl',
  xlarge: 'xl',
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
/** Of the words of a line, a thing is one. */
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
  /** 'gauge' to '18', 'size' to 'm': by each name at most some values. */
  sizes: Map<string, Set<string>>;
};

const NUMBER = String.raw`\d+(?:\.\d+)?(?:[- ]\d+/\d+|/\d+)?|\.\d+|\d+/\d+`;
const MEASURES: readonly [RegExp, string, (found: string) => string][] = [
  [new RegExp(String.raw`\b(\d{1,2})\s*(?:g|ga|gauge|gage)\b`, 'g'), 'gauge', plain],
  [new RegExp(String.raw`\b(\d{1,2}(?:\.\d)?)\s*(?:fr|french|f)\b`, 'g'), 'french', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:ml|cc|milliliters?)\b`, 'g'), 'ml', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:mm)\b`, 'g'), 'mm', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:cm)\b`, 'g'), 'cm', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:oz|ounces?)\b`, 'g'), 'oz', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:mg)\b`, 'g'), 'mg', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:%|pct|percent)`, 'g'), 'percent', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:inch(?:es)?|in\b|")`, 'g'), 'inch', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:ft|feet|foot|')`, 'g'), 'foot', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:yds?|yards?)\b`, 'g'), 'yard', plain],
  [new RegExp(String.raw`(${NUMBER})\s*(?:lbs?|pounds?)\b`, 'g'), 'pound', plain],
];
const BY = new RegExp(
  String.raw`(${NUMBER})\s*(?:in(?:ch)?|"|cm|mm|ft)?\s*[x×]\s*(${NUMBER})(?:\s*(?:in(?:ch)?|"|cm|mm|ft)?\s*[x×]\s*(${NUMBER}))?`,
  'g',
);
const SUTURE = /\b(\d{1,2})-0\b/g;
/** '100/bx', '10 per case': what a package holds says nothing of the thing. */
const PACKS = /\b\d+\s*(?:\/|per\s+)\s*(?:bx|box|cs|case|pk|pack|pkg|ct|ctn|carton|bg|bag|ea|each|rl|roll|dz)\b/g;

/** Reads a description. Sizes are taken out of the text, so that '18 ga' and '18G' are one. */
export function wordsIn(description: string): ItemWords {
  let text = ` ${description.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()} `
    .replaceAll('®', ' ')
    .replaceAll('™', ' ')
    .replace(/\bn(?:on|n)?[- ]?(?:sterile|ster|strl|strle)\b/g, 'nonsterile')
    .replace(/\b(?:latex|ltx)[- ]?free\b/g, 'latexfree')
    .replace(/\bpowder[- ]?free\b/g, 'powderfree')
    .replace(/\bx[- ](small|large)\b/g, 'x$1')
    .replace(PACKS, ' ');
  const sizes = new Map<string, Set<string>>();
  const note = (name: string, value: string): void => void sizes.set(name, (sizes.get(name) ?? new Set()).add(value));
  text = text.replace(BY, (_all, ...found: (string | undefined)[]) => {
    const parts = found.slice(0, 3).flatMap((part) => (part === undefined ? [] : [plain(part)]));
    note('by', parts.toSorted((a, b) => Number(a) - Number(b)).join('x'));
    return ' ';
  });
  text = text.replace(SUTURE, (_all, zeros: string) => (note('suture', zeros), ' '));
  for (const [pattern, name, read] of MEASURES)
    text = text.replace(pattern, (_all, found: string) => (note(name, read(found)), ' '));
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

/** Whether one word is the other, cut short or without its vowels. */
export function isShortOf(short: string, word: string): boolean {
  if (!/^[a-z]{3,}$/.test(short) || !/[a-z]{3}/.test(word)) return short === word;
  return word.startsWith(short) || (!/[aeiou]/.test(short.slice(1)) && consonantsOf(word).startsWith(short));
}

/** A word without its plural and its abbreviation. */
function wordOf(word: string): string {
  const known = MEANS[word];
  if (known !== undefined) return known;
  if (/^[a-z]{4,}s$/.test(word) && !/(?:ss|us|is)$/.test(word)) return MEANS[word.slice(0, -1)] ?? word.slice(0, -1);
  return word;
}

/** '1-1/2' and '1.50' are 1.5. */
function plain(text: string): string {
  const [, whole = '0', top, bottom] = /^(?:(\d+(?:\.\d+)?|\.\d+)(?:[- ]|(?=$)))?(?:(\d+)\/(\d+))?$/.exec(text) ?? [];
  const value = top === undefined ? Number(whole) : Number(whole) + Number(top) / Number(bottom);
  return Number.isFinite(value) ? String(Math.round(value * 1000) / 1000) : text;
}

/** The first size of which both say something else, in words; empty when they contradict each other in none. */
export function contradiction(theirs: ItemWords, ours: ItemWords): string {
  for (const [name, values] of theirs.sizes) {
    const known = ours.sizes.get(name);
    if (!known || [...values].some((value) => known.has(value))) continue;
    // Of two descriptions with many measures, each may name others.
    if (['inch', 'cm', 'mm', 'foot'].includes(name) && (values.size > 1 || known.size > 1)) continue;
    return name.includes(' or ')
      ? `Theirs is ${[...values].join(', ')}, ours ${[...known].join(', ')}`
      : `Their ${name} is ${[...values].join(', ')}, ours ${[...known].join(', ')}`;
  }
  return '';
}
