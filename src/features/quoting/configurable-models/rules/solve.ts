// Searches for choices that meet all rules of a model. The search sets one option after another and derives every consequence.
import { allRules, type ModelRules } from './model.ts';

/** yes: with choices that meet every rule. no: such choices do not exist. unknown: the search gave up. */
export type Answer = { is: 'yes'; chosen: Set<number> } | { is: 'no' } | { is: 'unknown' };

/** The budget that the searches of one question share, counted in options set. */
export type Effort = { left: number };

type Limit = { ids: number[]; min: number; max: number };
/** At least one of these holds: an option chosen (positive) or not chosen (negative, see `not`). */
type Clause = number[];

/** The rules of a model, ready for many searches. `leaveOut` is the position of a rule to ignore. */
export function rulesToSolve(model: ModelRules, leaveOut?: number): Solver {
  const ids = model.groups.flatMap(({ options }) => options.map(({ id }) => id));
  const place = new Map(ids.map((id, index) => [id, index]));
  const limits = model.groups.map(({ options, min, max }) => ({
    ids: options.map(({ id }) => place.get(id) ?? 0),
    min,
    max: max ?? options.length,
  }));
  const clauses: Clause[] = [];
  for (const { kind, optionId, otherIds, index } of allRules(model)) {
    const own = place.get(optionId);
    if (own === undefined || (index !== null && index === leaveOut)) continue;
    const others = otherIds.flatMap((id) => place.get(id) ?? []).filter((other) => other !== own);
    if (kind === 'needs') clauses.push([not(own), ...others]);
    else for (const other of others) clauses.push([not(own), not(other)]);
  }
  // An option that no quote can take is never chosen.
  for (const { options } of model.groups) {
    for (const { id, problem } of options) if (problem) clauses.push([not(place.get(id) ?? 0)]);
  }
  return new Solver(ids, limits, clauses);
}

const not = (place: number) => -place - 1;

export class Solver {
  private readonly place: Map<number, number>;
  private readonly clausesOf: Clause[][];
  private readonly limitsOf: Limit[][];
  private readonly value: Int8Array;
  private readonly trail: number[] = [];
  private readonly ids: readonly number[];
  private readonly limits: readonly Limit[];
  private readonly clauses: readonly Clause[];

  constructor(ids: readonly number[], limits: readonly Limit[], clauses: readonly Clause[]) {
    this.ids = ids;
    this.limits = limits;
    this.clauses = clauses;
    this.place = new Map(ids.map((id, index) => [id, index]));
    this.value = new Int8Array(ids.length);
    this.clausesOf = ids.map(() => []);
    this.limitsOf = ids.map(() => []);
    for (const clause of clauses) for (const one of clause) this.clausesOf[one < 0 ? not(one) : one]?.push(clause);
    for (const limit of limits) for (const id of limit.ids) this.limitsOf[id]?.push(limit);
  }

  /** Finds choices that meet all rules and include these options. */
  find(wanted: readonly number[], effort: Effort): Answer {
    this.undo(0);
    const places = wanted.map((id) => this.place.get(id));
    if (places.includes(undefined)) return { is: 'no' };
    const starts =
      this.limits.every((limit) => this.holds(limit)) &&
      this.clauses.every((clause) => this.satisfies(clause)) &&
      places.every((place) => this.set(place ?? 0, 1)) &&
      this.draw(0, effort);
    return starts ? this.search(effort) : this.ended(effort);
  }

  private ended(effort: Effort): Answer {
    return effort.left <= 0 ? { is: 'unknown' } : { is: 'no' };
  }

  /** Tries each open option, first as not chosen, then as chosen. Keeps its own stack, because a model may be of any length. */
  private search(effort: Effort): Answer {
    const stack: { at: number; place: number; tried: 1 | -1 }[] = [];
    let from = 0;
    for (;;) {
      const place = this.firstOpen(from);
      if (place === -1) {
        return { is: 'yes', chosen: new Set(this.ids.filter((_, index) => this.value[index] === 1)) };
      }
      const at = this.trail.length;
      stack.push({ at, place, tried: -1 });
      from = place;
      let goes = this.set(place, -1) && this.draw(at, effort);
      while (!goes) {
        if (effort.left <= 0) return { is: 'unknown' };
        const last = stack.pop();
        if (!last) return { is: 'no' };
        this.undo(last.at);
        if (last.tried === 1) continue;
        stack.push({ ...last, tried: 1 });
        from = last.place;
        goes = this.set(last.place, 1) && this.draw(last.at, effort);
      }
    }
  }

  private firstOpen(from: number): number {
    for (let place = from; place < this.value.length; place++) if (this.value[place] === 0) return place;
    return -1;
  }

  private set(place: number, value: 1 | -1): boolean {
    if (this.value[place] !== 0) return this.value[place] === value;
    this.value[place] = value;
    this.trail.push(place);
    return true;
  }

  private undo(to: number): void {
    for (const place of this.trail.splice(to)) this.value[place] = 0;
  }

  /** Derives every consequence of the options set since a point. False when they break a rule, or when the effort is used up. */
  private draw(from: number, effort: Effort): boolean {
    for (let at = from; at < this.trail.length; at++) {
      if (--effort.left <= 0) return false;
      const place = this.trail[at] ?? 0;
      if (!(this.clausesOf[place] ?? []).every((clause) => this.satisfies(clause))) return false;
      if (!(this.limitsOf[place] ?? []).every((limit) => this.holds(limit))) return false;
    }
    return true;
  }

  private satisfies(clause: Clause): boolean {
    let open: number | undefined;
    for (const one of clause) {
      const value = one < 0 ? -(this.value[not(one)] ?? 0) : (this.value[one] ?? 0);
      if (value === 1) return true;
      if (value !== 0) continue;
      if (open !== undefined && open !== one) return true;
      open = one;
    }
    if (open === undefined) return false;
    return open < 0 ? this.set(not(open), -1) : this.set(open, 1);
  }

  private holds({ ids, min, max }: Limit): boolean {
    let taken = 0;
    let open = 0;
    for (const id of ids) {
      if (this.value[id] === 1) taken++;
      else if (this.value[id] === 0) open++;
    }
    if (taken > max || taken + open < min) return false;
    if (open === 0) return true;
    const rest = taken === max ? -1 : taken + open === min ? 1 : 0;
    return rest === 0 || ids.every((id) => this.value[id] !== 0 || this.set(id, rest));
  }
}
