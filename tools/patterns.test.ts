// No regular expression takes superlinear time, whatever text it reads: emails, files, pastes, cells and addresses come from people we do not know.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type CallExpression, type Expression, type NewExpression, parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { growthOf, type Pattern } from '#testing/regex-steps.ts';
import { root } from './run.mjs';

const FILES = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.(?:test|e2e)\.tsx?$/.test(file) && !file.startsWith('src/testing/'),
);

/**
 * Patterns of quadratic work, and why that is no danger. Before you add one: a bounded repetition (\s{0,5}), `withoutEnd` or reading line by line is
 * nearly always as good.
 */
const HARMLESS: Record<string, string> = {};

type Place = Pattern & { file: string };

/** A sample text for a value that is only known at run time. */
const SAMPLE_OF = (code: string) => (code.includes('join') ? 'ab|cde' : '5');

/** The text of an expression: of constants of the file as they are, of other parts as something short. */
function textOf(node: Expression, constants: ReadonlyMap<string, Expression>, source: string): string {
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'Identifier') {
    const value = constants.get(node.name);
    return value ? textOf(value, constants, source) : SAMPLE_OF(node.name);
  }
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return textOf(node.left, constants, source) + textOf(node.right, constants, source);
  const template =
    node.type === 'TaggedTemplateExpression' ? node.quasi : node.type === 'TemplateLiteral' ? node : null;
  if (!template) return SAMPLE_OF(source.slice(node.start, node.end));
  const isRaw = node.type === 'TaggedTemplateExpression';
  return template.quasis
    .map(({ value }, index) => {
      const inner = template.expressions[index];
      return (isRaw ? value.raw : (value.cooked ?? '')) + (inner ? textOf(inner, constants, source) : '');
    })
    .join('');
}

function patternsOf(file: string): Place[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  if (!/\/|RegExp/.test(source)) return [];
  const { program } = parseSync(file, source);
  const constants = new Map<string, Expression>();
  const result: Place[] = [];
  const built: [Expression, string][] = [];
  const build = ({ callee, arguments: [pattern, flags] }: NewExpression | CallExpression) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || !pattern || pattern.type === 'SpreadElement')
      return;
    built.push([pattern, flags?.type === 'Literal' ? String(flags.value) : '']);
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) result.push({ file, source: node.regex.pattern, flags: node.regex.flags });
    },
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    },
    NewExpression: build,
    CallExpression: build,
  }).visit(program);
  return [...result, ...built.map(([pattern, flags]) => ({ file, source: textOf(pattern, constants, source), flags }))];
}

const places = FILES.flatMap(patternsOf);
const distinct = [...new Map(places.map((place) => [`/${place.source}/${place.flags}`, place])).values()];

test('patterns are found, written and put together', () => {
  expect(distinct.length).toBeGreaterThan(500);
  expect(distinct.some(({ file, source }) => file.endsWith('unit-of-measure.ts') && source.length > 60)).toBe(true);
});

test('the count knows slow patterns from quick ones, without a clock', () => {
  const degreeOf = (pattern: RegExp) => growthOf(pattern).degree;
  for (const quick of [/^a+$/, /\s+/g, /^\s*>/, /\d{1,3}(?:,\d{3})+/, /"[^"]*"/g, /^(?:re|fwd?)\s*:\s*(?=\w)/i])
    expect([String(quick), degreeOf(quick)]).toEqual([String(quick), 'linear']);
  for (const slow of [/\s+$/, /,+;/g, /a.*b/, /(\w+)@/])
    expect([String(slow), degreeOf(slow)]).toEqual([String(slow), 'quadratic']);
  const sender = /^[>\s*]*from:\*?\s*"?([^"<\n\r]*?)"?\s*[<[(]([^\s<>[\]()]+@[^\s<>[\]()]+)[>\])]/gim;
  for (const worse of [/^(a+)+$/, /^(a|a)*$/, /^\s*\s*\s*x/, sender])
    expect([String(worse), degreeOf(worse)]).toEqual([String(worse), 'worse']);
});

test('no pattern of the program does more than linear work', () => {
  const slow = distinct
    .map((place) => ({ ...place, ...growthOf(place) }))
    .filter(({ degree, source }) => degree === 'worse' || (degree === 'quadratic' && !Object.hasOwn(HARMLESS, source)))
    .map(({ file, source, flags, degree, text }) => `${file}: /${source}/${flags} is ${degree} for ${text}`);
  expect(slow).toEqual([]);
});

test('every pattern that is excused is there', () => {
  const sources = new Set(distinct.map(({ source }) => source));
  expect(Object.keys(HARMLESS).filter((source) => !sources.has(source))).toEqual([]);
});
