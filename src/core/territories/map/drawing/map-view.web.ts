// Shows the map in a page element: Leaflet moves and zooms it, and one canvas of ours draws it. Does not depend on React.
import 'leaflet/dist/leaflet.css';
import {
  Control,
  DomUtil,
  Layer,
  type LeafletEventHandlerFn,
  type LeafletMouseEvent,
  LatLngBounds,
  Map as LeafletMap,
  point,
  TileLayer,
  type ZoomAnimEvent,
} from 'leaflet';
import { type Box, type Point, project, unproject } from './areas.ts';
import { type Marks, paint, type Window } from './paint.web.ts';
import { inks, type Scheme } from './map-colors.ts';
import type { Scene } from './scene.ts';
import { trackOutline } from './outline-tool.web.ts';

/** With `look`, a click identifies what is at that place. With `click`, `box`, and `lasso`, the pointer selects. */
export type Tool = 'look' | 'click' | 'box' | 'lasso';

/** Shift or Ctrl (⌘) adds the clicked ZIPs to the selection; Alt removes them. */
export type Keys = { shift: boolean; alt: boolean };

export type View = { lat: number; lon: number; zoom: number };

export type MapEvents = {
  /** `at` is in the plane of the map. `point` is the ZIP of a clicked ring. `selects` is true if the click selects. */
  onClick: (at: Point, point: string | null, keys: Keys, selects: boolean) => void;
  onFacilities: (cluster: Marks['clusters'][number]) => void;
  /** The outline of a box or a lasso, in the plane of the map. */
  onOutline: (outline: Point[], keys: Keys) => void;
  onView: (view: View) => void;
};

export type MapView = {
  show: (scene: Scene, scheme: Scheme) => void;
  setTool: (tool: Tool) => void;
  setView: (view: View) => void;
  /** Moves the view to a box. 'at once' skips the animation. */
  fit: (box: Box, how?: 'at once') => void;
  /** Saves the visible map as a picture, at the density of the screen. */
  toPng: (below?: {
    height: number;
    draw: (context: CanvasRenderingContext2D, width: number) => void;
  }) => Promise<Blob>;
  destroy: () => void;
};

/** The 48 states. */
const COUNTRY = new LatLngBounds([24.4, -125], [49.5, -66.8]);
const EVERYWHERE = new LatLngBounds([-20, -225], [75, -55]);
/** The share of the visible size drawn beyond each side, so that a dragged map shows no empty edge. */
const MARGIN = 0.2;
/** How far a click may miss the middle of a ring, in pixels. Farther away, it hits the land. */
const REACH = 5;

class Picture extends Layer {
  private readonly canvas = document.createElement('canvas');
  private scene: Scene | undefined;
  private scheme: Scheme = 'light';
  private zoom = 0;
  private center = { lat: 0, lng: 0 };
  private waiting = 0;
  marks: Marks = { clusters: [], points: [] };

  override onAdd(map: LeafletMap): this {
    this.canvas.className = 'leaflet-zoom-animated';
    this.canvas.setAttribute('aria-hidden', 'true');
    map.getPane('overlayPane')?.append(this.canvas);
    this.draw();
    return this;
  }

  override onRemove(): this {
    cancelAnimationFrame(this.waiting);
    this.canvas.remove();
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      moveend: () => this.draw(),
      resize: () => this.draw(),
      zoom: () => this.follow(this._map.getCenter(), this._map.getZoom()),
      zoomanim: (event) => {
        const { center, zoom } = event as ZoomAnimEvent;
        this.follow(center, zoom);
      },
    };
  }

  show(scene: Scene, scheme: Scheme): void {
    this.scene = scene;
    this.scheme = scheme;
    // Draws several changes at once.
    cancelAnimationFrame(this.waiting);
    this.waiting = requestAnimationFrame(() => this.draw());
  }

  /** Copies the visible map, without the margin, for a saved picture. */
  copyTo(context: CanvasRenderingContext2D, width: number, height: number): void {
    const density = this.canvas.width / this.canvas.clientWidth;
    const [left, top] = [(this.canvas.width - width * density) / 2, (this.canvas.height - height * density) / 2];
    context.drawImage(this.canvas, left, top, width * density, height * density, 0, 0, width, height);
  }

  private draw(): void {
    const map = this._map;
    const size = map.getSize();
    const context = this.canvas.getContext('2d');
    if (!this.scene || !context || size.x === 0 || size.y === 0) return;
    const margin = size.multiplyBy(MARGIN).round();
    const whole = size.add(margin).add(margin);
    const density = globalThis.devicePixelRatio || 1;
    DomUtil.setTransform(this.canvas, map.containerPointToLayerPoint(point(0, 0).subtract(margin)), 1);
    const [width, height] = [Math.round(whole.x * density), Math.round(whole.y * density)];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.canvas.style.width = `${whole.x}px`;
      this.canvas.style.height = `${whole.y}px`;
    }
    this.zoom = map.getZoom();
    this.center = map.getCenter();
    const perUnit = 2 ** this.zoom;
    const corner = (map.getPixelBounds().min ?? point(0, 0)).subtract(margin);
    const box = {
      minX: corner.x / perUnit,
      minY: corner.y / perUnit,
      maxX: (corner.x + whole.x) / perUnit,
      maxY: (corner.y + whole.y) / perUnit,
    };
    const window: Window = {
      box,
      zoom: this.zoom,
      scale: perUnit * density,
      width: whole.x,
      height: whole.y,
      density,
    };
    const begun = performance.now();
    const { clusters, points } = paint(context, this.scene, window, inks(this.scheme));
    performance.measure('map-redraw', { start: begun, end: performance.now() });
    const seen = <T extends { x: number; y: number }>(place: T) => ({
      ...place,
      x: place.x - margin.x,
      y: place.y - margin.y,
    });
    this.marks = { clusters: clusters.map(seen), points: points.map(seen) };
  }

  /** Scales and moves the last picture while the map zooms. */
  private follow(center: { lat: number; lng: number }, zoom: number): void {
    const map = this._map;
    const scale = map.getZoomScale(zoom, this.zoom);
    const size = map.getSize();
    const pane = map.getPane('mapPane');
    const moved = pane ? DomUtil.getPosition(pane) : point(0, 0);
    const origin = map.project(center, zoom).subtract(size.divideBy(2)).add(moved).round();
    const half = size.multiplyBy(0.5 + MARGIN);
    const corner = map.project(this.center, zoom).subtract(half.multiplyBy(scale)).subtract(origin);
    DomUtil.setTransform(this.canvas, corner, scale);
  }
}

/** `tiles` is the address of background tiles, if the company has configured one. */
export function openMap(
  element: HTMLElement,
  events: MapEvents,
  options: { view?: View | undefined; tiles?: string | undefined; still?: boolean | undefined } = {},
): MapView {
  const calm = globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = new LeafletMap(element, {
    attributionControl: false,
    zoomControl: false,
    boxZoom: false,
    minZoom: 2,
    maxZoom: 13,
    zoomSnap: 0.5,
    maxBounds: EVERYWHERE,
    maxBoundsViscosity: 0.5,
    zoomAnimation: !calm,
    fadeAnimation: !calm,
    inertia: !calm,
    // On a small map, the wheel scrolls the page.
    scrollWheelZoom: !options.still,
  });
  if (options.view) map.setView([options.view.lat, options.view.lon], options.view.zoom);
  else map.fitBounds(COUNTRY);
  new Control.Zoom({ position: 'topleft' }).addTo(map);
  new Control.Scale({ position: 'bottomleft' }).addTo(map);
  if (options.tiles) {
    new TileLayer(options.tiles, { className: 'outside-tiles' }).addTo(map);
    // The tiles show through land and territories.
    map.getPane('overlayPane')?.style.setProperty('opacity', '0.7');
  }
  const picture = new Picture();
  picture.addTo(map);

  let tool: Tool = 'look';
  const toPlane = (left: number, top: number): Point => {
    const { lat, lng } = map.containerPointToLatLng([left, top]);
    return project(lat, lng);
  };
  map.on('click', ({ containerPoint, originalEvent }: LeafletMouseEvent) => {
    const keys = keysOf(originalEvent);
    const { x, y } = containerPoint;
    const { clusters, points } = picture.marks;
    const isAt = (mark: { x: number; y: number }, reach: number) => (mark.x - x) ** 2 + (mark.y - y) ** 2 <= reach ** 2;
    const cluster = clusters.findLast((candidate) => isAt(candidate, candidate.radius + 2));
    if (cluster && tool === 'look') events.onFacilities(cluster);
    else if (tool === 'look' || tool === 'click')
      events.onClick(
        toPlane(x, y),
        points.find((candidate) => isAt(candidate, REACH))?.zip ?? null,
        keys,
        tool === 'click',
      );
  });
  map.on('moveend', () => {
    const { lat, lng } = map.getCenter();
    events.onView({ lat, lon: lng, zoom: map.getZoom() });
  });
  const outlines = trackOutline(element, (outline, event) => {
    events.onOutline(
      outline.map(({ x, y }) => toPlane(x, y)),
      keysOf(event),
    );
  });
  const resized = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  resized.observe(element);

  return {
    show: (scene, scheme) => picture.show(scene, scheme),
    setTool(next) {
      tool = next;
      outlines.use(next === 'box' || next === 'lasso' ? next : undefined);
      if (next === 'box' || next === 'lasso') map.dragging.disable();
      else map.dragging.enable();
      element.style.cursor = next === 'look' ? '' : 'crosshair';
    },
    setView: ({ lat, lon, zoom }) => void map.setView([lat, lon], zoom),
    fit({ minX, minY, maxX, maxY }, how) {
      const [from, to] = [unproject({ x: minX, y: maxY }), unproject({ x: maxX, y: minY })];
      const bounds = new LatLngBounds([from.lat, from.lon], [to.lat, to.lon]);
      map.fitBounds(bounds, { padding: [24, 24], maxZoom: 11, animate: how !== 'at once' });
    },
    async toPng(below) {
      const { x: width, y: height } = map.getSize();
      const density = globalThis.devicePixelRatio || 1;
      const canvas = document.createElement('canvas');
      canvas.width = Math.round(width * density);
      canvas.height = Math.round((height + (below?.height ?? 0)) * density);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('This browser does not support canvas drawing.');
      context.scale(density, density);
      picture.copyTo(context, width, height);
      context.translate(0, height);
      below?.draw(context, width);
      return new Promise((resolve, reject) =>
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png'),
      );
    },
    destroy() {
      resized.disconnect();
      outlines.end();
      map.remove();
    },
  };
}

const keysOf = (event: MouseEvent): Keys => ({
  shift: event.shiftKey || event.ctrlKey || event.metaKey,
  alt: event.altKey,
});
