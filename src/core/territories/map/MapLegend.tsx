// The legend that explains the colors of the map, both beside the map and below a saved picture.
import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { LegendEntry } from './drawing/looks-and-legend.ts';
import { backgroundOf, fillOf } from './drawing/fill.web.ts';
import { inks, type Scheme } from './drawing/map-colors.ts';
import classes from './TerritoryMap.module.css';

export function Legend({ entries, note }: { entries: readonly LegendEntry[]; note: string }) {
  // On a phone, an open legend would cover half of the map.
  const [open, setOpen] = useState(() => window.matchMedia('(min-width: 48em)').matches);
  if (entries.length === 0) return null;
  return (
    <div className={classes['legend']}>
      <UnstyledButton className={classes['legendHead']} aria-expanded={open} onClick={() => setOpen(!open)}>
        Legend
        {open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronUp size={14} aria-hidden />}
      </UnstyledButton>
      {open ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the list scrolls, by keyboard too
        <ul aria-label="Legend" tabIndex={0}>
          {entries.map(({ label, look }) => (
            <li key={label}>
              <span className={classes['swatch']} style={{ background: backgroundOf(look) }} aria-hidden />
              {label}
            </li>
          ))}
          {note ? (
            <li>
              <Text size="xs">{note}</Text>
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  );
}

const [ROW, COLUMN] = [20, 200];

/** Draws the legend in columns below a picture. */
export function drawLegend(entries: readonly LegendEntry[], scheme: Scheme) {
  const columns = (width: number) => Math.max(1, Math.floor(width / COLUMN));
  return {
    heightAt: (width: number) => (entries.length === 0 ? 0 : Math.ceil(entries.length / columns(width)) * ROW + 16),
    draw(context: CanvasRenderingContext2D, width: number) {
      const { sea, text } = inks(scheme);
      context.fillStyle = sea;
      context.fillRect(0, 0, width, this.heightAt(width));
      context.font = '12px system-ui, sans-serif';
      context.textBaseline = 'middle';
      entries.forEach(({ label, look }, index) => {
        const x = 12 + (index % columns(width)) * COLUMN;
        const y = 8 + Math.floor(index / columns(width)) * ROW + ROW / 2;
        context.fillStyle = fillOf(context, look, context.getTransform().a);
        context.fillRect(x, y - 6, 14, 12);
        context.fillStyle = text;
        context.fillText(label, x + 20, y, COLUMN - 30);
      });
    },
  };
}
