// The state of a plan's screen without the screen: the server's plan, own unsaved moves, saving, undo and redo, what others changed.
import { HttpError, isPassing } from '#api/http-error.ts';
import { conflictOf } from '#shared/conflict.ts';
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

/** Where a ZIP goes and who had it; `from` is undefined until the server has said who has it. */
export type Planned = { from: Named | null | undefined; to: Named | null };

/** A move as it stands on the screen. */
export type ShownMove = Omit<Move, 'from'> & Planned & { unsaved: boolean };

/** A change of one ZIP that is not on the server yet; `planned` null: the move is taken back. `seen`: what the person saw before. */
type Change = { zip: string; planned: Planned | null; seen: Move | null };

/** Two people planned one ZIP differently. Null: no move. */
export type ZipClash = { zip: string; theirs: Move | null; mine: Planned | null };

export type PlanState = {
  /** As the server has it; conflicts and effects are those of the last weighing. */
  loaded: LoadedMap;
  /** Whether conflicts and effects are those of what is saved. */
  weighed: boolean;
  /** In order of ZIP, with what is not saved yet. */
  moves: readonly ShownMove[];
  /** How many changes are not on the server yet. */
  unsaved: number;
  saving: boolean;
  /** Why the last save failed; the changes are kept. */
  error: HttpError | null;
  /** ZIPs that somebody else planned differently at the same time. Nothing is saved until the person has chosen. */
  clashes: readonly ZipClash[];
  clashedWith: { changedBy: string | null; changedAt: string | null };
  /** ZIPs that somebody else moved or took back, and who, until the next change made here. */
  marks: ReadonlyMap<string, string>;
  savedAt: Date | null;
  canUndo: boolean;
  canRedo: boolean;
};

export type PlanStore = {
  subscribe: (listener: () => void) => () => void;
  snapshot: () => PlanState;
  /** Plans ZIPs for a territory, or for none. What each had before is found by the server, unless it is a move already. */
  move: (zips: readonly string[], to: Named | null) => void;
  takeBack: (zips: readonly string[]) => void;
  /** Plans moves against who has the ZIPs now. */
  rebase: (moves: readonly { zip: string; from: Named | null; to: Named | null }[]) => void;
  /** Answers what was undone, in words; null: nothing. ZIPs that somebody else changed since stay. */
  undo: () => string | null;
  redo: () => string | null;
  /** Sends what waits, now, and answers when nothing waits any more. Rejects with why something is not saved. */
  saved: () => Promise<LoadedMap>;
  retry: () => void;
  /** Gives up what is not saved. */
  discard: () => void;
  /** Chooses between two people's moves, for all clashes. */
  settle: (keep: 'mine' | 'theirs') => void;
  /** Takes over an answer about the plan, unless a newer one is held. */
  receive: (changes: PlanChanges) => void;
  /** Reads what others changed. */
  catchUp: () => Promise<void>;
  dispose: () => void;
};

type Setup = {
  start: LoadedMap;
  /** What changed since a version. */
  changes: (version: number) => Promise<PlanChanges>;
  save: (moves: MoveInput[], version: number) => Promise<PlanChanges>;
  weigh: () => Promise<Weight & { version: number }>;
  /** ZIPs that were to move and did not become moves, because they are where they were to go. */
  onStayed?: (zips: readonly string[]) => void;
  /** How long to wait for more changes before saving, in milliseconds. */
  pause?: number;
};

type Step = { label: string; changes: { zip: string; before: Planned | null; after: Planned | null }[] };

const STEPS_KEPT = 100;
const RETRY_MS = 8000;
/** How often one save is tried again after somebody else saved in between. */
const TRIES = 5;

export function planStore({ start, changes: read, save, weigh, onStayed = () => {}, pause = 700 }: Setup): PlanStore {
  let loaded = start;
  let stored = byZip(start.moves);
  /** Changes that wait, over those on their way. */
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

  /** Lays an answer over what is held, and marks what others changed. */
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
      // What was decided is weighed again.
      conflicts: loaded.conflicts.filter(({ zip }) => !changed.has(zip)),
    };
  };

  /** Weighs what is saved, one time after the other; until then the figures before stand. */
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
      // The figures are marked as old, and the next save or look weighs them again, too.
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
        // What was changed while this was on its way was changed over it.
        waiting = new Map(
          [...waiting].map(([zip, one]) => [zip, own.has(zip) ? { ...one, seen: stored.get(zip) ?? null } : one]),
        );
        savedAt = new Date();
        if (stayed.length > 0) onStayed(stayed.map(({ zip }) => zip));
      } catch (problem) {
        // What was changed since stands over what could not be saved.
        waiting = new Map([...sent, ...waiting]);
        sent = new Map();
        error = problem instanceof HttpError ? problem : new HttpError(0, (problem as Error).message);
        if (clashes.length > 0) error = null;
        if (error && isPassing(error)) later(RETRY_MS);
        return;
      }
    }
  };
  /** Saves over the newest version: moves of other ZIPs by others stand, the same ZIP planned differently is a clash. */
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
        // A refusal that is no competing change, such as a plan that was published meanwhile.
        if (!loaded.allowed.edit || loaded.map.version === version || tries === TRIES) throw problem;
      }
    }
  };

  const lay = (changes: readonly { zip: string; planned: Planned | null }[]) => {
    const next = new Map(waiting);
    for (const { zip, planned } of changes) {
      const before = waiting.get(zip);
      // Back to what is saved: nothing to send.
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
  /** Takes the newest step of one side and puts its reverse on the other. */
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
        `${countOf(zips)} to ${to?.name ?? 'no territory'}`,
        [...new Set(zips)].map((zip) => ({ zip, planned: { from: plannedNow(zip)?.from, to } })),
      ),
    takeBack: (zips) =>
      change(
        `${countOf(zips)} taken back`,
        [...new Set(zips)].map((zip) => ({ zip, planned: null })),
      ),
    rebase: (moves) =>
      change(
        `${countOf(moves)} kept`,
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
      // Also when nothing moved: somebody may have assigned one of the ZIPs.
      if (!isWorking(next.map)) await weighAgain();
    },
    dispose: () => {
      clearTimeout(timer);
      clearTimeout(weighTimer);
    },
  };
}

function countOf(list: readonly unknown[]): string {
  return `${list.length.toLocaleString('en-US')} ${list.length === 1 ? 'ZIP' : 'ZIPs'}`;
}

const byZip = (moves: readonly Move[]) => new Map(moves.map((move) => [move.zip, move]));

function plannedBy(move: Move | undefined): Planned | null {
  return move ? { from: move.from, to: move.to } : null;
}

function isSamePlan(one: Planned | null, other: Planned | null): boolean {
  if (!one || !other) return one === other;
  return (one.to?.id ?? null) === (other.to?.id ?? null) && idOf(one.from) === idOf(other.from);
}

/** The same plan, where it may not be known yet who has the ZIP. */
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
