// The shapes of a drawn plot, with inks instead of colors, so that a screen, a page and a file can each use their own colors.

/** The color number of a series, or the role of a shape that is not a figure. */
export type Ink = number | 'text' | 'muted' | 'line' | 'card';

export type Shape =
  | { as: 'rect'; x: number; y: number; width: number; height: number; ink: Ink }
  | { as: 'line'; x1: number; y1: number; x2: number; y2: number; ink: Ink }
  | { as: 'path'; d: string; ink: Ink; filled: boolean; dashes?: string | undefined }
  | { as: 'text'; x: number; y: number; text: string; anchor: 'start' | 'middle' | 'end'; ink: Ink; bold?: boolean };

/** One figure: its shapes, its text, and its link. */
export type DrawnMark = {
  shapes: Shape[];
  words: string;
  href: string | null;
  /** The area that responds to the pointer. It also gets the focus ring. */
  place: { x: number; y: number; width: number; height: number };
};

export type Drawing = { width: number; height: number; ground: Shape[]; marks: DrawnMark[] };

export const TEXT_SIZE = 12;

/** The approximate width of a text in the widest common system font. A server cannot measure text, and a screen must draw the same picture. */
export const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + widthOfLetter(letter), 0);

const widthOfLetter = (letter: string) =>
  /[ .,:;'|!ijlIft()[\]/-]/.test(letter) ? 4.4 : /[mwMW%@–—…]/.test(letter) ? 10.8 : /[A-Z]/.test(letter) ? 8.6 : 7.5;

/** The text, cut with … if it does not fit. */
export function fitted(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  let start = text;
  while (start && widthOf(`${start}…`) > room) start = start.slice(0, -1);
  return `${start.trimEnd()}…`;
}

const PLACES = 100;
/** Rounds a coordinate, because short numbers keep pictures small. */
export const rounded = (value: number): number => Math.round(value * PLACES) / PLACES;
