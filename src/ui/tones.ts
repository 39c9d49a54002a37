// The shades of one of the theme's colours, as variables that chips mix into something readable, light and dark.

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
