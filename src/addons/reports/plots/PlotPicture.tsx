// Draws a plot on the screen. One Tab stop leads into it, the arrow keys move between figures, and Enter opens the list behind one.
import { useElementSize } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { usePrinting } from '#platform/ui/printing.web.ts';
import { PLOT_COLORS } from '#platform/ui/plot-colors.ts';
import { drawPlot } from './draw-plot.ts';
import type { DrawnMark, Ink, Shape } from './drawing.ts';
import type { Plot } from './plot.ts';
import classes from './plots.module.css';

/** The width of the first drawing, before the page has measured the available width. */
const FIRST_WIDTH = 600;
/** The width on a Letter or A4 sheet, for one plot or for two side by side. */
const [WHOLE_SHEET, HALF_SHEET] = [660, 310];

export function PlotPicture({ plot, wide }: { plot: Plot; wide: boolean }) {
  const { ref, width } = useElementSize();
  const isPrinting = usePrinting();
  const room = isPrinting ? (wide ? WHOLE_SHEET : HALF_SHEET) : width || FIRST_WIDTH;
  const { ground, marks, ...size } = useMemo(() => drawPlot(plot, room), [plot, room]);
  const [stop, setStop] = useState(0);
  const [active, setActive] = useState<number | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  const tabStop = Math.min(stop, marks.length - 1);

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && active !== null) {
      event.preventDefault();
      setActive(null);
    }
    const next = nextOf(event.key, tabStop, marks.length);
    if (next === null) return;
    event.preventDefault();
    setStop(next);
    svg.current?.querySelectorAll<SVGElement>('[data-mark]')[next]?.focus();
  });
  useEffect(() => {
    const element = svg.current;
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    element?.addEventListener('keydown', listen);
    return () => element?.removeEventListener('keydown', listen);
  }, []);
  const mark = active === null ? undefined : marks[active];
  return (
    <div ref={ref} className={classes['picture']} style={{ height: size.height }}>
      <svg
        ref={svg}
        width={size.width}
        height={size.height}
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="group"
        aria-label={`${plot.title}: figures. Use the arrow keys to move between them.`}
      >
        <g aria-hidden>{ground.map(drawn)}</g>
        {marks.map((entry, at) => (
          <Mark
            key={at}
            mark={entry}
            isStop={at === tabStop}
            onShow={() => setActive(at)}
            onHide={() => setActive(null)}
            onFocus={() => {
              setStop(at);
              setActive(at);
            }}
          />
        ))}
        <g aria-hidden pointerEvents="none">
          {marks.map(({ shapes }, at) => (
            <g key={at}>{shapes.filter(isText).map(drawn)}</g>
          ))}
        </g>
      </svg>
      {mark ? <Words mark={mark} width={size.width} /> : null}
    </div>
  );
}

function nextOf(key: string, from: number, count: number): number | null {
  const to = {
    ArrowRight: from + 1,
    ArrowDown: from + 1,
    ArrowLeft: from - 1,
    ArrowUp: from - 1,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined || count === 0 ? null : Math.max(0, Math.min(count - 1, to));
}

type MarkProps = { mark: DrawnMark; isStop: boolean; onShow: () => void; onHide: () => void; onFocus: () => void };

function Mark({ mark: { shapes, words, href, place }, isStop, onShow, onHide, onFocus }: MarkProps) {
  const navigate = useNavigate();
  const inside = (
    <>
      <rect {...place} className={classes['place']} />
      {shapes.filter((shape) => !isText(shape)).map(drawn)}
    </>
  );
  const common = {
    'data-mark': '',
    tabIndex: isStop ? 0 : -1,
    'aria-label': words,
    className: classes['mark'],
    onPointerEnter: onShow,
    onPointerLeave: onHide,
    onFocus,
    onBlur: onHide,
  };
  if (href === null) {
    return (
      <g role="img" {...common}>
        {inside}
      </g>
    );
  }
  const open = (event: MouseEvent) => {
    // Leaves opening tabs and windows to the browser.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ href });
  };
  return (
    <a href={href} onClick={open} {...common}>
      {inside}
    </a>
  );
}

/** The text for the mark under the pointer or the focus. Screen readers get it as the mark's name. */
function Words({ mark: { words, place, href }, width }: { mark: DrawnMark; width: number }) {
  const middle = place.x + place.width / 2;
  const side = middle < width / 3 ? 'start' : middle > (2 * width) / 3 ? 'end' : 'middle';
  return (
    <div
      aria-hidden
      className={classes['words']}
      data-side={side}
      style={{ left: Math.max(0, Math.min(width, middle)), top: Math.max(0, place.y) }}
    >
      {words}
      {href ? <span className="muted"> · open the list</span> : null}
    </div>
  );
}

function colorOf(ink: Ink): string {
  if (typeof ink === 'number') return `light-dark(${PLOT_COLORS.light[ink] ?? ''}, ${PLOT_COLORS.dark[ink] ?? ''})`;
  return `var(--plot-${ink})`;
}

/** A mark's name already contains its figure, so the text beside it is not part of the link. */
const isText = ({ as }: Shape) => as === 'text';

function drawn(shape: Shape, key: number) {
  const color = colorOf(shape.ink);
  switch (shape.as) {
    case 'rect': {
      const { x, y, width, height } = shape;
      return <rect key={key} {...{ x, y, width, height }} style={{ fill: color }} />;
    }
    case 'line': {
      const { x1, y1, x2, y2 } = shape;
      return <line key={key} {...{ x1, y1, x2, y2 }} style={{ stroke: color }} shapeRendering="crispEdges" />;
    }
    case 'path':
      return shape.filled ? (
        <path key={key} d={shape.d} style={{ fill: color }} />
      ) : (
        <path
          key={key}
          d={shape.d}
          fill="none"
          strokeDasharray={shape.dashes}
          style={{ stroke: color, strokeWidth: 2 }}
        />
      );
    case 'text':
      return (
        <text
          key={key}
          x={shape.x}
          y={shape.y}
          textAnchor={shape.anchor}
          style={{ fill: color, fontWeight: shape.bold ? 600 : undefined }}
        >
          {shape.text}
        </text>
      );
  }
}
