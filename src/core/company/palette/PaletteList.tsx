// The entries of the palette: recently opened records, actions, screens, and results of the server. Arrow keys highlight an entry, Enter opens it.
import { Kbd, Text, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconBuildingHospital,
  IconFileText,
  IconLayoutList,
  IconPackage,
  IconPlayerPlay,
  IconSignature,
  IconUser,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { api } from '#platform/api/client.web.ts';
import { keepRecentPlace, type RecentPlace, recentPlaces } from '#platform/recent-records/recent-records.web.ts';
import { type Key, keysNow } from '#platform/ui/keys.tsx';
import { writtenKey } from '#platform/ui/written-key.web.ts';
import type { Entered, PaletteScreen } from './Palette.tsx';
import { FOUND_KINDS, type FoundKind, Palette } from './palette.contract.ts';
import classes from './palette.module.css';

type Props = {
  userId: number;
  screens: PaletteScreen[];
  text: string;
  entered: Entered | null;
  /** Handles the keys that are pressed in the field. */
  keyRef: RefObject<((event: KeyboardEvent) => void) | null>;
  onHighlight: (id: string | undefined) => void;
  onClose: () => void;
};

type Entry = {
  id: string;
  kind: FoundKind | 'screen' | 'action';
  title: string;
  detail?: string;
  /** The key that does the same. */
  shortcut?: string | undefined;
  /** The address that it opens; an action has none and runs instead. */
  place?: string;
  run?: Key['run'];
};
type Section = { title: string; entries: Entry[] };

const TITLES: Record<FoundKind, string> = {
  quote: 'Quotes',
  facility: 'Facilities',
  item: 'Items',
  contract: 'Contracts',
  person: 'People',
};
const ICONS = {
  quote: IconFileText,
  facility: IconBuildingHospital,
  item: IconPackage,
  contract: IconSignature,
  person: IconUser,
  screen: IconLayoutList,
  action: IconPlayerPlay,
};
const DEBOUNCE_MS = 100;
const MIN_QUERY_LENGTH = 2;
const MAX_LOCAL_RESULTS = 6;

export const LIST_ID = 'palette-list';

export function PaletteList({ userId, screens, text, entered, keyRef, onHighlight, onClose }: Props) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const typed = text.trim();
  const [request] = useDebouncedValue(typed, DEBOUNCE_MS);
  const query = useQuery({
    ...api(Palette).FindAnything.query({ text: request }),
    enabled: request.length >= MIN_QUERY_LENGTH,
    placeholderData: keepPreviousData,
    retry: false,
  });
  // The keys of the screen behind the palette, as they were when it opened.
  const [commands] = useState(keysNow);
  const [recent] = useState(() => recentPlaces(userId).filter(({ place }) => place !== pathname));

  const searches = typed.length >= MIN_QUERY_LENGTH;
  const isStale = searches && (request !== typed || query.isPlaceholderData || query.isPending);
  const parts = [
    ...localParts(typed, { commands, screens, recent }),
    ...(searches ? foundParts(query.data ?? []) : []),
  ].filter(({ entries }) => entries.length > 0);
  const entries = parts.flatMap((part) => part.entries);

  const [chosen, setChosen] = useState<string | null>(null);
  const current = entries.find(({ id }) => id === chosen) ?? entries[0];
  // A different text highlights the first entry again.
  const [previousText, setPreviousText] = useState(typed);
  if (previousText !== typed) {
    setPreviousText(typed);
    setChosen(null);
  }
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    onHighlight(current?.id);
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id, onHighlight]);

  const open = (entry: Entry, inNewTab: boolean) => {
    const { kind, title, detail = '', place } = entry;
    if (place !== undefined && kind !== 'screen' && kind !== 'action')
      keepRecentPlace(userId, { kind, title, detail, place } satisfies RecentPlace);
    if (place !== undefined && inNewTab) {
      window.open(place, '_blank', 'noopener');
      return;
    }
    onClose();
    if (place !== undefined) void navigate({ href: place });
    else entry.run?.(new window.KeyboardEvent('keydown'));
  };

  // If the user presses Enter before the results arrive, opens the first result for that text instead of a stale one.
  const [waiting, setWaiting] = useState(entered);
  const openWaiting = useEffectEvent(() => {
    setWaiting(null);
    if (waiting?.text === typed && entries[0]) open(entries[0], waiting.inNewTab);
  });
  useEffect(() => {
    if (waiting && !isStale) openWaiting();
  }, [waiting, isStale]);

  const moveHighlight = (by: 1 | -1) => {
    const at = current ? entries.indexOf(current) : -1;
    setChosen(entries.at((at + by) % entries.length)?.id ?? null);
  };
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') moveHighlight(1);
    else if (event.key === 'ArrowUp') moveHighlight(-1);
    else if (event.key === 'Enter') {
      const inNewTab = event.ctrlKey || event.metaKey;
      if (isStale && !isLocal(current)) setWaiting({ inNewTab, text: typed });
      else if (current) open(current, inNewTab);
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    keyRef.current = (event) => handleKey(event);
    return () => {
      keyRef.current = null;
    };
  }, [keyRef]);

  return (
    <>
      <div
        ref={list}
        id={LIST_ID}
        role="listbox"
        aria-label="Results"
        className={classes['list']}
        data-old={isStale || undefined}
      >
        {parts.map(({ title, entries: sectionEntries }) => (
          <div key={title} role="group" aria-label={title}>
            <div className={classes['title']} aria-hidden>
              {title}
            </div>
            {sectionEntries.map((entry) => (
              <Option
                key={entry.id}
                entry={entry}
                isCurrent={entry === current}
                onPoint={() => setChosen(entry.id)}
                onOpen={(inNewTab) => open(entry, inNewTab)}
              />
            ))}
          </div>
        ))}
      </div>
      <Text size="sm" role="status" className={`muted ${classes['status']}`}>
        {statusText({ count: entries.length, isStale, error: searches ? query.error : null, typed })}
      </Text>
    </>
  );
}

const isLocal = (entry: Entry | undefined) => entry?.kind === 'screen' || entry?.kind === 'action';

type Status = { count: number; isStale: boolean; error: Error | null; typed: string };
function statusText({ count, isStale, error, typed }: Status): string {
  if (error) return `The search failed. ${error.message}`;
  if (isStale) return count > 0 ? '' : 'Searching…';
  if (count > 0) return '';
  return typed === '' ? 'Type to search.' : 'Nothing found.';
}

type LocalSources = { commands: Key[]; screens: PaletteScreen[]; recent: RecentPlace[] };

/** Without a text, recently opened records come first, then all actions of the screen. */
function localParts(typed: string, { commands, screens, recent }: LocalSources): Section[] {
  const keyOf = (label: string) => commands.find((command) => command.label === label)?.key;
  const actions = commands
    .filter(({ label }) => !screens.some((screen) => screen.label === label))
    .map(({ label, key, run }): Entry => ({ id: `action ${label}`, kind: 'action', title: label, shortcut: key, run }));
  const places = screens.map(
    ({ label, to }): Entry => ({ id: `screen ${to}`, kind: 'screen', title: label, place: to, shortcut: keyOf(label) }),
  );
  if (typed === '')
    return [
      { title: 'Recent', entries: recent.map((entry) => ({ ...entry, id: `recent ${entry.place}` })) },
      { title: 'Actions', entries: actions },
      { title: 'Screens', entries: places },
    ];
  const matching = (entries: Entry[]) =>
    entries.filter(({ title }) => matchesTitle(typed, title)).slice(0, MAX_LOCAL_RESULTS);
  return [
    { title: 'Actions', entries: matching(actions) },
    { title: 'Screens', entries: matching(places) },
  ];
}

function foundParts(results: RecentPlace[]): Section[] {
  return FOUND_KINDS.map((kind) => ({
    title: TITLES[kind],
    entries: results
      .filter((result) => result.kind === kind)
      .map((result) => ({ ...result, id: `found ${result.place}` })),
  }));
}

type OptionProps = {
  entry: Entry;
  isCurrent: boolean;
  onPoint: () => void;
  onOpen: (inNewTab: boolean) => void;
};

function Option({ entry, isCurrent, onPoint, onOpen }: OptionProps) {
  const { id, kind, title, detail, shortcut } = entry;
  const Icon = ICONS[kind];
  return (
    <UnstyledButton
      component="div"
      id={id}
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      className={classes['option']}
      onMouseMove={onPoint}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onOpen(event.ctrlKey || event.metaKey)}
      onAuxClick={(event: MouseEvent) => event.button === 1 && onOpen(true)}
    >
      <Icon size={18} aria-hidden className={classes['icon'] ?? ''} />
      <div className={classes['words']}>
        <span className="ellipsis">{title}</span>
        {detail ? <span className="muted ellipsis"> {detail}</span> : null}
      </div>
      {shortcut ? <Kbd size="xs">{writtenKey(shortcut)}</Kbd> : null}
    </UnstyledButton>
  );
}

const normalizeText = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text: string) =>
  normalizeText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Returns whether each word of the text is the beginning of a word in the label. */
function matchesTitle(text: string, label: string): boolean {
  const words = wordsOf(label);
  const typed = wordsOf(text);
  return typed.length > 0 && typed.every((candidate) => words.some((word) => word.startsWith(candidate)));
}
