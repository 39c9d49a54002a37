// Manages the rows of a pasted table: the meaning of its columns, the items found, and the user's corrections.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { readQuantity } from '#platform/shared/quantity.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';
import { type ColumnRole, linesOf, type PastedTable } from './parse-paste.ts';
import { type QuoteToFill, useProposed } from './paste-references.web.ts';
import { pasteRow, type RowAnswer } from './paste-rows.ts';

/** The maximum length of a cell that a call accepts. No item number or unit is longer. */
const LONGEST = 200;

/** `rows` is null until the items are found. */
export function usePasteRows(table: PastedTable, quote: QuoteToFill | undefined, facilityId: number | null) {
  // A template has no prices.
  const [roles, setRoles] = useState(() =>
    quote ? table.roles : table.roles.map((role) => (role === 'price' ? 'unused' : role)),
  );
  const [answers, setAnswers] = useState<Record<number, RowAnswer>>({});
  const lines = useMemo(() => linesOf(table, roles), [table, roles]);
  const request = useMemo(
    () =>
      lines.map(({ itemNumber, qty, unit }) => ({
        itemNumber: itemNumber.slice(0, LONGEST),
        qty: readQuantity(qty).qty,
        unit: unit.slice(0, LONGEST),
      })),
    [lines],
  );
  const resolved = useQuery({
    ...api(QuoteEdit).ResolvePastedItems.query({
      quoteId: quote?.id ?? null,
      facilityId: quote ? null : facilityId,
      rows: request,
    }),
    staleTime: Infinity,
  });
  const proposed = useProposed(lines, resolved.data);
  const rows = useMemo(
    () =>
      resolved.data?.length === lines.length
        ? resolved.data.flatMap((row, index) => {
            const line = lines[index];
            return line ? [pasteRow(line, row, answers[index], proposed.get(index))] : [];
          })
        : null,
    [resolved.data, lines, answers, proposed],
  );
  /** Corrects rows. */
  const correctRows = (indexes: readonly number[], patch: RowAnswer) =>
    setAnswers((all) => ({
      ...all,
      ...Object.fromEntries(indexes.map((index) => [index, { ...all[index], ...patch }])),
    }));
  return {
    roles,
    lines,
    found: resolved,
    rows,
    sayAll: correctRows,
    say: (index: number, patch: RowAnswer) => correctRows([index], patch),
    /** Assigns a role to a column, and removes that role from any other column. */
    assign: (column: number, role: ColumnRole) =>
      setRoles((all) =>
        all.map((entry, at) => (at === column ? role : entry === role && role !== 'unused' ? 'unused' : entry)),
      ),
  };
}
