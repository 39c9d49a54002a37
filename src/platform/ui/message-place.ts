// The position of messages over a screen: the corner where they cover the fewest controls and figures.

/** A part of the window, in pixels. */
export type Box = { left: number; top: number; right: number; bottom: number };

export const MESSAGE_PLACES = [
  'bottom-right',
  'bottom-left',
  'bottom-center',
  'top-right',
  'top-left',
  'top-center',
] as const;
export type MessagePlace = (typeof MESSAGE_PLACES)[number];

/** The distance from the edges of the window. */
const GAP = 16;

type Room = { window: { width: number; height: number }; size: { width: number; height: number }; bar: number };

/** Returns the box of messages of a size at a position. `bar` is the height of what always stays at the bottom of the window. */
export function boxAt(place: MessagePlace, { window, size, bar }: Room): Box {
  const [edge, side] = place.split('-');
  const left =
    side === 'left' ? GAP : side === 'right' ? window.width - GAP - size.width : (window.width - size.width) / 2;
  const top = edge === 'top' ? GAP : window.height - bar - GAP - size.height;
  return { left, top, right: left + size.width, bottom: top + size.height };
}

/** Returns the area of `box` that the others cover. */
export function coveredBy(box: Box, others: readonly Box[]): number {
  return others
    .map((other) => {
      const width = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const height = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      return width > 0 && height > 0 ? width * height : 0;
    })
    .reduce((sum, area) => sum + area, 0);
}

/** Returns the first position with the least covered area. `now` is the current position, which changes only to a better one. */
export function placeOfMessages(room: Room, obstacles: readonly Box[], now: MessagePlace): MessagePlace {
  const places = [now, ...MESSAGE_PLACES.filter((place) => place !== now)];
  const areas = places.map((place) => coveredBy(boxAt(place, room), obstacles));
  return places[areas.indexOf(Math.min(...areas))] ?? now;
}
