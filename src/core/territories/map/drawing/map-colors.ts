// The colors of the map. Users with any color vision can distinguish the sixteen looks of territories.
import { HUES } from '#core/territories/zip-areas/territory-looks.ts';

/** Eight hues for each scheme: light enough for dark names, or dark enough for light names. */
const LIGHT = ['#7ea2c5', '#bf8e5d', '#eeea9d', '#de768b', '#6ae5e1', '#aeeec3', '#a9c951', '#b082e9'];
const DARK = ['#294cd9', '#ae5c50', '#8c711b', '#572f35', '#183d5c', '#1e8282', '#484916', '#9a38a7'];
/** The color of the stripes over them. */
const STRIPES = { light: '#3c4a55', dark: '#e6e9ee' };

export type Scheme = 'light' | 'dark';

/** How land is filled: a color, plain or with stripes. */
export type Look = { color: string; stripes: string | null };

export function lookNumbered(look: number, scheme: Scheme): Look {
  const color = (scheme === 'dark' ? DARK : LIGHT)[look % HUES] ?? '';
  return { color, stripes: look < HUES ? null : STRIPES[scheme] };
}

/** One hue from low to high, for figures. */
const STEPS = {
  light: ['#f2f0f7', '#cbc9e2', '#9e9ac8', '#756bb1', '#54278f'],
  dark: ['#2b2838', '#453f63', '#655b95', '#8d80c8', '#c4baf2'],
};
export const STEP_COUNT = 5;

export function stepColor(scheme: Scheme, step: number): string {
  return STEPS[scheme][Math.max(0, Math.min(STEP_COUNT - 1, step))] ?? '';
}

/** The colors of everything on the map except territories. */
export function inks(scheme: Scheme) {
  return scheme === 'dark'
    ? {
        sea: '#17191c',
        land: '#2a2d31',
        none: '#383c42',
        zipLine: 'rgba(255,255,255,0.16)',
        countyLine: 'rgba(255,255,255,0.22)',
        stateLine: 'rgba(255,255,255,0.7)',
        border: 'rgba(0,0,0,0.9)',
        text: '#ffffff',
        halo: 'rgba(0,0,0,0.75)',
        chosen: '#ffffff',
        chosenFill: 'rgba(255,255,255,0.35)',
        moved: '#ffffff',
        point: '#e8e8e8',
        facility: '#ffd43b',
        facilityText: '#1a1b1e',
      }
    : {
        sea: '#eef3f7',
        land: '#f6f4f0',
        none: '#dcdcdc',
        zipLine: 'rgba(0,0,0,0.14)',
        countyLine: 'rgba(0,0,0,0.2)',
        stateLine: 'rgba(40,40,40,0.75)',
        border: 'rgba(255,255,255,0.95)',
        text: '#16181b',
        halo: 'rgba(255,255,255,0.85)',
        chosen: '#111111',
        chosenFill: 'rgba(0,0,0,0.3)',
        moved: '#111111',
        point: '#333333',
        facility: '#1c3d5a',
        facilityText: '#ffffff',
      };
}
export type Inks = ReturnType<typeof inks>;
