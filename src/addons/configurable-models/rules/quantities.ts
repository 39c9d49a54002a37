// Computes the quantity of each chosen option in exact decimals: fixed, entered by the user, or taken from another choice.
import { fromUnits, toUnits } from '#platform/shared/money.ts';
import { type Group, type ModelRules, type Option, optionsOf, formatQuantity, quantitySources } from './model.ts';

const SCALE = 10_000n;
/** The largest quantity on a line of a quote. */
export const MAX_QTY = 9_999_999;

export type ChosenQty = { qty: number; problem: '' } | { qty: null; problem: string };

/**
 * The quantity of each chosen option for one set, by option id. A problem in words replaces a quantity that has no source, depends on itself, has
 * more than four decimals, or is too large for a line.
 */
export function quantitiesOf(
  model: ModelRules,
  chosen: ReadonlyMap<number, number | null | undefined>,
): Map<number, ChosenQty> {
  const known = optionsOf(model);
  const quantities = new Map<number, ChosenQty>();
  const open = new Set<number>();

  const find = (option: Option): ChosenQty => {
    const before = quantities.get(option.id);
    if (before) return before;
    if (open.has(option.id)) return noQty(`${option.label} cannot take its quantity from itself.`);
    open.add(option.id);
    const result = work(option);
    open.delete(option.id);
    quantities.set(option.id, result);
    return result;
  };
  const work = (option: Option): ChosenQty => {
    if (option.quantity === 'fixed') return { qty: option.qty, problem: '' };
    if (option.quantity === 'asked') return requestedQty(option, chosen.get(option.id));
    const sources = quantitySources(model, option.fromId ?? 0).filter(({ id }) => chosen.has(id));
    if (sources.length === 0) return noQty(`The quantity of ${option.label} depends on an option that is not chosen.`);
    let sum = 0n;
    for (const source of sources) {
      const { qty, problem } = find(source);
      if (qty === null) return noQty(problem);
      sum += toUnits(qty);
    }
    return multiplied(option, sum);
  };
  for (const id of chosen.keys()) {
    const option = known.get(id)?.option;
    if (option) find(option);
  }
  return quantities;
}

function requestedQty(option: Option, input: number | null | undefined): ChosenQty {
  const qty = input ?? option.qty;
  const { label, minQty, maxQty } = option;
  if (maxQty !== null && !(qty >= minQty && qty <= maxQty)) {
    return noQty(`${label}: enter a quantity from ${formatQuantity(minQty)} to ${formatQuantity(maxQty)}.`);
  }
  if (!(qty >= minQty)) return noQty(`${label}: enter a quantity of at least ${formatQuantity(minQty)}.`);
  return qty > MAX_QTY ? tooMany(label) : { qty, problem: '' };
}

function multiplied({ label, factor, roundUp }: Option, sum: bigint): ChosenQty {
  const exact = sum * toUnits(factor);
  const square = SCALE * SCALE;
  const units = roundUp ? ((exact + square - 1n) / square) * SCALE : exact / SCALE;
  if (!roundUp && exact % SCALE !== 0n) return noQty(`The quantity of ${label} has more than four decimals.`);
  if (units > toUnits(MAX_QTY)) return tooMany(label);
  return { qty: fromUnits(units), problem: '' };
}

/** Multiplies the quantity for one set by the number of sets. */
export function times(label: string, qty: number, sets: number): ChosenQty {
  const units = toUnits(qty) * BigInt(sets);
  return units > toUnits(MAX_QTY) ? tooMany(label) : { qty: fromUnits(units), problem: '' };
}

const noQty = (problem: string): ChosenQty => ({ qty: null, problem });
const tooMany = (label: string) => noQty(`The quantity of ${label} is more than ${formatQuantity(MAX_QTY)}.`);

/**
 * The circles among quantities that come from other choices. Each lists its names in order and ends with the first name. A model with a circle cannot
 * be stored, because nothing determines such a quantity.
 */
export function circlesOf(model: ModelRules): { optionId: number; names: string[] }[] {
  const known = optionsOf(model);
  const groups = new Map<number, Group>(model.groups.map((group) => [group.id, group]));
  const state = new Map<number, 'open' | 'done'>();
  const circles: { optionId: number; names: string[] }[] = [];
  const nameOf = (id: number) => known.get(id)?.option.label ?? groups.get(id)?.name ?? '';
  const nextOf = (id: number): number[] => {
    const group = groups.get(id);
    if (group) return group.options.map((option) => option.id);
    const option = known.get(id)?.option;
    return option?.quantity === 'from' && option.fromId !== null ? [option.fromId] : [];
  };
  const visit = (id: number, path: number[]) => {
    if (state.get(id) === 'done') return;
    if (state.get(id) === 'open') {
      const circle = [...path.slice(path.indexOf(id)), id];
      const first = circle.find((candidate) => known.has(candidate));
      if (first !== undefined) circles.push({ optionId: first, names: circle.map(nameOf) });
      return;
    }
    state.set(id, 'open');
    for (const next of nextOf(id)) visit(next, [...path, id]);
    state.set(id, 'done');
  };
  for (const id of known.keys()) visit(id, []);
  return circles;
}
