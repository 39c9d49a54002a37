// The user's actions on rows of the bench, and their undo. Each action remembers the rows as they were.
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { InputOf, OutputOf } from '#platform/api/endpoint.ts';
import type { ReferenceKind } from '#core/catalog/cross-references/reference-words.ts';
import { type Analysis, Savings, type SavingsRow } from '../savings.contract.ts';

/** How an accepted number is remembered. */
export type Teaching = { remember: 'Facility' | 'Everybody' | null; kind: ReferenceKind };

type Decided = Omit<InputOf<typeof Savings.DecideRows>, 'id' | 'rows' | 'remember' | 'kind'>;
type Set = { included?: boolean; typedPrice?: number | null; priceReason?: string };
type Changed = OutputOf<typeof Savings.DecideRows>;
type Work =
  | { row: SavingsRow; decided: Decided }
  | { row: SavingsRow; set: Set }
  | { row: SavingsRow; split: number }
  | { row: SavingsRow; join: true }
  | 'undo';
/** An action, with the rows that it changed as they were before. The row that the user acted on is the first. */
type Act = {
  did: 'decide' | 'set' | 'split';
  before: SavingsRow[];
  /** The new part of a split row. */
  part?: SavingsRow;
};

const MAX_UNDO_STEPS = 100;

type Props = { analysis: Analysis; teaching: Teaching; onChanged: (changed: Changed, work: Work) => void };

export function useActs({ analysis: { id }, teaching, onChanged }: Props) {
  const [acts, setActs] = useState<readonly Act[]>([]);
  /** The newest version of each row that was changed here. */
  const versions = useRef(new Map<number, number>());
  const read = (row: { id: number; version: number }) => ({
    id: row.id,
    version: Math.max(row.version, versions.current.get(row.id) ?? 0),
  });
  const decide = (rows: { id: number; version: number }[], decided: Decided, remember: Teaching['remember']) =>
    api(Savings).DecideRows({ id, rows: rows.map(read), ...decided, remember, kind: teaching.kind });
  const setRow = (row: SavingsRow, set: Set) => api(Savings).SetRows({ id, rows: [{ ...read(row), ...set }] });

  const join = (row: SavingsRow) => api(Savings).JoinRow({ id, row: read(row) });

  const takeBack = async ({ did, before, part }: Act): Promise<Changed> => {
    const [own] = before;
    if (!own) throw new Error('an act has a row');
    if (part) return join(part);
    if (did === 'set')
      return setRow(own, { included: own.included, typedPrice: own.typedPrice, priceReason: own.priceReason });
    // The group with the user's row comes last, so that its result is used.
    const groups = [...Map.groupBy(before, decisionKey).values()].toReversed();
    let changed: Changed | undefined;
    for (const rows of groups) {
      changed = await decide(rows, asBefore(rows[0] ?? own), null);
      for (const row of changed.rows) versions.current.set(row.id, row.version);
    }
    if (!changed) throw new Error('an act has a row');
    return changed;
  };
  const work = useMutation({
    mutationFn: async (next: Work): Promise<Changed> => {
      if (next === 'undo') {
        const last = acts.at(-1);
        if (!last) throw new Error('There is nothing to undo.');
        const changed = await takeBack(last);
        setActs((all) => all.slice(0, -1));
        return changed;
      }
      const { row } = next;
      if ('split' in next) {
        const changed = await api(Savings).SplitRow({ id, row: read(row), qtyPerYear: next.split });
        const [, part] = changed.rows;
        if (!part) throw new Error('a split row has a new part');
        setActs((all) => [...all, { did: 'split' as const, before: [row], part }].slice(-MAX_UNDO_STEPS));
        return changed;
      }
      if ('join' in next) {
        const changed = await join(row);
        // Actions on the part cannot be undone once the part is gone.
        setActs((all) =>
          all.filter(({ before, part }) => part?.id !== row.id && before.every((candidate) => candidate.id !== row.id)),
        );
        return changed;
      }
      if ('set' in next) {
        const changed = await setRow(row, next.set);
        setActs((all) => [...all, { did: 'set' as const, before: [row] }].slice(-MAX_UNDO_STEPS));
        return changed;
      }
      const others = next.decided.sameNumber ? await withNumberOf(id, row) : [];
      const changed = await decide([row], next.decided, teaching.remember);
      const ids = new Set(changed.rows.map((entry) => entry.id));
      const before = [row, ...others.filter((other) => ids.has(other.id))];
      setActs((all) => [...all, { did: 'decide' as const, before }].slice(-MAX_UNDO_STEPS));
      return changed;
    },
    onSuccess: (changed, next) => {
      for (const row of changed.rows) versions.current.set(row.id, row.version);
      onChanged(changed, next);
    },
  });
  return {
    /** Does nothing while an earlier action is running. */
    run: (next: Work) => {
      if (!work.isPending) work.mutate(next);
    },
    last: acts.at(-1)?.before[0],
    isPending: work.isPending,
    error: work.error,
    reset: work.reset,
  };
}

const numberOf = ({ makerNo, catalogNo, itemNo, gtin }: SavingsRow): string => makerNo || catalogNo || itemNo || gtin;

/** The other rows that a decision for all rows with this number may change, in their current state. */
async function withNumberOf(id: number, row: SavingsRow): Promise<SavingsRow[]> {
  const rows: SavingsRow[] = [];
  for (let page = 1; ; page++) {
    const result = await api(Savings).SearchAnalysisRows({ id, keyword: numberOf(row), page, pageSize: 200 });
    rows.push(...result.records.filter((record) => record.id !== row.id));
    if (page >= result.pageCount) return rows;
  }
}

const decisionKey = ({ decision, noBidReason, match }: SavingsRow): string =>
  decision === 'open' ? decision : `${decision} ${noBidReason} ${match.itemId} ${match.unit}`;

/** The decision that restores a row. */
function asBefore({ decision, noBidReason: reason, match }: SavingsRow): Decided {
  if (decision === 'open') return { decision };
  if (decision === 'no-bid') return { decision, reason };
  return { decision: 'accept', itemId: match.itemId, unit: match.unit };
}
