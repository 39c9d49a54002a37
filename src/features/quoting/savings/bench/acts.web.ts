// What a person does with rows of the bench, and how it is taken back: each act remembers the rows as they were.
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import type { InputOf, OutputOf } from '#api/endpoint.ts';
import type { ReferenceKind } from '#features/catalogue/cross-references/reference-words.ts';
import { type Analysis, Savings, type SavingsRow } from '../savings.contract.ts';

/** How an accepted number is remembered. */
export type Teaching = { remember: 'Facility' | 'Everybody' | null; kind: ReferenceKind };

type Decided = Omit<InputOf<typeof Savings.DecideRows>, 'id' | 'rows' | 'remember' | 'kind'>;
type Set = { included?: boolean; typedPrice?: number | null; priceReason?: string };
type Changed = OutputOf<typeof Savings.DecideRows>;
type Work = { row: SavingsRow; decided: Decided } | { row: SavingsRow; set: Set } | 'undo';
/** What was done, with the rows before it. The other rows with the same number were open: they alone are decided along. */
type Act = { isDecision: boolean; before: SavingsRow; others: number[] };

const MOST_ACTS = 100;

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

  const takeBack = async ({ isDecision, before, others }: Act): Promise<Changed> => {
    if (!isDecision)
      return setRow(before, {
        included: before.included,
        typedPrice: before.typedPrice,
        priceReason: before.priceReason,
      });
    const known = others.map((other) => ({ id: other, version: 0 }));
    if (before.decision === 'open') return decide([before, ...known], { decision: 'open' }, null);
    if (known.length > 0) await decide(known, { decision: 'open' }, null);
    const { match, noBidReason: reason } = before;
    if (before.decision === 'no-bid') return decide([before], { decision: 'no-bid', reason }, null);
    return decide([before], { decision: 'accept', itemId: match.itemId, unit: match.unit }, null);
  };
  const work = useMutation({
    mutationFn: (next: Work) => {
      if (next === 'undo') {
        const last = acts.at(-1);
        if (!last) throw new Error('There is nothing to undo.');
        return takeBack(last);
      }
      return 'set' in next ? setRow(next.row, next.set) : decide([next.row], next.decided, teaching.remember);
    },
    onSuccess: (changed, next) => {
      for (const row of changed.rows) versions.current.set(row.id, row.version);
      if (next === 'undo') setActs((all) => all.slice(0, -1));
      else {
        const others = changed.rows.flatMap((row) => (row.id === next.row.id ? [] : [row.id]));
        const act = { isDecision: 'decided' in next, before: next.row, others };
        setActs((all) => [...all, act].slice(-MOST_ACTS));
      }
      onChanged(changed, next);
    },
  });
  return {
    /** Does nothing while an earlier act is on its way. */
    run: (next: Work) => {
      if (!work.isPending) work.mutate(next);
    },
    last: acts.at(-1)?.before,
    isPending: work.isPending,
    error: work.error,
    reset: work.reset,
  };
}
