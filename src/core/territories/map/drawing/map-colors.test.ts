// Tests that users with any color vision can distinguish the colors of territories in both schemes, and that names stay readable on them.
import { expect, it } from 'vitest';
import { HUES, LOOKS } from '#core/territories/zip-areas/territory-looks.ts';
import { contrast, distance, labOf, VISIONS } from '#testing/color-vision.ts';
import { inks, lookNumbered } from './map-colors.ts';

const SCHEMES = ['light', 'dark'] as const;
const looks = (scheme: (typeof SCHEMES)[number]) =>
  Array.from({ length: LOOKS }, (_, look) => lookNumbered(look, scheme));

it.each(SCHEMES.flatMap((scheme) => VISIONS.map((vision) => [scheme, vision] as const)))(
  'in %s colors, %s',
  (scheme, vision) => {
    const seen = looks(scheme)
      .slice(0, HUES)
      .map(({ color }) => labOf(color, vision));
    for (const [i, first] of seen.entries())
      for (const other of seen.slice(0, i)) expect(distance(first, other)).toBeGreaterThan(20);
  },
);

it.each(SCHEMES)('stripes and names stand out from every color: %s', (scheme) => {
  for (const { color, stripes } of looks(scheme)) {
    expect(contrast(color, inks(scheme).text)).toBeGreaterThan(4.5);
    expect(contrast(color, stripes ?? inks(scheme).text)).toBeGreaterThan(2.5);
  }
  expect(new Set(looks(scheme).map((look) => JSON.stringify(look))).size).toBe(LOOKS);
});
