// Draws a scene on a canvas: land, territories, borders, the selection, ZIPs without an area, facilities, and names.
import { type Box, type Lines, meets } from './areas.ts';
import { fillOf } from './fill.web.ts';
import type { Inks } from './map-colors.ts';
import { distanceAt, linesPath, linesWithin, ringsPath, ringsWithin } from './paths.web.ts';
import { type PointMark, pointMarks, RING } from './point-marks.ts';
import type { FacilityMark, Scene, StateScene } from './scene.ts';

/** The visible part of the plane: `scale` canvas pixels for each unit, from the corner `minX`, `minY`. */
export type Window = { box: Box; zoom: number; scale: number; width: number; height: number; density: number };

/** Several facilities in one circle. Positions and sizes are in pixels of the page. */
export type Cluster = { x: number; y: number; radius: number; facilities: FacilityMark[] };

const ZIP_LINES_FROM = 8;
const COUNTIES_FROM = 6;
/** From this zoom on, the canvas shows a small part of the country, so its paths contain only that part. */
const PARTS_FROM = 6;
/** How far the widest stroke reaches into the canvas from outside, in pixels. */
const BESIDE = 4;

/** What is drawn over the land, and where. */
export type Marks = { clusters: Cluster[]; points: PointMark[] };

export function paint(context: CanvasRenderingContext2D, scene: Scene, window: Window, inks: Inks): Marks {
  const { box, zoom, scale, density } = window;
  const { rings, lines: borderLines } = pathsFor(window);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = inks.sea;
  context.fillRect(0, 0, window.width * density, window.height * density);
  context.lineJoin = 'round';
  /** Moves the canvas to the origin of a set of paths. */
  const from = ({ x, y }: { x: number; y: number }) =>
    context.setTransform(scale, 0, 0, scale, (x - box.minX) * scale, (y - box.minY) * scale);
  const stroke = (path: Path2D, color: string, width: number) => {
    context.strokeStyle = color;
    context.lineWidth = (width * density) / scale;
    context.stroke(path);
  };

  const origin = { x: -box.minX * scale, y: -box.minY * scale };

  const { background } = scene;
  if (background) {
    from(background.lines.origin);
    context.fillStyle = inks.land;
    context.fill(rings(background.land, background.lines), 'evenodd');
  }
  const seen = scene.states.filter(({ areas }) => meets(areas.box, box));
  for (const { areas, parts } of seen) {
    from(areas.lines.origin);
    for (const part of parts) {
      context.fillStyle = fillOf(context, scene.lookOf(part.owner), density, origin);
      context.fill(rings(part.rings, areas.lines), 'evenodd');
    }
  }
  for (const { areas, borders } of seen) {
    from(areas.lines.origin);
    if (zoom >= ZIP_LINES_FROM) stroke(borderLines(areas, 'all', areas.lines), inks.zipLine, 0.75);
    stroke(borderLines(borders, borders, areas.lines), inks.border, zoom < 6 ? 1 : 1.75);
  }
  if (background) {
    from(background.lines.origin);
    const { lines, counties, states } = background;
    if (zoom >= COUNTIES_FROM) stroke(borderLines(counties, counties, lines), inks.countyLine, 0.75);
    stroke(borderLines(states, states, lines), inks.stateLine, zoom < 6 ? 0.75 : 1.25);
  }
  for (const state of seen) {
    from(state.areas.lines.origin);
    drawOutlined(context, state, rings, inks, stroke);
  }
  context.setTransform(density, 0, 0, density, 0, 0);
  const toPage = (x: number, y: number): [number, number] => [
    ((x - box.minX) * scale) / density,
    ((y - box.minY) * scale) / density,
  ];
  const points = drawPoints(context, scene, window, inks, toPage);
  const clusters = drawFacilities(context, scene.facilities, window, inks, toPage);
  if (scene.names) drawNames(context, scene, seen, window, inks, toPage);
  return { clusters, points };
}

type Paths = {
  rings: (rings: number[][], lines: Lines) => Path2D;
  /** `key` is an object that never changes. The cache stores the path of `numbers` under it. */
  lines: (key: object, numbers: readonly number[] | 'all', lines: Lines) => Path2D;
};

function pathsFor({ box, zoom }: Window): Paths {
  const distance = distanceAt(zoom);
  if (zoom < PARTS_FROM)
    return {
      rings: (rings, lines) => ringsPath(rings, lines, distance),
      lines: (key, numbers, lines) => linesPath(key, numbers, lines, distance),
    };
  const beside = BESIDE / 2 ** zoom;
  const around = {
    minX: box.minX - beside,
    minY: box.minY - beside,
    maxX: box.maxX + beside,
    maxY: box.maxY + beside,
  };
  return {
    rings: (rings, lines) => ringsWithin(rings, lines, distance, around),
    lines: (_key, numbers, lines) => linesWithin(numbers, lines, distance, around),
  };
}

type Stroke = (path: Path2D, color: string, width: number) => void;
type ToPage = (x: number, y: number) => [number, number];

function drawOutlined(
  context: CanvasRenderingContext2D,
  { areas, chosen, moved }: StateScene,
  rings: Paths['rings'],
  inks: Inks,
  stroke: Stroke,
): void {
  if (moved.length > 0) {
    context.setLineDash([6 / context.getTransform().a, 4 / context.getTransform().a]);
    stroke(rings(moved, areas.lines), inks.moved, 2);
    context.setLineDash([]);
  }
  if (chosen.length > 0) {
    const path = rings(chosen, areas.lines);
    context.fillStyle = inks.chosenFill;
    context.fill(path, 'evenodd');
    stroke(path, inks.chosen, 2);
  }
}

/** Draws ZIPs without an area as rings in the color of their territory, so that the land inside them stays visible. */
function drawPoints(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { box, zoom }: Window,
  inks: Inks,
  toPage: ToPage,
): PointMark[] {
  const seen = scene.points.flatMap(({ zip, x, y }, index) => {
    if (x < box.minX || x > box.maxX || y < box.minY || y > box.maxY) return [];
    const [left, top] = toPage(x, y);
    const owner = scene.pointOwners[index] ?? null;
    return [{ zip, x: left, y: top, owner, chosen: scene.chosenPoints.has(zip) }];
  });
  const marks = pointMarks(seen, zoom);
  for (const { x, y, owner, chosen } of marks) {
    context.beginPath();
    context.arc(x, y, RING, 0, 2 * Math.PI);
    context.strokeStyle = chosen ? inks.chosen : inks.point;
    context.lineWidth = chosen ? 4 : 2.5;
    context.stroke();
    context.strokeStyle = scene.lookOf(owner).color;
    context.lineWidth = 1;
    context.stroke();
  }
  return marks;
}

/** Facilities closer together than this share one circle, in pixels. */
const CLUSTER = 44;

function drawFacilities(
  context: CanvasRenderingContext2D,
  facilities: readonly FacilityMark[],
  { box }: Window,
  inks: Inks,
  toPage: ToPage,
): Cluster[] {
  const cells = new Map<string, FacilityMark[]>();
  for (const facility of facilities) {
    const { x, y } = facility;
    if (x < box.minX || x > box.maxX || y < box.minY || y > box.maxY) continue;
    const [left, top] = toPage(x, y);
    const cell = `${Math.floor(left / CLUSTER)} ${Math.floor(top / CLUSTER)}`;
    const together = cells.get(cell);
    if (together) together.push(facility);
    else cells.set(cell, [facility]);
  }
  const worth = (list: readonly FacilityMark[]) => list.reduce((sum, { value }) => sum + value, 0);
  const most = Math.max(1, ...[...cells.values()].map(worth));
  context.font = '600 11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  return [...cells.values()].map((together) => {
    const mean = (key: 'x' | 'y') => together.reduce((sum, entry) => sum + entry[key], 0) / together.length;
    const [x, y] = toPage(mean('x'), mean('y'));
    const least = together.length > 1 ? 9 : 4.5;
    const radius = least + 12 * Math.sqrt(worth(together) / most);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.globalAlpha = 0.88;
    context.fillStyle = inks.facility;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = inks.facilityText;
    context.lineWidth = 1.5;
    context.stroke();
    if (together.length > 1) {
      context.fillStyle = inks.facilityText;
      context.fillText(String(together.length), x, y + 0.5);
    }
    return { x, y, radius, facilities: together };
  });
}

/** Draws each territory's name in the middle of its visible part, the largest first. Omits names that do not fit. */
function drawNames(
  context: CanvasRenderingContext2D,
  scene: Scene,
  seen: readonly StateScene[],
  { box, width, height }: Window,
  inks: Inks,
  toPage: ToPage,
): void {
  const sums = new Map<number, { x: number; y: number; count: number }>();
  const eachSeen = (visit: (owner: number, x: number, y: number) => void) => {
    for (const { areas, owners } of seen) {
      owners.forEach((owner, index) => {
        const [x = 0, y = 0] = [areas.centers[index * 2], areas.centers[index * 2 + 1]];
        if (owner === null || x < box.minX || x > box.maxX || y < box.minY || y > box.maxY) return;
        visit(owner, x, y);
      });
    }
  };
  eachSeen((owner, x, y) => {
    const sum = sums.get(owner) ?? { x: 0, y: 0, count: 0 };
    sums.set(owner, { x: sum.x + x, y: sum.y + y, count: sum.count + 1 });
  });
  // The middle of a bent or divided territory may lie outside it, so the name moves to its nearest area.
  const nearest = new Map<number, { x: number; y: number; far: number }>();
  eachSeen((owner, x, y) => {
    const sum = sums.get(owner);
    if (!sum) return;
    const far = (sum.x / sum.count - x) ** 2 + (sum.y / sum.count - y) ** 2;
    const best = nearest.get(owner);
    if (!best || far < best.far) nearest.set(owner, { x, y, far });
  });
  const placed: Box[] = [];
  context.font = '600 12px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  const bySize = [...nearest].toSorted(([a], [b]) => (sums.get(b)?.count ?? 0) - (sums.get(a)?.count ?? 0) || a - b);
  for (const [owner, place] of bySize) {
    const name = scene.nameOf(owner);
    const [x, y] = toPage(place.x, place.y);
    const half = context.measureText(name).width / 2 + 4;
    const own = { minX: x - half, maxX: x + half, minY: y - 9, maxY: y + 9 };
    if (own.maxX < 0 || own.minX > width || own.maxY < 0 || own.minY > height) continue;
    if (placed.some((other) => meets(other, own))) continue;
    placed.push(own);
    context.strokeStyle = inks.halo;
    context.strokeText(name, x, y);
    context.fillStyle = inks.text;
    context.fillText(name, x, y);
  }
}
