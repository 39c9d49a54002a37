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
