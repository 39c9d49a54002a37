// The colors of territories stay apart for people with any color vision, in both schemes, and names stay readable on them.
import { expect, it } from 'vitest';
import { HUES, LOOKS } from '#features/territories/zip-areas/looks.ts';
import { inks, lookNumbered } from './palette.ts';

type Three = [number, number, number];

/** What people with a kind of color vision see of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1). */
const VISIONS: Record<string, [Three, Three, Three]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'without red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'without green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'without blue': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (color: string) =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });

/** CIELAB: a distance of about 2 can just be seen. */
function labOf([r = 0, g = 0, b = 0]: number[]): Three {
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const lightness = (color: string) => {
  const [r = 0, g = 0, b = 0] = linear(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one: string, other: string) => {
  const [low = 0, high = 0] = [lightness(one), lightness(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

const SCHEMES = ['light', 'dark'] as const;
const looks = (scheme: (typeof SCHEMES)[number]) =>
  Array.from({ length: LOOKS }, (_, look) => lookNumbered(look, scheme));

it.each(SCHEMES.flatMap((scheme) => Object.keys(VISIONS).map((vision) => [scheme, vision] as const)))(
  'in %s colors, %s',
  (scheme, vision) => {
    const seen = looks(scheme)
      .slice(0, HUES)
      .map(({ color }) => {
        const parts = linear(color);
        const rows = VISIONS[vision] ?? [];
        return labOf(
          rows.map((row) =>
            Math.min(
              1,
              Math.max(
                0,
                row.reduce((sum, one, i) => sum + one * (parts[i] ?? 0), 0),
              ),
            ),
          ),
        );
      });
    for (const [i, one] of seen.entries())
      for (const other of seen.slice(0, i))
        expect(Math.hypot(...one.map((part, at) => part - (other[at] ?? 0)))).toBeGreaterThan(20);
  },
);

it.each(SCHEMES)('stripes and names stand out from every color: %s', (scheme) => {
  for (const { color, stripes } of looks(scheme)) {
    expect(contrast(color, inks(scheme).text)).toBeGreaterThan(4.5);
    expect(contrast(color, stripes ?? inks(scheme).text)).toBeGreaterThan(2.5);
  }
  expect(new Set(looks(scheme).map((look) => JSON.stringify(look))).size).toBe(LOOKS);
});
