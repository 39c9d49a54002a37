// Shows the meaning of each pasted column and the rows that need correction, with the button that adds the others.
import { Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { newKey } from '#platform/shared/new-key.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { PastePrices, PriceComparison } from './PastePrices.tsx';
import { PasteRows } from './PasteRows.tsx';
import type { PastedTable } from './parse-paste.ts';
import { PastedColumns, PastedNotes } from './PastedColumns.tsx';
import { usePastePrices } from './paste-prices.web.ts';
import { FindForRow } from './FindForRow.tsx';
import { type QuoteToFill, rememberDecided, useRemembers } from './paste-references.web.ts';
import type { KeyedRow, Row } from './paste-rows.ts';
import { usePasteRows } from './use-paste-rows.web.ts';

type Props = {
  table: PastedTable;
  narrow: boolean;
  quote?: QuoteToFill;
  facilityId?: number | null;
  /** Whether the user is searching for an item. The search replaces the rows. */
  finding: boolean;
  onFinding: (finding: boolean) => void;
  onAdd: (rows: KeyedRow[]) => Promise<unknown>;
  /** Closes without confirmation after the rows are added. */
  onClose: () => void;
  /** Asks for confirmation before it closes. */
  onLeave: () => void;
};

export function PastePreview({
  table,
  narrow,
  quote,
  facilityId = quote?.facilityId ?? null,
  finding,
  onFinding,
  onAdd,
  onClose,
  onLeave,
}: Props) {
  const [batch] = useState(newKey);
  const { roles, lines, found, rows, say, ...pasted } = usePasteRows(table, quote, facilityId);
  /** The rows that had problems when the user filtered by problem, so that a corrected row stays visible. */
  const [onlyThese, setOnlyThese] = useState<readonly number[] | null>(null);
  /** The rows that are already lines. The others stay until they are also added or dismissed. */
  const [added, setAdded] = useState<ReadonlySet<number>>(new Set());
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const remembers = useRemembers(quote);
  const [sought, setSought] = useState(0);
  const notAdded = useMemo(
    () => rows?.map((row, index) => (added.has(index) ? { ...row, ready: null } : row)) ?? null,
    [rows, added],
  );
  const prices = usePastePrices(notAdded, table.titles[roles.indexOf('price')] ?? '', quote);
  const ready =
    rows?.flatMap((row, index) =>
      row.ready && !added.has(index) ? [{ ...row.ready, index, clientKey: `${batch}-${index}` }] : [],
    ) ?? [];
  const open = rows?.flatMap((_, index) => (added.has(index) ? [] : [index])) ?? [];

  const add = useOnce(async () => {
    const typed = ready.length === 0 ? null : prices.taken();
    if (!typed) return;
    setSaving(true);
    setError(null);
    try {
      await onAdd(ready.map(({ index, ...row }) => ({ ...row, ...typed.get(index) })));
      const now = new Set(ready.map(({ index }) => index));
      if (quote && rows)
        await rememberDecided(
          quote,
          rows.filter((_, index) => now.has(index)),
        );
      // A row that the user left out is also settled.
      const isDone = rows?.every((row, index) => now.has(index) || added.has(index) || row.isLeft) ?? true;
      if (isDone) return onClose();
      setAdded(new Set([...added, ...now]));
      setOnlyThese(null);
      setSaving(false);
    } catch (problem) {
      setError(problem as Error);
      setSaving(false);
    }
  });
  /** Enter adds the rows unless the focused element uses it. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.defaultPrevented) return;
    if ((event.target as HTMLElement).closest('button, select, a')) return;
    event.preventDefault();
    add();
  };

  const line = lines[sought];
  if (finding && line) {
    return (
      <FindForRow
        line={line}
        facilityId={facilityId}
        onPick={(picked) => {
          say(sought, { picked, itemId: picked.itemId });
          onFinding(false);
        }}
        onClose={() => onFinding(false)}
      />
    );
  }
  const without = open.filter((index) => {
    const row = rows?.[index];
    return row?.item && !row.item.gone && row.qty === '';
  });
  const toFix = open.filter((index) => (rows?.[index]?.problems.length ?? 0) > 0);
  const left = open.length - ready.length;
  return (
    // Handles keys of the elements inside. The element itself is not interactive.
    <div role="presentation" onKeyDown={onKeyDown}>
      <Stack gap="sm">
        <PastedColumns
          table={table}
          roles={roles}
          hasPrices={quote !== undefined}
          onAssign={(column, role) => {
            pasted.assign(column, role);
            setOnlyThese(null);
          }}
        />
        <PastedNotes table={table} roles={roles} hasPrices={quote !== undefined} />
        {found.error ? (
          <ErrorAlert error={found.error} title="The rows could not be looked up" onRetry={found.refetch} />
        ) : null}
        <Group justify="space-between" gap="xs" mih={30}>
          <Text size="sm" role="status">
            {rows ? countsInWords(rows, added) : found.error ? '' : `Looking up ${countOf(lines.length, 'row')}`}
          </Text>
          <Group gap="sm">
            {without.length > 0 ? (
              <Button size="compact-sm" variant="default" onClick={() => pasted.sayAll(without, { qty: '1' })}>
                Quantity 1 for {without.length === 1 ? 'the row' : `${without.length} rows`} without one
              </Button>
            ) : null}
            {toFix.length > 0 || onlyThese ? (
              <Checkbox
                size="xs"
                label="Only rows to fix"
                checked={onlyThese !== null}
                onChange={(event) => setOnlyThese(event.currentTarget.checked ? toFix : null)}
              />
            ) : null}
          </Group>
        </Group>
        {prices.isOffered ? <PastePrices {...prices.props} /> : null}
        {prices.error ? (
          <ErrorAlert error={prices.error} title="Our prices could not be read" onRetry={prices.refetch} />
        ) : null}
        {prices.isComparing ? (
          <PriceComparison {...prices.props} />
        ) : rows ? (
          <PasteRows
            rows={rows}
            titles={table.titles}
            shown={onlyThese ?? (added.size > 0 ? open : null)}
            narrow={narrow}
            onSay={say}
            onFind={(index) => {
              setSought(index);
              onFinding(true);
            }}
            remembers={remembers}
          />
        ) : found.error ? null : (
          <Skeleton height={240} />
        )}
        <ErrorAlert error={error} title="The lines were not added" />
        <Group justify="space-between">
          <Text size="sm" className={left > 0 ? 'warning' : 'muted'}>
            {rows && left > 0 ? `${left} of ${countOf(open.length, 'row')} ${left === 1 ? 'is' : 'are'} left out.` : ''}
          </Text>
          <Group>
            {added.size > 0 ? (
              <Button variant="default" onClick={onClose}>
                Dismiss {countOf(open.length, 'row')}
              </Button>
            ) : (
              <Button variant="default" onClick={onLeave}>
                Cancel
              </Button>
            )}
            <Button loading={saving} disabled={ready.length === 0} onClick={() => add()}>
              Add {countOf(ready.length, 'line')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </div>
  );
}

function countsInWords(all: readonly Row[], added: ReadonlySet<number>): string {
  const rows = all.filter((_, index) => !added.has(index));
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const toFix = rows.filter((row) => row.state === 'found' && row.problems.length > 0).length;
  const counts = `${count('found')} found, ${count('ambiguous')} ambiguous, ${count('notFound')} not found`;
  const summary = `${countOf(rows.length, 'row')}: ${counts}${toFix > 0 ? `; of those found, ${toFix} to fix` : ''}`;
  return added.size === 0
    ? summary
    : `${countOf(added.size, 'line is', 'lines are')} added. These are not: ${summary}. Correct and add them, or dismiss them.`;
}
