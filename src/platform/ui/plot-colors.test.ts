// Tests that the colors of plots contrast with the card in both schemes, and are distinguishable with any kind of color vision.
import { expect, it } from 'vitest';
import { contrast, distance, labOf, VISIONS } from '#testing/color-vision.ts';
import { PLOT_COLORS } from './plot-colors.ts';

/** `--app-card` of ui.css. */
const CARD = { light: '#ffffff', dark: '#1c1e21' };

it.each(['light', 'dark'] as const)('%s: each color contrasts with the card', (scheme) => {
  for (const color of PLOT_COLORS[scheme]) expect(contrast(color, CARD[scheme])).toBeGreaterThanOrEqual(3);
  expect(PLOT_COLORS[scheme]).toHaveLength(PLOT_COLORS.light.length);
});

it.each((['light', 'dark'] as const).flatMap((scheme) => VISIONS.map((vision) => [scheme, vision] as const)))(
  '%s, %s: no two colors look alike',
  (scheme, vision) => {
    const seen = PLOT_COLORS[scheme].map((color) => ({ color, lab: labOf(color, vision) }));
    const alike = seen.flatMap((entry, at) =>
      seen.slice(0, at).flatMap((other) => {
        const apart = distance(entry.lab, other.lab);
        return apart < 20 ? [`${entry.color} and ${other.color}: ${apart.toFixed(1)}`] : [];
      }),
    );
    expect(alike).toEqual([]);
  },
);
