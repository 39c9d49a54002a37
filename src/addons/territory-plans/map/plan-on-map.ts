// Computes what the map of a plan draws: the territories of its ZIPs today and as planned.
import type { Named } from '#platform/shared/wire.ts';
import type { ShownMove } from '../page/planned.ts';
import type { PlanEffect, PlanState } from '../territory-plans.contract.ts';

export type Look = 'today' | 'planned';
export type Over = ReadonlyMap<string, number | null>;

const idOf = (territory: Named | null) => territory?.id ?? null;

/**
 * The territories that the map draws instead of the day's assignments. 'Today' shows the current assignment of a draft's ZIP, even if another user
 * changed it after the ZIP was planned. The assignments already include a published plan, so its 'today' comes from the `from` of its moves.
 */
export function movesOver(
  look: Look,
  state: PlanState,
  moves: readonly ShownMove[],
  assigned: ReadonlyMap<string, number>,
): Over {
  const over = new Map<string, number | null>();
  for (const { zip, from, to } of moves) {
    if (look !== 'today') over.set(zip, idOf(to));
    else over.set(zip, state === 'Draft' || from === undefined ? (assigned.get(zip) ?? null) : idOf(from));
  }
  return over;
}

export function isSameOver(over: Over, other: Over): boolean {
  if (over.size !== other.size) return false;
  for (const [zip, to] of over) if (other.get(zip) !== to) return false;
  return true;
}

/** Sets the open value of territories to that before or after the moves. */
export function asWeighed<T extends { id: number; openValue: PlanEffect['before']['openValue'] }>(
  territories: readonly T[],
  effects: readonly PlanEffect[],
  look: Look,
): readonly T[] {
  const side = look === 'today' ? 'before' : 'after';
  const values = new Map(effects.map((effect) => [effect.territory?.id, effect[side].openValue]));
  return territories.map((territory) => ({ ...territory, openValue: values.get(territory.id) ?? territory.openValue }));
}
