// Chooses which ZIPs without an area get a ring on the map, so that most of the land between them stays visible.

/** Positions are in pixels of the page. */
export type PointMark = { zip: string; x: number; y: number; owner: number | null; chosen: boolean };

/** The radius of a ring, in pixels. */
export const RING = 2.5;
/** The width and height in pixels of a cell in which one ring represents all points. */
export const PLACE = 14;
/** From this zoom on, all points have rings. Below it, only the selected ones do. */
const ALL_FROM = 9;

export function pointMarks(points: readonly PointMark[], zoom: number): PointMark[] {
  const places = new Map<string, PointMark>();
  for (const point of points) {
    if (zoom < ALL_FROM && !point.chosen) continue;
    const place = `${Math.floor(point.x / PLACE)} ${Math.floor(point.y / PLACE)}`;
    if (point.chosen || !places.has(place)) places.set(place, point);
  }
  return [...places.values()];
}
