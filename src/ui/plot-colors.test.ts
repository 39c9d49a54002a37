// The colors of plots stand out from the card in both schemes, and stay apart for people with any color vision.
import { expect, it } from 'vitest';
import { PLOT_COLORS } from './plot-colors.ts';

type Three = [number, number, number];

/** `--app-card` of ui.css. */
const CARD = { light: '#ffffff', dark: '#1c1e21' };

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

const linear = (color: string): Three => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return [r, g, b];
};
const dot = ([a, b, c]: Three, [x, y, z]: Three) => Math.min(1, Math.max(0, a * x + b * y + c * z));

/** CIELAB: a distance of about 2 can just be seen. */
function labOf([r, g, b]: Three): Three {
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((color) => dot([0.2126, 0.7152, 0.0722], linear(color)))
    .toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

it.each(['light', 'dark'] as const)('%s: each color stands out from the card', (scheme) => {
  for (const color of PLOT_COLORS[scheme]) expect(contrast(color, CARD[scheme])).toBeGreaterThanOrEqual(3);
  expect(PLOT_COLORS[scheme]).toHaveLength(PLOT_COLORS.light.length);
});

it.each(
  (['light', 'dark'] as const).flatMap((scheme) => Object.keys(VISIONS).map((vision) => [scheme, vision] as const)),
)('%s, %s: no two colors look alike', (scheme, vision) => {
  const [red, green, blue] = VISIONS[vision] ?? [];
  const seen = PLOT_COLORS[scheme].map((color) => {
    const parts = linear(color);
    const see = (row: Three | undefined) => dot(row ?? [0, 0, 0], parts);
    return { color, lab: labOf([see(red), see(green), see(blue)]) };
  });
  const alike = seen.flatMap((one, at) =>
    seen.slice(0, at).flatMap((other) => {
      const distance = Math.hypot(...one.lab.map((part, i) => part - (other.lab[i] ?? 0)));
      return distance < 20 ? [`${one.color} and ${other.color}: ${distance.toFixed(1)}`] : [];
    }),
  );
  expect(alike).toEqual([]);
});
