// The territory map as a component: shows the territory of each ZIP, reports clicks, and selects ZIPs.
import {
  ActionIcon,
  Group,
  Loader,
  SegmentedControl,
  Switch,
  Text,
  Tooltip,
  useComputedColorScheme,
} from '@mantine/core';
import { IconHandFinger, IconLasso, IconPhotoDown, IconPointer, IconSquareDashed } from '@tabler/icons-react';
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import type { View } from './drawing/map-view.web.ts';
import type { FacilityMark } from './drawing/scene.ts';
import { type Coloring, type MapRefs, type MapTerritory, sayAreas } from './map-data.ts';
import { drawLegend, Legend } from './MapLegend.tsx';
import classes from './TerritoryMap.module.css';
import { type How, useTerritoryMap } from './territory-map.web.ts';

const NO_MOVES: ReadonlyMap<string, number | null> = new Map();
const NO_ZIPS: ReadonlySet<string> = new Set();
const NO_LIST: readonly string[] = [];
const NO_FACILITIES: readonly FacilityMark[] = [];

/**
 * The map fills its parent, which needs a height.
 *
 * - `refs` is the answer of getTerrZipGeoJson with `format: 'refs'`. The component loads the files it names, each once per visit.
 * - `territories` (getAllTerritories) contains names, regions, representatives, and the figures to color by. A territory of `refs` or `moves`
 *   that is not among them is gray and has no name. If `territories` is undefined, a map that colors by territory already shows its colors, but
 *   no names and no legend. Any other map waits for them.
 * - `moves` override the assignments of `refs`: ZIP to territory, or to null for none. Moved areas have a dashed outline.
 * - The caller owns `selection`. The map shows it and requests changes through `onSelect`. Selecting an area includes the ZIPs without
 *   an area that lie in it. Without `onSelect`, the map has no selection tools.
 * - `onPoint` gets the ZIP clicked with the look tool, or null outside all areas. `onFacilities` gets the facilities of a clicked circle.
 * - Pass the same `moves`, `selection`, `territories`, and `facilities` objects while nothing changes, because a new object redraws the map.
 */
export type TerritoryMapProps = {
  refs: MapRefs;
  territories: readonly MapTerritory[] | undefined;
  coloring: Coloring;
  moves?: ReadonlyMap<string, number | null>;
  selection?: ReadonlySet<string>;
  onSelect?: (zips: string[], how: How) => void;
  onPoint?: (zip: string | null) => void;
  facilities?: readonly FacilityMark[];
  onFacilities?: (facilities: readonly FacilityMark[]) => void;
  /** The initial view. Defaults to the whole country. */
  view?: View;
  /** Without `view`, the map starts around these ZIPs. */
  around?: readonly string[];
  onView?: (view: View) => void;
  /** The name that a screen reader announces. */
  label: string;
  /** The file name of a saved picture. */
  fileName?: string;
  /** More controls beside the tools. */
  tools?: ReactNode;
  /** A small map in a page: no tools, no legend, and the wheel scrolls the page. */
  plain?: boolean;
  /** Called when the areas have loaded and `ref` can answer. */
  onReady?: () => void;
  ref?: Ref<TerritoryMapHandle>;
};

export type TerritoryMapHandle = {
  /** Moves the view to these ZIPs. Returns false if none of them is on the map. */
  fit: (zips: Iterable<string>) => boolean;
  /** `zips`, and the ZIPs without an area that lie in their areas. */
  withPoints: (zips: Iterable<string>) => string[];
  /** The county or state of a ZIP with all its ZIPs. Null until the areas have loaded, and for a ZIP outside all areas. */
  around: (zip: string, what: 'county' | 'state') => { name: string; zips: string[] } | null;
  /** Whether the map shows a ZIP as an area or a point. Null if it does not show the ZIP. */
  kindOf: (zip: string) => 'area' | 'point' | null;
};

export function TerritoryMap({
  refs,
  territories,
  coloring,
  moves = NO_MOVES,
  selection = NO_ZIPS,
  onSelect,
  onPoint,
  facilities = NO_FACILITIES,
  onFacilities,
  view,
  around = NO_LIST,
  onView,
  label,
  fileName = 'territories.png',
  tools,
  plain = false,
  onReady,
  ref,
}: TerritoryMapProps) {
  const scheme = useComputedColorScheme('light');
  const element = useRef<HTMLDivElement>(null);
  const [tool, setTool] = useState<'look' | 'click' | 'box' | 'lasso'>('look');
  const [names, setNames] = useState(true);
  const [failed, setFailed] = useState<Error | null>(null);
  const map = useTerritoryMap(element, {
    refs,
    territories,
    coloring,
    moves,
    selection,
    facilities,
    names,
    scheme,
    view,
    around,
    onSelect,
    onPoint,
    onFacilities,
    onView,
    still: plain,
  });
  useEffect(() => map.setTool(tool), [map, tool]);
  usePrintedAsSeen(element);
  const { ready } = map;
  useEffect(() => {
    if (ready) onReady?.();
  }, [ready, onReady]);
  useImperativeHandle(
    ref,
    () => ({ fit: map.fit, withPoints: map.withPoints, around: map.around, kindOf: map.kindOf }),
    [map],
  );
  const legend = useMemo(() => (ready ? map.colors?.legend : undefined) ?? [], [ready, map.colors]);

  const savePicture = () => {
    setFailed(null);
    map.toPng(drawLegend(legend, scheme)).then((blob) => saveFile({ name: fileName, blob }), setFailed);
  };
  return (
    <div className={classes['frame']}>
      {plain ? null : (
        <Group gap="xs" className={classes['tools']}>
          {onSelect ? (
            <SegmentedControl
              size="xs"
              aria-label="Pointer tool"
              value={tool}
              onChange={(next) => setTool(next as typeof tool)}
              data={TOOLS}
              visibleFrom="sm"
            />
          ) : null}
          <Switch size="sm" label="Names" checked={names} onChange={(event) => setNames(event.currentTarget.checked)} />
          {tools}
          <Tooltip label="Save as a picture">
            <ActionIcon variant="default" aria-label="Save as a picture" onClick={savePicture} disabled={!map.ready}>
              <IconPhotoDown size={18} />
            </ActionIcon>
          </Tooltip>
        </Group>
      )}
      <ErrorAlert error={failed} title="No picture" />
      <div className={classes['map']}>
        <section ref={element} className={classes['leaflet']} aria-label={label} tabIndex={-1} />
        {map.error ? (
          <div className={classes['over']}>
            <ErrorAlert error={map.error} title="The areas could not be loaded" onRetry={map.again} />
          </div>
        ) : map.ready ? null : (
          <Group className={classes['over']} gap="xs" role="status">
            <Loader size="sm" /> Loading the areas
          </Group>
        )}
        {plain ? null : <Legend entries={legend} note={map.colors?.note ?? ''} />}
        <Text size="xs" className={classes['approximate']}>
          {[sayAreas(refs.files), appConfig.mapTiles?.credit].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {tool === 'look' || plain ? null : (
        <Text size="xs" className={`muted ${classes['hint'] ?? ''}`}>
          {HINTS[tool]} Shift adds it to the selection, Alt removes it.
        </Text>
      )}
    </div>
  );
}

/** Prints the map at its screen size, scaled down to fit the sheet. Nothing is cut off or redrawn. */
function usePrintedAsSeen(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const keep = () => {
      const box = element.current?.parentElement;
      if (!box) return;
      const { offsetWidth: width, offsetHeight: height } = box;
      const fit = ([wide, high]: readonly [number, number]) => String(Math.min(1, wide / width, high / height));
      box.style.setProperty('--map-width', `${width}px`);
      box.style.setProperty('--map-height', `${height}px`);
      box.style.setProperty('--map-portrait', fit(PORTRAIT));
      box.style.setProperty('--map-landscape', fit(LANDSCAPE));
    };
    window.addEventListener('beforeprint', keep);
    return () => window.removeEventListener('beforeprint', keep);
  }, [element]);
}

/** The room on a Letter or A4 sheet below the page's title, in pixels. */
const PORTRAIT = [680, 840] as const;
const LANDSCAPE = [930, 600] as const;

const HINTS = {
  click: 'Click an area to select it.',
  box: 'Drag a box; areas whose center is inside are selected.',
  lasso: 'Draw around areas; those whose center is inside are selected.',
};

const tool = (value: string, label: string, icon: ReactNode) => ({
  value,
  label: (
    <Group gap={4} wrap="nowrap">
      {icon}
      {label}
    </Group>
  ),
});
const TOOLS = [
  tool('look', 'Pan', <IconHandFinger size={14} aria-hidden />),
  tool('click', 'Click', <IconPointer size={14} aria-hidden />),
  tool('box', 'Box', <IconSquareDashed size={14} aria-hidden />),
  tool('lasso', 'Lasso', <IconLasso size={14} aria-hidden />),
];
