// Connects the map with React: loads areas, updates the scene when props change, and handles clicks and outlines.
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { type Box, emptyBox, extend, type Point, type StateAreas } from './drawing/areas.ts';
import { colorsOfLooks, colorTerritories, type Colors } from './drawing/looks-and-legend.ts';
import { loadAreas, loadBackground } from './drawing/load-areas.web.ts';
import { type Keys, type MapView, openMap, type Tool, type View } from './drawing/map-view.web.ts';
import { neighborsOf, ownersIn } from './drawing/owners.ts';
import type { Scheme } from './drawing/map-colors.ts';
import { areaAt, hostsOf, type PointZip, zipsWithin } from './drawing/picking.ts';
import { type Background, type FacilityMark, type StateScene, stateScene } from './drawing/scene.ts';
import { assignmentsOf, type Coloring, type MapRefs, looksOfRefs, type MapTerritory, pointsOf } from './map-data.ts';

/** How the ZIPs of a click, box, or lasso change the selection. */
export type How = 'replace' | 'add' | 'remove';

type Given = {
  refs: MapRefs;
  territories: readonly MapTerritory[] | undefined;
  coloring: Coloring;
  moves: ReadonlyMap<string, number | null>;
  selection: ReadonlySet<string>;
  facilities: readonly FacilityMark[];
  names: boolean;
  scheme: Scheme;
  view: View | undefined;
  around: readonly string[];
  still: boolean;
  onSelect: ((zips: string[], how: How) => void) | undefined;
  onPoint: ((zip: string | null) => void) | undefined;
  onFacilities: ((facilities: readonly FacilityMark[]) => void) | undefined;
  onView: ((view: View) => void) | undefined;
};

/** Until `complete` is true, `states` are those that have been read so far. */
type Loaded = { key: string; states: StateAreas[]; background: Background | null; complete: boolean };
/** The time between two pictures of a map that is still being read, in ms. */
const BETWEEN_PARTS = 100;
const NO_STATES: StateAreas[] = [];
const NO_POINTS: PointZip[] = [];
const NO_NEIGHBORS: ReadonlyMap<number, ReadonlySet<number>> = new Map();

export function useTerritoryMap(element: RefObject<HTMLElement | null>, input: Given) {
  const { refs, territories, coloring, moves, selection, facilities, names, scheme } = input;
  const view = useRef<MapView>(undefined);
  const { loaded, error, again } = useAreas(refs);
  const isLoaded = loaded?.complete ?? false;
  // The map draws the states that have been read, but selecting works only when all have been read.
  const states = loaded?.complete ? loaded.states : NO_STATES;
  const assigned = useMemo(() => assignmentsOf(refs), [refs]);
  const points = useMemo(() => (isLoaded ? pointsOf(refs) : NO_POINTS), [refs, isLoaded]);
  const places = useMemo(() => placesOf(states, points, loaded?.background?.names), [states, points, loaded]);
  const ownerOf = useCallback(
    (zip: string): number | null => {
      const move = moves.get(zip);
      return move === undefined ? (assigned.get(zip) ?? null) : move;
    },
    [moves, assigned],
  );
  // Only these colorings depend on neighbors. They use only the stored assignments, so that colors stay the same while a plan moves ZIPs.
  const byNeighbors = coloring === 'region' || coloring === 'rep';
  const neighbors = useMemo(
    () =>
      byNeighbors ? neighborsOf(states, (areas) => ownersIn(areas, (zip) => assigned.get(zip) ?? null)) : NO_NEIGHBORS,
    [byNeighbors, states, assigned],
  );
  const looks = useMemo(() => looksOfRefs(refs), [refs]);
  const colors = useMemo<Colors | null>(() => {
    if (byNeighbors && !isLoaded) return null;
    if (territories) return colorTerritories(coloring, territories, looks, neighbors, scheme);
    return coloring === 'territory' ? colorsOfLooks(looks, scheme) : null;
  }, [isLoaded, byNeighbors, coloring, territories, looks, neighbors, scheme]);
  const pointOwners = useMemo(() => points.map(({ zip }) => ownerOf(zip)), [points, ownerOf]);

  // A ref lets a click read the latest props without reopening the map.
  const now = useRef({ given: input, states, points, places });
  useEffect(() => {
    now.current = { given: input, states, points, places };
  });

  useEffect(() => {
    if (!element.current) return undefined;
    // Opens the map once, at the current view. Later the map keeps track of its own view.
    const { view: first, still } = now.current.given;
    const opened = openMap(element.current, eventsOf(now), { view: first, still, tiles: appConfig.mapTiles?.url });
    view.current = opened;
    return () => {
      view.current = undefined;
      opened.destroy();
    };
  }, [element]);

  const before = useRef(new Map<StateAreas, StateScene>());
  useEffect(() => {
    if (!loaded || !colors) return;
    // A map that opens around some ZIPs must move there first.
    const { view: placed, around } = now.current.given;
    if (!loaded.complete && !placed && around.length > 0) return;
    const scenes = loaded.states.map((areas) =>
      stateScene(areas, ownerOf, selection, moves, before.current.get(areas)),
    );
    before.current = new Map(scenes.map((scene) => [scene.areas, scene]));
    const nameOf = new Map(territories?.map(({ id, name }) => [id, name]));
    view.current?.show(
      {
        states: scenes,
        background: loaded.background,
        points,
        pointOwners,
        chosenPoints: selection,
        lookOf: colors.lookOf,
        nameOf: (id) => nameOf.get(id) ?? '',
        facilities: [...facilities],
        names,
      },
      scheme,
    );
  }, [loaded, colors, ownerOf, selection, moves, territories, points, pointOwners, facilities, names, scheme]);

  useEffect(() => {
    // Runs once, when the places are known. After that, the user decides what to show.
    const { given: first, places: known } = now.current;
    const box = isLoaded && !first.view ? known.boxOf(first.around) : null;
    if (box) view.current?.fit(box, 'at once');
  }, [isLoaded]);

  const setTool = useCallback((tool: Tool) => {
    view.current?.setTool(tool);
    // Prepares in the background, before the user starts to draw with the new tool.
    if (tool !== 'look') setTimeout(() => now.current.places.prepareSelecting());
  }, []);
  const fit = useCallback((zips: Iterable<string>): boolean => {
    const box = now.current.places.boxOf(zips);
    if (box) view.current?.fit(box);
    return box !== null;
  }, []);
  const withPoints = useCallback((zips: Iterable<string>) => now.current.places.withPoints(zips), []);
  const around = useCallback((zip: string, what: 'county' | 'state') => now.current.places.around(zip, what), []);
  const kindOf = useCallback((zip: string) => now.current.places.kindOf(zip), []);
  const toPng = useCallback(
    (legend: {
      heightAt: (width: number) => number;
      draw: (context: CanvasRenderingContext2D, width: number) => void;
    }): Promise<Blob> => {
      const width = element.current?.clientWidth ?? 0;
      const drawn = view.current?.toPng({ height: legend.heightAt(width), draw: (...to) => legend.draw(...to) });
      return drawn ?? Promise.reject(new Error('The map is not open.'));
    },
    [element],
  );
  return useMemo(
    () => ({ ready: isLoaded, error, again, colors, setTool, fit, withPoints, around, kindOf, toPng }),
    [isLoaded, error, again, colors, setTool, fit, withPoints, around, kindOf, toPng],
  );
}

/** Loads the areas of `refs`. The previous areas stay until the new ones have loaded. */
function useAreas({ files, background }: MapRefs) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [tries, setTries] = useState(0);
  const key = [background, ...files.map(({ url }) => url)].join(' ');
  useEffect(() => {
    let wanted = true;
    setError(null);
    const [outlines = '', ...urls] = key.split(' ');
    const read: StateAreas[] = [];
    let background: Background | null = null;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    /** Shows what has been read so far, unless a complete earlier map is visible. */
    const showSome = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        if (!wanted) return;
        setLoaded((now) => (now?.complete ? now : { key, states: [...read], background, complete: false }));
      }, BETWEEN_PARTS);
    };
    const states = loadAreas(urls, (areas) => {
      read.push(areas);
      showSome();
    });
    const lines = loadBackground(outlines).then((result) => (background = result));
    Promise.all([states, lines]).then(
      ([all, result]) => {
        clearTimeout(waiting);
        if (wanted) setLoaded({ key, states: all, background: result, complete: true });
      },
      (reason: Error) => wanted && setError(reason),
    );
    return () => {
      wanted = false;
      clearTimeout(waiting);
    };
  }, [key, tries]);
  return { loaded, error, again: useCallback(() => setTries((count) => count + 1), []) };
}

type Now = { given: Given; states: StateAreas[]; points: PointZip[]; places: Places };

function eventsOf(now: RefObject<Now>) {
  const pick = (zips: string[], { shift, alt }: Keys) => {
    const { onSelect } = now.current.given;
    if (zips.length > 0) onSelect?.(zips, alt ? 'remove' : shift ? 'add' : 'replace');
  };
  return {
    onClick(at: Point, point: string | null, keys: Keys, selects: boolean) {
      const { given, states, places } = now.current;
      const area = areaAt(states, at);
      const zip = point ?? (area ? (area.areas.zips[area.index] ?? null) : null);
      if (!selects) given.onPoint?.(zip);
      else if (zip) {
        // A second click with Shift deselects the ZIP.
        const again = keys.shift && given.selection.has(zip);
        pick(point ? [zip] : places.withPoints([zip]), again ? { shift: false, alt: true } : keys);
      }
    },
    onFacilities: (cluster: { facilities: readonly FacilityMark[] }) =>
      now.current.given.onFacilities?.(cluster.facilities),
    onOutline(outline: Point[], keys: Keys) {
      const { states, points, places } = now.current;
      const begun = performance.now();
      const loose = points.filter(({ zip }) => !places.hosted(zip));
      const within = places.withPoints(zipsWithin(states, loose, outline));
      performance.measure('map-lasso', { start: begun, end: performance.now() });
      pick(within, keys);
    },
    onView: (view: View) => now.current.given.onView?.(view),
  };
}

type Places = ReturnType<typeof placesOf>;

/** Finds the place of each ZIP, and the ZIPs without an area that lie in each area. */
function placesOf(
  states: readonly StateAreas[],
  points: readonly PointZip[],
  names: ReadonlyMap<string, string> = new Map(),
) {
  // Computed on first use or just before the user selects, so that it does not delay the first picture.
  const hosted = once(() => hostsOf(states, points));
  const pointOf = once(() => new Map(points.map((point) => [point.zip, point])));
  const areaOf = once(
    () => new Map(states.flatMap((areas) => areas.zips.map((zip, index) => [zip, { areas, index }] as const))),
  );
  const countyOf = (zip: string): string => {
    const area = areaOf().get(zip) ?? areaOf().get(hosted().hostOf.get(zip) ?? '');
    return area?.areas.counties[area.index] ?? '';
  };
  const withPoints = (zips: Iterable<string>): string[] => {
    const all = new Set<string>();
    for (const zip of zips) {
      all.add(zip);
      for (const point of hosted().pointsIn.get(zip) ?? []) all.add(point);
    }
    return [...all];
  };
  return {
    withPoints,
    /** The ZIPs of the same county or state, including those without an area. */
    around(zip: string, what: 'county' | 'state'): { name: string; zips: string[] } | null {
      // The first two digits of a county number are the state.
      const key = countyOf(zip).slice(0, what === 'county' ? 5 : 2);
      if (key === '') return null;
      const zips = states.flatMap((state) => state.zips.filter((_, index) => state.counties[index]?.startsWith(key)));
      return { name: names.get(key) ?? '', zips: withPoints(zips) };
    },
    kindOf: (zip: string) => (areaOf().has(zip) ? 'area' : pointOf().has(zip) ? 'point' : null),
    hosted: (zip: string) => hosted().hostOf.has(zip),
    prepareSelecting: () => void hosted(),
    boxOf(zips: Iterable<string>): Box | null {
      const box = emptyBox();
      for (const zip of zips) {
        const area = areaOf().get(zip);
        const point = pointOf().get(zip);
        if (area) {
          const [minX = 0, minY = 0, maxX = 0, maxY = 0] = area.areas.boxes.subarray(
            area.index * 4,
            area.index * 4 + 4,
          );
          extend(box, { minX, minY, maxX, maxY });
        } else if (point) extend(box, { minX: point.x, minY: point.y, maxX: point.x, maxY: point.y });
      }
      return box.minX === Infinity ? null : box;
    },
  };
}

function once<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
