// Announces where this user is on the quote, and shows the other users, their lines, and what they have just changed.
import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Other } from '#platform/live/live.contract.ts';
import { useLinkState } from '#platform/live/live.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { NARROW } from '#platform/ui/DataList.tsx';
import { initialsOf } from '#platform/ui/Person.tsx';
import classes from '../board.module.css';
import type { BoardStore } from '../state/board-store.ts';
import { useBoard } from '../state/board.web.ts';
import { freshCells, type FreshCells } from './fresh-cells.ts';
import { colorOf, othersKey, useOthers } from './others.web.ts';
import { announcePlace } from './announce-place.web.ts';

/** If more users than this plus one are here, the rest appear as a number. On a phone the space is for the facility's name. */
const MAX_PEOPLE_SHOWN = 3;
const MAX_SHOWN_ON_PHONE = 1;

export default function Presence() {
  const { data, marks, freshFields, store } = useBoard();
  const { quote, items } = data;
  const client = useQueryClient();
  const isLive = useLinkState() === 'live';
  useEffect(
    () => (isLive ? announcePlace(quote.id, (others) => client.setQueryData(othersKey(quote.id), others)) : undefined),
    [isLive, quote.id, client],
  );
  useEffect(() => holdRow(store), [store]);
  const seen = useRef({ items, marks });
  useEffect(() => {
    for (const fresh of freshCells(seen.current, { items, marks })) showFresh(fresh);
    seen.current = { items, marks };
  }, [items, marks]);
  // Changes from before this board was rendered are not new.
  const seenFields = useRef(freshFields);
  useEffect(() => {
    if (freshFields !== seenFields.current) showFreshFields(freshFields);
    seenFields.current = freshFields;
  }, [freshFields]);

  const others = useOthers();
  const lineOf = ({ itemId }: Other) => items.find(({ id }) => id === itemId)?.lineNo;
  const placeOf = (other: Other) => {
    const line = lineOf(other);
    return line === undefined ? other.name : `${other.name}, ${other.typing ? 'typing on ' : ''}line ${line}`;
  };
  const typing = others.filter((other) => other.typing && lineOf(other) !== undefined);
  const most = useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) ? MAX_SHOWN_ON_PHONE : MAX_PEOPLE_SHOWN;
  const visible = others.length > most + 1 ? others.slice(0, most) : others;
  return (
    <>
      <VisuallyHidden role="status">
        {typing.map((other) => `${other.name} is typing on line ${lineOf(other)}.`).join(' ')}
      </VisuallyHidden>
      {others.length > 0 ? (
        <Popover position="bottom-start" withinPortal trapFocus returnFocus>
          <Popover.Target>
            <UnstyledButton className={`${classes['faces']} no-print`}>
              <VisuallyHidden>
                {countOf(others.length, 'other')} here: {others.map(placeOf).join('; ')}
              </VisuallyHidden>
              {visible.map((other) => (
                <span
                  key={other.id}
                  className={classes['face']}
                  style={colorOf(other)}
                  title={placeOf(other)}
                  aria-hidden
                >
                  {initialsOf(other.name)}
                </span>
              ))}
              {others.length > visible.length ? (
                <span className="muted" aria-hidden>
                  +{others.length - visible.length}
                </span>
              ) : null}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown p="xs" aria-label="Others on this quote">
            <ul className={classes['people']} aria-label="Also here" tabIndex={-1} data-autofocus>
              {others.map((other) => (
                <li key={other.id}>
                  <span className={classes['face']} style={colorOf(other)} aria-hidden>
                    {initialsOf(other.name)}
                  </span>
                  {placeOf(other)}
                </li>
              ))}
            </ul>
          </Popover.Dropdown>
        </Popover>
      ) : null}
    </>
  );
}

/** Keeps the row in which the user types at its place on the screen while other users add and remove lines above it. */
function holdRow({ subscribe }: Pick<BoardStore, 'subscribe'>): () => void {
  let isWaiting = false;
  // The store reports a change before the screen shows it.
  return subscribe(() => {
    const row = document.activeElement?.closest('[data-line]:has([data-typed])');
    if (!row || isWaiting) return;
    isWaiting = true;
    const { top } = row.getBoundingClientRect();
    requestAnimationFrame(() => {
      isWaiting = false;
      const moved = row.getBoundingClientRect().top - top;
      if (row.isConnected && moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' });
    });
  });
}

const FADE_MS = 3000;

/** Fades a mark on cells that another user changed, except where this user is. */
function showFresh({ id, columns }: FreshCells): void {
  const line = document.querySelector(`[data-line="${id}"], [data-card="${id}"]`);
  if (!line) return;
  const cells = line.matches('[data-card]')
    ? [line]
    : columns
      ? columns.flatMap((column) => [...line.querySelectorAll(`[data-column="${column}"]`)])
      : [...line.children];
  // During the fade the cell has the height of its row.
  fade(cells, { alignSelf: 'stretch', alignContent: 'center' });
}

/** Marks every place that shows one of the quote's own fields. */
function showFreshFields(fields: readonly string[]): void {
  for (const field of fields) fade(document.querySelectorAll(`[data-shows~="${field}"]`), {});
}

function fade(places: Iterable<Element>, whole: Keyframe): void {
  const start = { ...whole, backgroundColor: 'var(--fresh)' };
  // With reduced motion, the mark does not fade. It disappears at the end.
  const frames = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    ? [start, start]
    : [start, { ...start, offset: 0.4 }, whole];
  for (const place of places) if (!place.contains(document.activeElement)) place.animate(frames, FADE_MS);
}
