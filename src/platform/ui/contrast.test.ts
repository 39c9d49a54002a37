// Tests the colors of the product, light and dark: every text reaches the contrast that WCAG 2.2 AA requires on its background.
import fs from 'node:fs';
import path from 'node:path';
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { theme } from './theme.web.ts';
import { type Tone, tonesOf } from './tones.ts';

type Scheme = 'light' | 'dark';
type Color = { r: number; g: number; b: number; a: number };
type Rule = { file: string; selector: string; values: Map<string, string> };

const SRC = path.join(import.meta.dirname, '../..');
/** The possible backgrounds of a text without a background of its own. */
const SURFACES = ['var(--app-card)', 'var(--app-surface)', 'var(--app-row-hover)'];
/** These look like paper, white in both schemes. */
const PAPER = /hot-sheet/;
const TONES: Tone[] = ['red', 'orange', 'blue', 'green', 'violet'];
/** Mantine's colors of alerts, buttons and texts that the screens use. */
const USED = ['petrol', 'red', 'orange', 'blue', 'green', 'yellow', 'gray'];
/** Marks without text. WCAG requires 3:1 for those with a meaning, and nothing for the others. */
const NO_TEXT = /::before|::after|svg|drag|disabled|\bicon\b/i;

const mantine = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
const rules = fs
  .readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css'))
  .flatMap((file) => rulesOf(file, fs.readFileSync(path.join(SRC, file), 'utf8')));
const ours = new Map(
  rules.filter(({ selector }) => selector.startsWith(':root')).flatMap(({ values }) => [...values.entries()]),
);
/** The colors of other users on a quote. */
const PEOPLE = rules
  .flatMap(({ values }) => [...values])
  .flatMap(([name, color]) => (/^--who-\d$/.test(name) ? [{ '--who': color }] : []));

/** Returns the rules of a style sheet as they apply on a screen. */
function rulesOf(file: string, css: string): Rule[] {
  const results: Rule[] = [];
  const text = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@media print\s*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  for (const [, selector = '', body = ''] of text.matchAll(/([^{};]+)\{([^{}]*)\}/g)) {
    const values = new Map<string, string>();
    for (const [, name = '', value = ''] of body.matchAll(/([\w-]+)\s*:\s*([^;]+)/g)) values.set(name, value.trim());
    results.push({ file, selector: selector.trim(), values });
  }
  return results;
}

function colorOf(text: string, scheme: Scheme, local: Map<string, string>): Color | null {
  const value = text.trim();
  const [, name = '', inner = ''] = /^([\w-]+)\(([\s\S]*)\)$/.exec(value) ?? [];
  const parts = split(inner);
  if (name === 'var') {
    const key = parts[0] ?? '';
    const next = local.get(key) ?? ours.get(key) ?? mantine[scheme][key as never] ?? mantine.variables[key as never];
    return next === undefined ? null : colorOf(next, scheme, local);
  }
  if (name === 'light-dark') return colorOf((scheme === 'light' ? parts[0] : parts[1]) ?? '', scheme, local);
  if (name === 'color-mix') {
    const [, share = '50'] = /(\d+)%/.exec(parts[1] ?? '') ?? [];
    const first = colorOf((parts[1] ?? '').replace(/\s*\d+%/, ''), scheme, local);
    const second = colorOf(parts[2] ?? '', scheme, local);
    return first && second ? mix(first, second, Number(share) / 100) : null;
  }
  if (name === 'rgb' || name === 'rgba') {
    const [r = 0, g = 0, b = 0, a = 1] = inner
      .split(/[\s,/]+/)
      .map((part) => parseFloat(part) / (part.endsWith('%') ? 100 : 1));
    return { r, g, b, a };
  }
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(value)?.[1];
  if (!hex) return null;
  const six = hex.length === 3 ? [...hex].map((entry) => entry + entry).join('') : hex;
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => parseInt(six.slice(at, at + 2), 16));
  return { r, g, b, a: 1 };
}

/** Splits at commas outside brackets. */
function split(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

const mix = (color: Color, other: Color, share: number): Color => ({
  r: color.r * share + other.r * (1 - share),
  g: color.g * share + other.g * (1 - share),
  b: color.b * share + other.b * (1 - share),
  a: 1,
});
const over = (front: Color, back: Color) => (front.a === 1 ? front : mix(front, back, front.a));

function contrast(color: Color, other: Color): number {
  const light = ({ r, g, b }: Color) => {
    const [x = 0, y = 0, z = 0] = [r, g, b].map((part) => {
      const share = part / 255;
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const [high = 0, low = 0] = [light(color), light(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Returns the texts with too little contrast, in words. */
function pale(
  where: string,
  text: string,
  behind: string[],
  scheme: Scheme,
  local = new Map<string, string>(),
  least = 4.5,
): string[] {
  const paper = { r: 255, g: 255, b: 255, a: 1 };
  const card = colorOf('var(--app-card)', scheme, local) ?? paper;
  const front = colorOf(text, scheme, local);
  if (!front) return [];
  return behind.flatMap((entry) => {
    const back = colorOf(entry, scheme, local);
    if (!back) return [];
    const ground = over(back, card);
    const result = contrast(over(front, ground), ground);
    return result < least ? [`${where}, ${scheme}: ${text} on ${entry} is ${result.toFixed(2)}`] : [];
  });
}

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  it('each text of our style sheets is readable', () => {
    const results: string[] = [];
    let seen = 0;
    for (const { file, selector, values } of rules) {
      const text = values.get('color');
      if (!text || selector.startsWith('@') || NO_TEXT.test(selector)) continue;
      const local = new Map(rules.filter((rule) => rule.file === file).flatMap((rule) => [...rule.values]));
      const own = values.get('background') ?? values.get('background-color');
      const choices = /--deep|--pale/.test(text) ? TONES.map(tonesOf) : own === 'var(--who)' ? PEOPLE : [{}];
      for (const choice of choices) {
        const known = new Map<string, string>([...local, ...Object.entries(choice)]);
        const hasOwn = own !== undefined && colorOf(own, scheme, known) !== null;
        const behind = hasOwn ? [own] : PAPER.test(file) ? ['#fff'] : SURFACES;
        if (colorOf(text, scheme, known)) seen++;
        results.push(
          ...pale(`${file} ${selector} ${Object.values(choice).join()}`.trim(), text, behind, scheme, known),
        );
      }
    }
    expect(results).toEqual([]);
    expect(seen).toBeGreaterThan(40);
    expect(PEOPLE).toHaveLength(9);
  });

  it('each color of Mantine that a screen chooses is readable', () => {
    const cssVariable = (color: string, part: string) => `var(--mantine-color-${color}-${part})`;
    const alertTitle = rules.find(({ selector }) => selector === '.mantine-Alert-title')?.values.get('color') ?? '';
    expect(alertTitle).toContain('--alert-color');
    const results = [
      ...pale('text', 'var(--mantine-color-text)', SURFACES, scheme),
      ...pale('link', 'var(--mantine-color-anchor)', SURFACES, scheme),
      ...pale('text in a field', 'var(--mantine-color-text)', ['var(--mantine-color-default)'], scheme),
      ...pale('placeholder', 'var(--mantine-color-placeholder)', ['var(--mantine-color-body)'], scheme),
      ...['petrol', 'red'].flatMap((color) => pale(`filled ${color}`, '#fff', [cssVariable(color, 'filled')], scheme)),
      ...USED.flatMap((color) => {
        const local = new Map([['--alert-color', cssVariable(color, 'light-color')]]);
        return pale(`title of an alert in ${color}`, alertTitle, [cssVariable(color, 'light')], scheme, local);
      }),
      ...['petrol', 'red'].flatMap((color) =>
        pale(`subtle ${color}`, cssVariable(color, 'light-color'), SURFACES, scheme),
      ),
    ];
    expect(results).toEqual([]);
  });
});
