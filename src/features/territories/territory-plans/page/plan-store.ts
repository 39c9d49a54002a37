// The state behind a plan's screen: the server's plan, the person's unsaved moves, saving, undo and redo, and other people's changes.
import { HttpError, isPassing } from '#api/http-error.ts';
import { conflictOf } from '#shared/conflict.ts';
import { countOf } from '#shared/count-of.ts';
import type { Named } from '#shared/wire.ts';
import { isWorking } from '../plan-words.ts';
import {
  type LoadedMap,
  MOST_SAVED,
  type Move,
  type MoveInput,
  type PlanChanges,
  type Weight,
} from '../territory-plans.contract.ts';

/** The territory a ZIP moves to, and the one that had it; `from` is undefined until the server answers. */
export type Planned = { from: Named | null | undefined; to: Named | null };

/** A move as the screen shows it. */
export type ShownMove = Omit<Move, 'from'> & Planned & { unsaved: boolean };

/** A change of one ZIP that the server does not have yet. `planned` null takes the move back. `seen` is the move that the person saw before. */
type Change = { zip: string; planned: Planned | null; seen: Move | null };

/** Two people planned one ZIP differently. Null means no move. */
export type ZipClash = { zip: string; theirs: Move | null; mine: Planned | null };

export type PlanState = {
  /** The plan on the server; its conflicts and effects come from the last weighing. */
  loaded: LoadedMap;
  /** Whether the conflicts and effects match the saved moves. */
  weighed: boolean;
  /** All moves in order of ZIP, including unsaved ones. */
  moves: readonly ShownMove[];
  /** The number of changes that the server does not have yet. */
  unsaved: number;
  saving: boolean;
  /** Why the last save failed. The changes stay here. */
  error: HttpError | null;
  /** ZIPs that somebody else planned differently at the same time. The store saves nothing until the person chooses. */
  clashes: readonly ZipClash[];
  clashedWith: { changedBy: string | null; changedAt: string | null };
  /** Maps each ZIP that somebody else moved or took back to their name. The next change made here clears it. */
  marks: ReadonlyMap<string, string>;
  savedAt: Date | null;
  canUndo: boolean;
  canRedo: boolean;
};

export type PlanStore = {
  subscribe: (listener: () => void) => () => void;
  snapshot: () => PlanState;
  /** Plans ZIPs for a territory, or for none. Unless a ZIP already has a move, the server finds its current territory. */
  move: (zips: readonly string[], to: Named | null) => void;
  takeBack: (zips: readonly string[]) => void;
  /** Plans moves again, from the territories that have the ZIPs now. */
  rebase: (moves: readonly { zip: string; from: Named | null; to: Named | null }[]) => void;
  /** Returns in words what it undid, or null for nothing. It leaves ZIPs that somebody else changed since. */
  undo: () => string | null;
  redo: () => string | null;
  /** Saves all changes now and resolves once none is left. Rejects with the reason when something cannot be saved. */
  saved: () => Promise<LoadedMap>;
  retry: () => void;
  /** Discards unsaved changes. */
  discard: () => void;
  /** Chooses between two people's moves, for all clashes. */
  settle: (keep: 'mine' | 'theirs') => void;
  /** Applies a server answer about the plan, unless the store has a newer version. */
  receive: (changes: PlanChanges) => void;
  /** Loads other people's changes. */
  catchUp: () => Promise<void>;
  dispose: () => void;
};

type Setup = {
  start: LoadedMap;
  /** Loads what changed since a version. */
  changes: (version: number) => Promise<PlanChanges>;
  save: (moves: MoveInput[], version: number) => Promise<PlanChanges>;
  weigh: () => Promise<Weight & { version: number }>;
  /** Receives the ZIPs that did not become moves because the chosen territory already has them. */
  onStayed?: (zips: readonly string[]) => void;
  /** How long to wait for more changes before saving, in milliseconds. */
  pause?: number;
};

type Step = { label: string; changes: { zip: string; before: Planned | null; after: Planned | null }[] };

const STEPS_KEPT = 100;
const RETRY_MS = 8000;
/** How often a save retries after somebody else saved in between. */
const TRIES = 5;

export function planStore({ start, changes: read, save, weigh, onStayed = () => {}, pause = 700 }: Setup): PlanStore {
  let loaded = start;
  let stored = byZip(start.moves);
  /** Changes to send next. They take precedence over those being sent. */
  let waiting: ReadonlyMap<string, Change> = new Map();
  let sent: ReadonlyMap<string, Change> = new Map();
  let error: HttpError | null = null;
  let clashes: readonly ZipClash[] = [];
  let clashedWith: PlanState['clashedWith'] = { changedBy: null, changedAt: null };
  let marks: ReadonlyMap<string, string> = new Map();
  let savedAt: Date | null = null;
  let steps: Step[] = [];
  let undone: Step[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;
  let weighedVersion = start.map.version;
  let weighing: Promise<void> | null = null;
  let toWeigh = false;
  let weighTimer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  const plannedNow = (zip: string): Planned | null => {
    const change = waiting.get(zip) ?? sent.get(zip);
    return change ? change.planned : plannedBy(stored.get(zip));
  };
  const stateNow = (): PlanState => ({
    loaded,
    weighed: weighedVersion >= loaded.map.version,
    moves: shown(loaded.moves, stored, new Map([...sent, ...waiting])),
    unsaved: new Set([...sent.keys(), ...waiting.keys()]).size,
    saving: running !== null,
    error,
    clashes,
    clashedWith,
    marks,
    savedAt,
    canUndo: steps.length > 0 && loaded.allowed.edit,
    canRedo: undone.length > 0 && loaded.allowed.edit,
  });
  let state = stateNow();
  const draw = () => {
    state = stateNow();
    for (const listener of listeners) listener();
  };

  /** Merges a server answer into the plan and marks other people's changes. */
  const take = (next: PlanChanges, own: ReadonlySet<string>) => {
    if (next.map.version < loaded.map.version) return;
    const changed = new Map<string, Move | null>([
      ...next.takenBack.map((zip): [string, null] => [zip, null]),
      ...next.moves.map((move): [string, Move] => [move.zip, move]),
    ]);
    const others = [...changed].filter(
      ([zip, move]) => !own.has(zip) && !isSamePlan(plannedBy(stored.get(zip)), plannedBy(move ?? undefined)),
    );
    if (others.length > 0)
      marks = new Map([...marks, ...others.map(([zip, move]): [string, string] => [zip, move?.changedBy ?? ''])]);
    const now = new Map(stored);
    for (const [zip, move] of changed) {
      if (move) now.set(zip, move);
      else now.delete(zip);
    }
    stored = now;
    const { takenBack: _takenBack, ...record } = next;
    loaded = {
      ...loaded,
      ...record,
      moves: changed.size === 0 ? loaded.moves : [...now.values()].toSorted((a, b) => (a.zip < b.zip ? -1 : 1)),
      // The next weighing judges changed ZIPs again.
      conflicts: loaded.conflicts.filter(({ zip }) => !changed.has(zip)),
    };
  };

  /** Weighs the saved moves, one request at a time. The screen shows the earlier figures until then. */
  const weighAgain = (): Promise<void> => {
    toWeigh = true;
    clearTimeout(weighTimer);
    weighing ??= weighAll().finally(() => (weighing = null));
    return weighing;
  };
  const weighAll = async () => {
    try {
      while (toWeigh) {
        toWeigh = false;
        const { version, ...weight } = await weigh();
        loaded = { ...loaded, ...weight };
        weighedVersion = version;
        draw();
      }
    } catch (problem) {
      // The figures stay marked as outdated. The next save or look also weighs again.
      if (listeners.size > 0 && problem instanceof HttpError && isPassing(problem))
        weighTimer = setTimeout(() => void weighAgain(), RETRY_MS);
    }
  };

  const later = (wait: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), wait);
  };
  const run = (): Promise<void> => {
    clearTimeout(timer);
    running ??= sendAll().finally(() => {
      running = null;
      draw();
    });
    return running;
  };
  const sendAll = async () => {
    while (waiting.size > 0 && clashes.length === 0) {
      const batch = [...waiting].slice(0, MOST_SAVED);
      sent = new Map(batch);
      waiting = new Map([...waiting].slice(MOST_SAVED));
      error = null;
      draw();
      try {
        const answer = await sendOver([...sent.values()]);
        const own = new Set(sent.keys());
        const goals = [...sent.values()].filter(({ planned }) => planned);
        sent = new Map();
        take(answer, own);
        void weighAgain();
        const stayed = goals.filter(({ zip }) => !stored.has(zip));
        // A change made during the request builds on the move that the request saved.
        waiting = new Map(
          [...waiting].map(([zip, one]) => [zip, own.has(zip) ? { ...one, seen: stored.get(zip) ?? null } : one]),
        );
        savedAt = new Date();
        if (stayed.length > 0) onStayed(stayed.map(({ zip }) => zip));
      } catch (problem) {
        // Newer changes take precedence over those that failed to save.
        waiting = new Map([...sent, ...waiting]);
        sent = new Map();
        error = problem instanceof HttpError ? problem : new HttpError(0, (problem as Error).message);
        if (clashes.length > 0) error = null;
        if (error && isPassing(error)) later(RETRY_MS);
        return;
      }
    }
  };
  /** Saves over the newest version. Other people's moves of other ZIPs stay; a different move of the same ZIP is a clash. */
  const sendOver = async (changes: readonly Change[]): Promise<PlanChanges> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await save(changes.map(inputOf), loaded.map.version);
      } catch (problem) {
        if (!(problem instanceof HttpError) || problem.status !== 409) throw problem;
        const version = loaded.map.version;
        take(await read(version), new Set(changes.map(({ zip }) => zip)));
        const met = changes.filter(({ zip, planned, seen }) => {
          const theirs = plannedBy(stored.get(zip));
          return !isSamePlan(theirs, plannedBy(seen ?? undefined)) && !leadsTo(planned, theirs);
        });
        if (met.length > 0) {
          clashes = met.map(({ zip, planned }) => ({ zip, theirs: stored.get(zip) ?? null, mine: planned }));
          const conflict = conflictOf(problem);
          const [by = null] = met.flatMap(({ zip }) => stored.get(zip)?.changedBy ?? []);
          clashedWith = { changedBy: conflict?.changedBy ?? by, changedAt: conflict?.changedAt ?? null };
          throw problem;
        }
        // No competing change caused this refusal; the plan may have been published meanwhile, for example.
        if (!loaded.allowed.edit || loaded.map.version === version || tries === TRIES) throw problem;
      }
    }
  };

  const lay = (changes: readonly { zip: string; planned: Planned | null }[]) => {
    const next = new Map(waiting);
    for (const { zip, planned } of changes) {
      const before = waiting.get(zip);
      // This change restores the saved move, so there is nothing to send.
      if (!sent.has(zip) && isSamePlan(planned, plannedBy(stored.get(zip)))) next.delete(zip);
      else next.set(zip, { zip, planned, seen: before ? before.seen : (stored.get(zip) ?? null) });
    }
    waiting = next;
    marks = new Map();
    error = null;
    later(pause);
    draw();
  };
  const change = (label: string, wanted: readonly { zip: string; planned: Planned | null }[]) => {
    const changes = wanted
      .map(({ zip, planned }) => ({ zip, before: plannedNow(zip), after: planned }))
      .filter(({ before, after }) => !isSamePlan(before, after));
    if (changes.length === 0) return;
    steps = [...steps, { label, changes }].slice(-STEPS_KEPT);
    undone = [];
    lay(changes.map(({ zip, after }) => ({ zip, planned: after })));
  };
  /** Takes the newest step that still applies from one stack (undo or redo) and returns its reverse for the other. */
  const turn = (from: Step[]): { rest: Step[]; back: Step | null } => {
    const step = from.at(-1);
    if (!step) return { rest: from, back: null };
    const fits = step.changes.filter(({ zip, after }) => leadsTo(after, plannedNow(zip)));
    if (fits.length === 0) return turn(from.slice(0, -1));
    const changes = fits.map(({ zip, before, after }) => ({ zip, before: after, after: before }));
    return { rest: from.slice(0, -1), back: { label: step.label, changes } };
  };
  const goBack = (which: 'undo' | 'redo'): string | null => {
    const { rest, back } = turn(which === 'undo' ? steps : undone);
    if (which === 'undo') steps = rest;
    else undone = rest;
    if (!back) {
      draw();
      return null;
    }
    if (which === 'undo') undone = [...undone, back];
    else steps = [...steps, back];
    lay(back.changes.map(({ zip, after }) => ({ zip, planned: after })));
    return back.label;
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => state,
    move: (zips, to) =>
      change(
        `${countOf(zips.length, 'ZIP')} to ${to?.name ?? 'no territory'}`,
        [...new Set(zips)].map((zip) => ({ zip, planned: { from: plannedNow(zip)?.from, to } })),
      ),
    takeBack: (zips) =>
      change(
        `${countOf(zips.length, 'ZIP')} taken back`,
        [...new Set(zips)].map((zip) => ({ zip, planned: null })),
      ),
    rebase: (moves) =>
      change(
        `${countOf(moves.length, 'ZIP')} kept`,
        moves.map(({ zip, from, to }) => ({ zip, planned: { from, to } })),
      ),
    undo: () => goBack('undo'),
    redo: () => goBack('redo'),
    saved: async () => {
      await run();
      if (waiting.size > 0)
        throw error ?? new HttpError(409, 'Somebody else moved some of these ZIPs. Choose between the moves first.');
      return loaded;
    },
    retry: () => void run(),
    discard: () => {
      clearTimeout(timer);
      waiting = new Map();
      error = null;
      clashes = [];
      draw();
    },
    settle: (keep) => {
      const met = new Map(clashes.map((clash) => [clash.zip, clash]));
      clashes = [];
      waiting = new Map(
        [...waiting].flatMap(([zip, one]): [string, Change][] => {
          if (!met.has(zip)) return [[zip, one]];
          return keep === 'mine' ? [[zip, { ...one, seen: stored.get(zip) ?? null }]] : [];
        }),
      );
      draw();
      void run();
    },
    receive: (next) => {
      take(next, new Set());
      draw();
      void weighAgain();
    },
    catchUp: async () => {
      if (running || waiting.size > 0) return;
      const next = await read(loaded.map.version);
      if (running || waiting.size > 0 || next.map.version < loaded.map.version) return;
      take(next, new Set());
      draw();
      // Weighs even without a change of moves, because somebody may have assigned one of the ZIPs.
      if (!isWorking(next.map)) await weighAgain();
    },
    dispose: () => {
      clearTimeout(timer);
      clearTimeout(weighTimer);
    },
  };
}

const byZip = (moves: readonly Move[]) => new Map(moves.map((move) => [move.zip, move]));

function plannedBy(move: Move | undefined): Planned | null {
  return move ? { from: move.from, to: move.to } : null;
}

function isSamePlan(one: Planned | null, other: Planned | null): boolean {
  if (!one || !other) return one === other;
  return (one.to?.id ?? null) === (other.to?.id ?? null) && idOf(one.from) === idOf(other.from);
}

/** Whether two plans for a ZIP are equal. An unknown `from` matches any. */
function leadsTo(planned: Planned | null, now: Planned | null): boolean {
  if (!planned || !now) return planned === now;
  const isOpen = planned.from === undefined || now.from === undefined;
  return isSamePlan(isOpen ? { from: now.from, to: planned.to } : planned, now);
}

const idOf = (from: Named | null | undefined) => (from === undefined ? undefined : (from?.id ?? null));

function inputOf({ zip, planned }: Change): MoveInput {
  if (!planned) return { zip, gone: true };
  const to = planned.to?.id ?? null;
  return planned.from === undefined ? { zip, to } : { zip, to, from: planned.from?.id ?? null };
}

function shown(
  moves: readonly Move[],
  stored: ReadonlyMap<string, Move>,
  changes: ReadonlyMap<string, Change>,
): readonly ShownMove[] {
  const rows = moves.flatMap((move): ShownMove[] => {
    const change = changes.get(move.zip);
    if (!change) return [{ ...move, unsaved: false }];
    return change.planned ? [{ ...move, ...change.planned, unsaved: true }] : [];
  });
  const added = [...changes.values()].flatMap(({ zip, planned, seen }): ShownMove[] => {
    if (!planned || stored.has(zip)) return [];
    return [{ zip, city: '', state: '', county: '', changedBy: '', ...seen, ...planned, unsaved: true }];
  });
  if (added.length === 0) return rows;
  return [...rows, ...added].toSorted((a, b) => (a.zip < b.zip ? -1 : 1));
}
