// Reads a state's ZIP areas into the plane of the map. Stores each border once, with the areas on both sides.

/** The side length of the whole world at zoom 0, as in other web maps. */
const WORLD = 256;

export type Point = { x: number; y: number };
export type Box = { minX: number; minY: number; maxX: number; maxY: number };

/** Projects a place onto the plane of the map. Places beyond the date line (the Aleutians, Guam) appear west of Alaska. */
export function project(lat: number, lon: number): Point {
  const sin = Math.sin((lat * Math.PI) / 180);
  return {
    x: WORLD * ((lon > 0 ? lon - 360 : lon) / 360 + 0.5),
    y: WORLD * (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)),
  };
}

export function unproject({ x, y }: Point): { lat: number; lon: number } {
  return {
    lat: (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / WORLD))) * 180) / Math.PI,
    lon: (x / WORLD - 0.5) * 360,
  };
}

/** Lines in one array. Line i has the pairs x, y from `start[i]` to `start[i + 1]`, relative to `origin`. */
export type Lines = {
  xy: Float32Array;
  start: Uint32Array;
  origin: Point;
  /** A number for the first and the last point of each line. Lines that meet share a number. */
  ends: Int32Array;
};

export type Topology = {
  transform?: { scale: number[]; translate: number[] };
  arcs: number[][][];
};
type AreaGeometry = { id?: string | number; properties?: { county?: string } } & (
  | { type: 'Polygon'; arcs: number[][] }
  | { type: 'MultiPolygon'; arcs: number[][][] }
  | { type: null }
);
/** The format of the file `/geo/{sha}/{state}.json`. */
export type AreaTopology = Topology & { objects: { zips: { geometries: AreaGeometry[] } } };

/**
 * The rings of all areas in three arrays, which a worker can transfer without copying. Ring i has the borders of `arcs` from `arcStart[i]` to
 * `arcStart[i + 1]`, as in the file: ~i is border i in reverse. Area i has the rings from `ringStart[i]` to `ringStart[i + 1]`.
 */
export type Rings = { arcs: Int32Array; arcStart: Uint32Array; ringStart: Uint32Array };

/** The rings of an area, including holes. Empty if it has no shape. */
export function ringsOf({ arcs, arcStart, ringStart }: Rings, area: number): Int32Array[] {
  const results: Int32Array[] = [];
  for (let ring = ringStart[area] ?? 0; ring < (ringStart[area + 1] ?? 0); ring++)
    results.push(arcs.subarray(arcStart[ring], arcStart[ring + 1]));
  return results;
}

export const hasShape = ({ ringStart }: Rings, area: number): boolean => ringStart[area] !== ringStart[area + 1];

function packRings(polygons: readonly (readonly (readonly number[])[])[][]): Rings {
  const rings = polygons.map((area) => area.flat());
  const ringStart = new Uint32Array(rings.length + 1);
  const arcStart = new Uint32Array(rings.reduce((sum, { length }) => sum + length, 0) + 1);
  const arcs = new Int32Array(rings.reduce((sum, area) => area.reduce((own, { length }) => own + length, sum), 0));
  let [ring, arc] = [0, 0];
  rings.forEach((area, index) => {
    for (const entry of area) {
      arcs.set(entry, arc);
      arc += entry.length;
      arcStart[++ring] = arc;
    }
    ringStart[index + 1] = ring;
  });
  return { arcs, arcStart, ringStart };
}

export type StateAreas = {
  /** In file order. The index of a ZIP here identifies its area. */
  zips: string[];
  counties: string[];
  rings: Rings;
  lines: Lines;
  /** Two entries for each border: the areas on its two sides; -1 for none. */
  sides: Int32Array;
  /** minX, minY, maxX, maxY of each area. */
  boxes: Float64Array;
  /** x, y of a point in the middle of each area. */
  centers: Float64Array;
  box: Box;
};

export function readAreas(topology: AreaTopology): StateAreas {
  const geometries = topology.objects.zips.geometries;
  const lines = readLines(topology);
  const polygons = geometries.map((geometry) => {
    if (geometry.type === 'Polygon') return [geometry.arcs];
    return geometry.type === 'MultiPolygon' ? geometry.arcs : [];
  });
  const sides = new Int32Array(topology.arcs.length * 2).fill(-1);
  polygons.forEach((area, index) => {
    for (const polygon of area)
      for (const ring of polygon)
        for (const arc of ring) {
          const at = (arc < 0 ? ~arc : arc) * 2;
          if (sides[at] === -1) sides[at] = index;
          else sides[at + 1] = index;
        }
  });
  const boxes = new Float64Array(polygons.length * 4);
  const centers = new Float64Array(polygons.length * 2);
  const box = emptyBox();
  polygons.forEach((area, index) => {
    const { center, box: own } = measure(lines, area);
    boxes.set([own.minX, own.minY, own.maxX, own.maxY], index * 4);
    centers.set([center.x, center.y], index * 2);
    if (area.length > 0) extend(box, own);
  });
  return {
    zips: geometries.map(({ id }) => String(id)),
    counties: geometries.map(({ properties }) => properties?.county ?? ''),
    rings: packRings(polygons),
    lines,
    sides,
    boxes,
    centers,
    box,
  };
}

/** Projects all borders of a topology onto the plane. */
export function readLines(topology: Topology): Lines {
  const { arcs, transform } = topology;
  const [kx = 1, ky = 1] = transform?.scale ?? [];
  const [dx = 0, dy = 0] = transform?.translate ?? [];
  const start = new Uint32Array(arcs.length + 1);
  arcs.forEach((arc, i) => {
    start[i + 1] = (start[i] ?? 0) + arc.length * 2;
  });
  const xy = new Float32Array(start[arcs.length] ?? 0);
  const ends = new Int32Array(arcs.length * 2);
  const nodes = new Map<number, number>();
  const nodeOf = (lon: number, lat: number): number => {
    // With a transform, coordinates are whole numbers. Without one, round to about three feet.
    const key = transform ? lon * 2 ** 26 + lat : Math.round(lon * 1e5) * 2 ** 26 + Math.round(lat * 1e5);
    const known = nodes.get(key);
    if (known !== undefined) return known;
    nodes.set(key, nodes.size);
    return nodes.size - 1;
  };
  let origin: Point | undefined;
  let at = 0;
  arcs.forEach((arc, number) => {
    let [lon, lat] = [0, 0];
    for (const [a = 0, b = 0] of arc) {
      // With a transform, each point is relative to the previous one.
      lon = transform ? lon + a : a;
      lat = transform ? lat + b : b;
      const point = project(lat * ky + dy, lon * kx + dx);
      origin ??= point;
      xy[at++] = point.x - origin.x;
      xy[at++] = point.y - origin.y;
    }
    const [firstLon = 0, firstLat = 0] = arc[0] ?? [];
    ends[number * 2] = nodeOf(firstLon, firstLat);
    ends[number * 2 + 1] = nodeOf(lon, lat);
  });
  return { xy, start, origin: origin ?? { x: 0, y: 0 }, ends };
}

/** Drops the points that are indistinguishable at a scale. Keeps the ends of lines, so that lines that met still meet. */
export function thinned({ xy, start, origin, ends }: Lines, tolerance: number): Lines {
  const points = new Float32Array(xy.length);
  const starts = new Uint32Array(start.length);
  const least = tolerance * tolerance;
  let at = 0;
  for (let line = 0; line + 1 < start.length; line++) {
    const [from = 0, to = 0] = [start[line], start[line + 1]];
    let [x, y] = [Number.NaN, Number.NaN];
    for (let i = from; i < to; i += 2) {
      const [nextX = 0, nextY = 0] = [xy[i], xy[i + 1]];
      const near = (nextX - x) ** 2 + (nextY - y) ** 2 < least;
      if (near && i + 2 < to) continue;
      points[at++] = x = nextX;
      points[at++] = y = nextY;
    }
    starts[line + 1] = at;
  }
  return { xy: points.slice(0, at), start: starts, origin, ends };
}

/** Visits every point of a ring, relative to the origin of the lines. The last point repeats the first. */
export function walkRing(lines: Lines, ring: ArrayLike<number>, visit: (x: number, y: number) => void): void {
  const { xy, start } = lines;
  for (let place = 0; place < ring.length; place++) {
    const arc = ring[place] ?? 0;
    const line = arc < 0 ? ~arc : arc;
    const from = start[line] ?? 0;
    const to = start[line + 1] ?? 0;
    // Two borders that meet share a point: visit it once.
    const skip = place === 0 ? 0 : 2;
    if (arc >= 0) for (let i = from + skip; i < to; i += 2) visit(xy[i] ?? 0, xy[i + 1] ?? 0);
    else for (let i = to - 2 - skip; i >= from; i -= 2) visit(xy[i] ?? 0, xy[i + 1] ?? 0);
  }
}

export function emptyBox(): Box {
  return { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
}

export function extend(box: Box, by: Box): void {
  box.minX = Math.min(box.minX, by.minX);
  box.minY = Math.min(box.minY, by.minY);
  box.maxX = Math.max(box.maxX, by.maxX);
  box.maxY = Math.max(box.maxY, by.maxY);
}

export function meets(a: Box, b: Box): boolean {
  return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
}

/** The box of an area and the centroid of its largest ring. If the centroid is outside the ring, returns a point halfway across it. */
function measure(lines: Lines, area: number[][][]): { center: Point; box: Box } {
  let { minX, minY, maxX, maxY } = emptyBox();
  let center: Point = { x: 0, y: 0 };
  let largest = -1;
  for (const [outer = []] of area) {
    let [twice, sumX, sumY, lastX, lastY] = [0, 0, 0, 0, 0];
    let first = true;
    walkRing(lines, outer, (x, y) => {
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
      if (!first) {
        const cross = lastX * y - x * lastY;
        twice += cross;
        sumX += (lastX + x) * cross;
        sumY += (lastY + y) * cross;
      }
      lastX = x;
      lastY = y;
      first = false;
    });
    if (Math.abs(twice) <= largest) continue;
    largest = Math.abs(twice);
    const middle = twice === 0 ? { x: lastX, y: lastY } : { x: sumX / (3 * twice), y: sumY / (3 * twice) };
    center = inRings(lines, [outer], middle) ? middle : (halfway(lines, outer, middle.y) ?? middle);
  }
  const { origin } = lines;
  return {
    center: { x: center.x + origin.x, y: center.y + origin.y },
    box: { minX: minX + origin.x, minY: minY + origin.y, maxX: maxX + origin.x, maxY: maxY + origin.y },
  };
}

/** The middle of the widest stretch of a ring at height `y`. */
function halfway(lines: Lines, ring: number[], y: number): Point | undefined {
  const cuts: number[] = [];
  let last: Point | undefined;
  walkRing(lines, ring, (nextX, nextY) => {
    if (last && last.y > y !== nextY > y) cuts.push(last.x + ((y - last.y) / (nextY - last.y)) * (nextX - last.x));
    last = { x: nextX, y: nextY };
  });
  cuts.sort((a, b) => a - b);
  let [widest, x] = [0, Number.NaN];
  for (let i = 0; i + 1 < cuts.length; i += 2) {
    const [from = 0, to = 0] = [cuts[i], cuts[i + 1]];
    if (to - from > widest) [widest, x] = [to - from, (from + to) / 2];
  }
  return widest > 0 ? { x, y } : undefined;
}

/** Whether a point, relative to the origin of the lines, lies within rings. Holes are rings, too. */
export function inRings(lines: Lines, rings: readonly ArrayLike<number>[], { x, y }: Point): boolean {
  let inside = false;
  for (const ring of rings) {
    let lastX = Number.NaN;
    let lastY = Number.NaN;
    walkRing(lines, ring, (nextX, nextY) => {
      if (lastY > y !== nextY > y && x < lastX + ((y - lastY) / (nextY - lastY)) * (nextX - lastX)) inside = !inside;
      lastX = nextX;
      lastY = nextY;
    });
  }
  return inside;
}
