// What people with different color vision see of a color, how far apart two colors are, and their contrast.

type Three = [number, number, number];

/** What people with a kind of color vision see of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1). */
const MATRICES = {
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
} satisfies Record<string, [Three, Three, Three]>;

export type Vision = keyof typeof MATRICES;
export const VISIONS = Object.keys(MATRICES) as Vision[];

/** Red, green and blue as light. */
function linear(color: string): Three {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return [r, g, b];
}

const dot = ([a, b, c]: readonly number[], [x, y, z]: Three) =>
  Math.min(1, Math.max(0, (a ?? 0) * x + (b ?? 0) * y + (c ?? 0) * z));

/** A color as somebody sees it, in CIELAB: a distance of about 2 can just be seen. */
export function labOf(color: string, vision: Vision): Three {
  const light = linear(color);
  const [r = 0, g = 0, b = 0] = MATRICES[vision].map((row) => dot(row, light));
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

export const distance = (color: readonly number[], other: readonly number[]): number =>
  Math.hypot(...color.map((part, at) => part - (other[at] ?? 0)));

/** The contrast of two colors as WCAG counts it. */
export function contrast(text: string, other: string): number {
  const [low = 0, high = 0] = [text, other]
    .map((color) => dot([0.2126, 0.7152, 0.0722], linear(color)))
    .toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
