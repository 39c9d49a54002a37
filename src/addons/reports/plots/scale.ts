// Computes the axis of a plot: round steps that include all figures and zero.

export type Scale = {
  from: number;
  to: number;
  ticks: number[];
};

/** The smallest step of 1, 2, 2.5 or 5 times a power of ten that divides a range into at most `most` steps. */
function stepFor(range: number, most: number, isWhole: boolean): number {
  const rough = range / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10].map((entry) => entry * power).find((candidate) => candidate >= rough * (1 - 1e-9)) ?? rough;
  return isWhole ? Math.max(1, Math.ceil(step)) : step;
}

/** The scale for some figures. With `isWhole`, every tick is a whole number, for counts. */
export function scaleOf(values: readonly number[], most: number, isWhole: boolean): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return { from: 0, to: 1, ticks: [0, 1] };
  const step = stepFor(high - low, most, isWhole);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  return { from: ticks[0] ?? 0, to: ticks.at(-1) ?? 1, ticks };
}
