// The shades of one theme color, as variables that chips mix into readable light and dark colors.

export type Tone = 'red' | 'orange' | 'blue' | 'green' | 'violet';

export function tonesOf(tone: Tone): Record<`--${string}`, string> {
  const color = `--mantine-color-${tone}`;
  return {
    '--deep': `var(${color}-9)`,
    '--pale': `var(${color}-2)`,
    '--tint': `var(${color}-1)`,
    '--dot': `var(${color}-6)`,
  };
}

/**
 * The colors of plots, by number: each stands out from the card (3:1), and people with any color vision tell them apart. The first two are
 * for opposites, such as won and lost; the third is for what is neither.
 */
export const PLOT_COLORS: Record<'light' | 'dark', readonly string[]> = {
  light: ['#1b5bbb', '#bd430f', '#303336', '#713479', '#2d9a63'],
  dark: ['#297eff', '#da572f', '#e0e5eb', '#9f568d', '#43d08a'],
};
