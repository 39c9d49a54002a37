// Keeps the state of a screen with placed pictures: the selected ones, the last change, and its undo.
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import {
  type GalleryProduct,
  ItemImageGallery,
  MAX_PLACES,
  type PlacedPicture,
  type Viewer,
} from './gallery.contract.ts';
import { viewerWords } from './gallery-words.ts';
import { ordersSaved } from './use-order.web.ts';

/** A picture with its product. */
export type Placed = { picture: PlacedPicture; product: Pick<GalleryProduct, 'id' | 'name'> };
/** A finished change in words, with its undo; the undo returns a message. */
export type Change = { message: string; undo: () => Promise<string> };
type Before = { id: number; version: number; hiddenRoles?: Viewer[] };

export type Gallery = ReturnType<typeof useGallery>;

/** The number of removals that run at once. */
const AT_ONCE = 4;

export function useGallery() {
  const [ticked, setTicked] = useState<ReadonlyMap<number, Placed>>(new Map());
  const [undo, setUndo] = useState<Change | null>(null);
  const tick = (placed: Placed[], on: boolean) => {
    const next = new Map(ticked);
    for (const entry of placed) {
      if (on) next.set(entry.picture.id, entry);
      else next.delete(entry.picture.id);
    }
    if (next.size > MAX_PLACES)
      notifications.show({ message: `At most ${MAX_PLACES} pictures can be changed at once.`, color: 'orange' });
    else setTicked(next);
  };
  const done = (change: Change) => {
    setUndo(change);
    setTicked(new Map());
  };
  const hide = useMutation({
    mutationFn: ({ placed, hiddenRoles }: { placed: Placed[]; hiddenRoles: Viewer[] }) =>
      api(ItemImageGallery).UpdateItemImageHidenRoles({ ids: placed.map(({ picture }) => picture.id), hiddenRoles }),
    onSuccess: ({ changed, before }, { hiddenRoles }) =>
      done({
        message: `${countOf(changed, 'picture')} now hidden from ${viewerWords(hiddenRoles)}.`,
        undo: () => restore(before),
      }),
  });
  const remove = useMutation({
    mutationFn: removeAll,
    onSuccess: ({ removed, message }) => done({ message, undo: () => restore(removed) }),
  });
  const takeBack = useMutation({
    mutationFn: (change: Change) => change.undo(),
    onSuccess: (message) => {
      setUndo(null);
      notifications.show({ message });
    },
  });
  const bringBack = useMutation({
    mutationFn: (place: Before) => restore([place]),
    onSuccess: (message) => notifications.show({ message }),
  });
  const errors = [hide, remove, takeBack, bringBack];
  return {
    ticked,
    tick,
    untick: () => setTicked(new Map()),
    undo,
    setUndo,
    hide,
    remove,
    takeBack,
    bringBack,
    error: errors.find(({ error }) => error)?.error ?? null,
    forget: () => {
      for (const error of errors) error.reset();
    },
  };
}

async function restore(places: Before[]): Promise<string> {
  if (places.length === 0) return 'There was nothing to undo.';
  const { restored, kept } = await api(ItemImageGallery).RestoreItemImages({ places });
  const left = kept.map(({ name, problem }) => `${name}: ${problem}`).join(' ');
  return `${countOf(restored, 'picture')} ${restored === 1 ? 'is' : 'are'} restored.${left ? ` Skipped: ${left}` : ''}`;
}

type Removed = { removed: Before[]; message: string };

/** Removes pictures one by one; returns which quotes have an item of their products. */
async function removeAll(placed: Placed[]): Promise<Removed> {
  await ordersSaved();
  const waiting = [...placed];
  const answers: Awaited<ReturnType<ReturnType<typeof api<typeof ItemImageGallery>>['DeleteItemImage']>>[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      answers.push(await api(ItemImageGallery).DeleteItemImage({ id: next.picture.id }));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    removed: answers.map(({ id, version }) => ({ id, version })),
    message: `${countOf(answers.length, 'picture')} removed. ${usedIn(answers)} You can restore ${answers.length === 1 ? 'it' : 'them'} for 30 days.`,
  };
}

function usedIn(answers: { openQuotes: number; sentQuotes: number; quotes: { number: string; sent: boolean }[] }[]) {
  const numbers = (sent: boolean) => [
    ...new Set(
      answers.flatMap(({ quotes }) => quotes.filter((quote) => quote.sent === sent).map(({ number }) => number)),
    ),
  ];
  const isMore = answers.some(({ openQuotes, sentQuotes, quotes }) => openQuotes + sentQuotes > quotes.length);
  const words = (quoteNumbers: string[], what: string) =>
    quoteNumbers.length > 0
      ? `${what} ${quoteNumbers.slice(0, 5).join(', ')}${quoteNumbers.length > 5 || isMore ? ' and others' : ''}`
      : '';
  const open = words(numbers(false), 'Open quotes with such an item:');
  const sent = words(numbers(true), 'Sent ones keep it:');
  return (
    [open, sent].filter(Boolean).join('. ') +
    (open || sent ? '.' : 'No open quote has one of its items, and no quote was sent with it.')
  );
}
