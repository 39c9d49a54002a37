// Tests drawn plots: sizes match the figures, nothing leaves the frame, zero is correct, and the file matches the picture.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawPlot } from './draw-plot.ts';
import { type DrawnMark, type Shape, widthOf } from './drawing.ts';
import { figureIn, noteOf, type Plot, plotCsv, shortIn } from './plot.ts';
import { scaleOf } from './scale.ts';
import { plotSvg } from './svg-text.ts';

const aPlot = (overrides: Partial<Plot>): Plot => ({
  kind: 'bars',
  title: 'Won by rep',
  unit: { amountIn: 1007 },
  over: 'Rep',
  series: [{ name: 'Won', tone: 0 }],
  rows: [],
  ...overrides,
});
const rectOf = ({ shapes }: DrawnMark) => shapes.find((shape) => shape.as === 'rect');
const value = fc.double({ min: -1e8, max: 1e8, noNaN: true }).map((entry) => Math.round(entry * 100) / 100);
const kinds = fc.constantFrom<Plot['kind']>('columns', 'lines', 'histogram', 'bars', 'bridge');

const plots = fc
  .record({
    kind: kinds,
    stacked: fc.boolean(),
    series: fc.integer({ min: 1, max: 4 }),
    rows: fc.integer({ min: 1, max: 30 }),
  })
  .chain(({ kind, stacked, series, rows }) =>
    fc
      .array(fc.array(fc.option(stacked ? value.map(Math.abs) : value), { minLength: series, maxLength: series }), {
        minLength: rows,
        maxLength: rows,
      })
      .map((figures) =>
        aPlot({
          kind,
          stacked,
          series: Array.from({ length: series }, (_, at) => ({ name: `Series ${at}`, tone: at })),
          rows: figures.map((values, at) => ({ label: `A somewhat long name of row no. ${at}`, values })),
        }),
      ),
  );

it('draws one mark for each known figure, inside of the frame, at any width', () => {
  fc.assert(
    fc.property(plots, fc.integer({ min: 260, max: 1600 }), (plot, width) => {
      const drawing = drawPlot(plot, width);
      const known = plot.rows.flatMap(({ values }) => values).filter((candidate) => candidate !== null);
      expect(drawing.marks).toHaveLength(known.length);
      for (const { place, shapes } of drawing.marks) {
        for (const part of Object.values(place)) expect(Number.isFinite(part)).toBe(true);
        expect(place.x).toBeGreaterThanOrEqual(-1);
        expect(place.x + place.width).toBeLessThanOrEqual(drawing.width + 15);
        expect(place.y + place.height).toBeLessThanOrEqual(drawing.height + 9);
        expect(shapes.length).toBeGreaterThan(0);
        expect(shapes.filter((shape) => shape.as === 'rect' && shape.width < 0)).toEqual([]);
      }
      expect(JSON.stringify(drawing)).not.toMatch(/null,"(x|y|width|height)|NaN|Infinity/);
    }),
  );
});

it('bars are as long as their figures, from one zero', () => {
  fc.assert(
    fc.property(fc.array(value.map(Math.abs), { minLength: 2, maxLength: 12 }), (figures) => {
      const plot = aPlot({ rows: figures.map((figure, at) => ({ label: `Rep ${at}`, values: [figure] })) });
      const bars = drawPlot(plot, 700).marks.map(rectOf);
      const largest = Math.max(...figures);
      const longest = bars[figures.indexOf(largest)];
      for (const [at, bar] of bars.entries()) {
        expect(bar?.x).toBe(longest?.x);
        const share = largest === 0 ? 0 : (figures[at] ?? 0) / largest;
        // Even the smallest figure is drawn as a line of one pixel.
        expect(Math.abs((bar?.width ?? 0) - share * (longest?.width ?? 0))).toBeLessThanOrEqual(1.02);
      }
    }),
  );
});

it('stacked columns stand on each other and do not overlap', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 4 }), (figures) => {
      const plot = aPlot({
        kind: 'columns',
        stacked: true,
        unit: 'quotes',
        series: figures.map((_, at) => ({ name: `S${at}`, tone: at })),
        rows: [{ label: 'Mar', values: figures }],
      });
      const rects = drawPlot(plot, 400).marks.flatMap((mark) => rectOf(mark) ?? []);
      const gaps = rects.slice(1).map((rect, at) => rect.y + rect.height - (rects[at]?.y ?? 0));
      expect(gaps).toHaveLength(figures.length - 1);
      for (const gap of gaps) expect(Math.abs(gap)).toBeLessThan(0.05);
    }),
  );
  expect.hasAssertions();
});

it('a bridge goes on from where the row before ended, and ends at its last amount', () => {
  const plot = aPlot({
    kind: 'bridge',
    rows: [
      { label: 'Open a week ago', values: [100], whole: true },
      { label: 'New', values: [40] },
      { label: 'Lost', values: [-60] },
      { label: 'Open now', values: [80], whole: true },
    ],
  });
  const [start, grown, lost, end] = drawPlot(plot, 600).marks.map(rectOf);
  expect(start?.x).toBe(end?.x);
  expect(grown?.x).toBeCloseTo((start?.x ?? 0) + (start?.width ?? 0), 1);
  const reached = (lost?.x ?? 0) - (start?.x ?? 0);
  expect(reached).toBeCloseTo(end?.width ?? 0, 1);
  expect([start?.ink, grown?.ink, lost?.ink]).toEqual([2, 0, 1]);
});

it('a range goes from its low end to its high end, with the middle between', () => {
  const plot = aPlot({
    kind: 'ranges',
    unit: 'percent',
    series: [
      { name: 'Low', tone: 0 },
      { name: 'Median', tone: 0 },
      { name: 'High', tone: 0 },
    ],
    rows: [
      { label: 'Dana', values: [-10, 0, 30] },
      { label: 'Lee', values: [null, null, null] },
      { label: 'Kim', values: [5, 10, 20] },
    ],
  });
  const { marks } = drawPlot(plot, 600);
  expect(marks.map(({ words }) => words)).toEqual(['Dana: −10% to 30%, median 0%', 'Kim: 5% to 20%, median 10%']);
  const words = (marks[0]?.shapes ?? []).flatMap((shape) => (shape.as === 'text' ? [shape.text] : []));
  expect(words).toEqual(['−10% to 30%']);
  const [bar, tick] = (marks[0]?.shapes ?? []).filter((shape) => shape.as === 'rect');
  expect(((tick?.x ?? 0) + 2 - (bar?.x ?? 0)) / (bar?.width ?? 1)).toBeCloseTo(0.25, 1);
});

it('a range on both sides of the zero has room on a phone, too', () => {
  const range = (label: string, low: number, high: number) => ({ label, values: [low, 0, high] });
  const rows = [range('271030 Foam dressing, bordered, 4 x 4 in', -38.4, 121.7), range('551012 Glove', -2.5, 0)];
  const series = ['Lowest', 'Median', 'Highest'].map((name) => ({ name, tone: 3 }));
  const drawing = drawPlot(aPlot({ kind: 'ranges', unit: 'percent', series, rows }), 280);
  for (const mark of drawing.marks) expect(mark.place.width).toBeGreaterThan(8);
  const [wide, narrow] = drawing.marks.map((mark) => rectOf(mark)?.width ?? 0);
  expect(wide).toBeGreaterThan(30);
  expect(narrow).toBeLessThan(wide ?? 0);
});

it('the picture has the first rows only, and says so; the file has all', () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({ label: `Rep ${at}`, values: [at] }));
  const plot = aPlot({ rows, drawn: 12, note: 'By sales rep.' });
  expect(drawPlot(plot, 500).marks).toHaveLength(12);
  expect(noteOf(plot)).toBe('By sales rep. Showing the first 12 of 30. The table shows all of them.');
  expect(plotCsv(plot).split('\r\n')).toHaveLength(32);
});

it('a line breaks where a month has no figure', () => {
  const rows = [1, null, 3, 4].map((entry, at) => ({ label: `M${at}`, values: [entry] }));
  const { ground } = drawPlot(aPlot({ kind: 'lines', unit: 'percent', rows }), 500);
  const path = ground.find((shape): shape is Extract<Shape, { as: 'path' }> => shape.as === 'path');
  expect(path?.d.match(/M/g)).toHaveLength(2);
  expect(path?.d.match(/L/g)).toHaveLength(1);
});

it('labels below columns never touch each other', () => {
  const rows = Array.from({ length: 52 }, (_, at) => ({
    label: `03/${String(at).padStart(2, '0')}/2026`,
    values: [at],
  }));
  for (const width of [300, 326, 358, 700, 1200]) {
    const { ground } = drawPlot(aPlot({ kind: 'columns', unit: 'quotes', rows }), width);
    const labels = ground.filter((shape) => shape.as === 'text' && shape.anchor === 'middle') as { x: number }[];
    const apart = labels.slice(1).map(({ x }, at) => x - (labels[at]?.x ?? 0));
    expect(Math.min(...apart)).toBeGreaterThan(widthOf('03/00/2026'));
  }
  expect.hasAssertions();
});

it('the scale holds the zero and all figures, with few ticks; what is counted has whole ones', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (figures) => {
      const { from, to, ticks } = scaleOf(figures, 5, false);
      expect(from).toBeLessThanOrEqual(Math.min(0, ...figures));
      expect(to).toBeGreaterThanOrEqual(Math.max(0, ...figures));
      expect(ticks).toContain(0);
      expect(ticks.length).toBeLessThanOrEqual(8);
    }),
  );
  for (const most of [1, 2, 3, 7, 11]) expect(scaleOf([most], 5, true).ticks.every(Number.isInteger)).toBe(true);
});

it('writes figures with their unit, in full and short', () => {
  expect(figureIn({ amountIn: 1007 }, -1234.5)).toBe('−$1,234.50');
  expect(figureIn({ amountIn: 1009 }, 12)).toBe('€12.00');
  expect(figureIn('quotes', 1)).toBe('1 quote');
  expect(figureIn('days', 2.45)).toBe('2.5 days');
  expect(figureIn('percent', null)).toBe('–');
  expect(figureIn('percent', -0.02)).toBe('−0.02%');
  expect(shortIn({ amountIn: 1007 }, 1_234_000)).toBe('$1.2M');
  expect(shortIn('quotes', 12_300)).toBe('12.3K');
});

it('the file has plain numbers, and no cell that a spreadsheet computes', () => {
  const plot = aPlot({
    facts: ['Quotes'],
    rows: [
      { label: '=cmd()', values: [1234.5], facts: ['3'] },
      { label: 'Dana, R.', values: [null], facts: [''] },
    ],
  });
  expect(plotCsv(plot)).toBe('Rep,Won (US dollars),Quotes\r\n\'=cmd(),1234.5,3\r\n"Dana, R.",,\r\n');
});

it('the picture as text is whole, and what people typed is no markup in it', () => {
  const plot = aPlot({
    kind: 'columns',
    title: 'Won & <b>lost</b>',
    series: [
      { name: 'Won "x"', tone: 0 },
      { name: 'Lost', tone: 1 },
    ],
    rows: [{ label: '<script>', values: [3, 4] }],
  });
  const { text, width, height } = plotSvg(plot, 640);
  expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(text).not.toMatch(/<b>|<script>|var\(|light-dark/);
  expect(text).toContain('Won &amp; &lt;b&gt;lost&lt;/b&gt;');
  expect(text).toContain('Won &quot;x&quot;');
  expect(text.match(/<rect [^>]*fill="#338fcc"/g)).toHaveLength(2);
  expect(width).toBe(640);
  expect(height).toBeGreaterThan(200);
});
