// Lets the pointer draw a box or a lasso over the map. Escape cancels.
import type { Point } from './areas.ts';

type Kind = 'box' | 'lasso';
const SVG = 'http://www.w3.org/2000/svg';

/** Passes the outline to `done`, in pixels of the element. */
export function trackOutline(element: HTMLElement, done: (outline: Point[], event: PointerEvent) => void) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  Object.assign(svg.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', zIndex: '650' });
  svg.style.pointerEvents = 'none';
  const shape = document.createElementNS(SVG, 'path');
  for (const [name, value] of [
    ['fill', 'rgba(34, 139, 230, 0.18)'],
    ['stroke', '#1971c2'],
    ['stroke-width', '2'],
    ['stroke-dasharray', '5 3'],
  ] as const)
    shape.setAttribute(name, value);
  svg.append(shape);
  element.append(svg);

  let kind: Kind | undefined;
  let points: Point[] | undefined;
  const outline = (): Point[] => {
    const [from, to] = [points?.[0], points?.at(-1)];
    if (kind !== 'box' || !from || !to) return points ?? [];
    return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
  };
  const placeOf = (event: PointerEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const end = () => {
    points = undefined;
    shape.setAttribute('d', '');
  };
  const onDown = (event: PointerEvent) => {
    const onControl = event.target instanceof Element && event.target.closest('.leaflet-control') !== null;
    if (!kind || event.button !== 0 || onControl) return;
    event.preventDefault();
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    points = [placeOf(event)];
  };
  const onMove = (event: PointerEvent) => {
    if (!points) return;
    points.push(placeOf(event));
    const drawn = outline().map(({ x, y }) => `${x} ${y}`);
    shape.setAttribute('d', `M${drawn.join('L')}Z`);
  };
  const onUp = (event: PointerEvent) => {
    const drawn = outline();
    const moved = points && points.length > 2;
    end();
    if (moved) done(drawn, event);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && points) end();
  };
  element.addEventListener('pointerdown', onDown, true);
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerup', onUp);
  element.addEventListener('pointercancel', end);
  element.addEventListener('keydown', onKey);
  return {
    use(next: Kind | undefined) {
      kind = next;
      end();
      element.style.touchAction = next ? 'none' : '';
    },
    end() {
      element.removeEventListener('pointerdown', onDown, true);
      element.removeEventListener('pointermove', onMove);
      element.removeEventListener('pointerup', onUp);
      element.removeEventListener('pointercancel', end);
      element.removeEventListener('keydown', onKey);
      svg.remove();
    },
  };
}
