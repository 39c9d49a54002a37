// Shows what each pasted column means and which rows need correction, with the button that adds the rest.
import { Alert, Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import { countOf } from '#shared/count-of.ts';
import { newKey } from '#shared/new-key.ts';
import { readQuantity } from '#shared/quantity.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { useOnce } from '#ui/once.web.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';
import { PastePrices, PriceComparison } from './PastePrices.tsx';
import { PasteRows } from './PasteRows.tsx';
import { COLUMN_ROLES, type ColumnRole, isMoney, linesOf, MOST_ROWS, type PastedTable } from './paste.ts';
import classes from './paste.module.css';
import { usePastePrices } from './paste-prices.web.ts';
import { FindForRow } from './FindForRow.tsx';
import { type QuoteToFill, rememberDecided, useProposed, useRemembers } from './paste-references.web.ts';
import { type KeyedRow, rowOf, type Said } from './paste-rows.ts';

type Props = {
  table: PastedTable;
  narrow: boolean;
  quote?: QuoteToFill;
  facilityId?: number | null;
  /** Whether the user searches for an item, in place of the rows. */
  finding: boolean;
  onFinding: (finding: boolean) => void;
  onAdd: (rows: KeyedRow[]) => Promise<unknown>;
  /** Closes without asking, once the rows are added. */
  onClose: () => void;
  /** Asks before it closes. */
  onLeave: () => void;
};

const ROLE_WORDS: Record<ColumnRole, string> = {
  item: 'Item #',
  qty: 'Qty.',
  unit: 'Unit',
  price: 'Their price',
  unused: 'Not used',
};
/** The most characters of a cell that a call accepts. No item number or unit is longer. */
const LONGEST = 200;

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
  // A template has no prices.
  const [roles, setRoles] = useState(() =>
    quote ? table.roles : table.roles.map((role) => (role === 'price' ? 'unused' : role)),
  );
  const [said, setSaid] = useState<Record<number, Said>>({});
  /** The rows that had problems when the user asked for only those, so that a corrected row stays visible. */
  const [onlyThese, setOnlyThese] = useState<readonly number[] | null>(null);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const area = useRef<HTMLDivElement>(null);

  const lines = useMemo(() => linesOf(table, roles), [table, roles]);
  const asked = useMemo(
    () =>
      lines.map(({ itemNumber, qty, unit }) => ({
        itemNumber: itemNumber.slice(0, LONGEST),
        qty: readQuantity(qty).qty,
        unit: unit.slice(0, LONGEST),
      })),
    [lines],
  );
  const found = useQuery({
    ...api(QuoteEdit).ResolvePastedItems.query({
      quoteId: quote?.id ?? null,
      facilityId: quote ? null : facilityId,
      rows: asked,
    }),
    staleTime: Infinity,
  });
  const proposed = useProposed(lines, found.data);
  const remembers = useRemembers(quote);
  const [sought, setSought] = useState(0);
  const rows = useMemo(
    () =>
      found.data?.length === lines.length
        ? found.data.flatMap((row, index) => {
            const line = lines[index];
            return line ? [rowOf(line, row, said[index], proposed.get(index))] : [];
          })
        : null,
    [found.data, lines, said, proposed],
  );
  const prices = usePastePrices(rows, table.titles[roles.indexOf('price')] ?? '', quote);
  const ready =
    rows?.flatMap((row, index) => (row.ready ? [{ ...row.ready, index, clientKey: `${batch}-${index}` }] : [])) ?? [];

  const say = (index: number, patch: Said) => {
    setSaid((all) => ({ ...all, [index]: { ...all[index], ...patch } }));
  };
  const assign = (column: number, role: ColumnRole) => {
    setRoles((all) =>
      all.map((one, at) => (at === column ? role : one === role && role !== 'unused' ? 'unused' : one)),
    );
    setOnlyThese(null);
  };
  const add = useOnce(async () => {
    const typed = ready.length === 0 ? null : prices.taken();
    if (!typed) return;
    setSaving(true);
    setError(null);
    try {
      await onAdd(ready.map(({ index, ...row }) => ({ ...row, ...typed.get(index) })));
      if (quote && rows) await rememberDecided(quote, rows);
      onClose();
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
  const without = rows?.flatMap((row, index) => (row.item && !row.item.gone && row.qty === '' ? [index] : [])) ?? [];
  const toMend = rows?.flatMap((row, index) => (row.problems.length > 0 ? [index] : [])) ?? [];
  const left = (rows?.length ?? 0) - ready.length;
  return (
    // Handles keys of the elements inside; nobody presses this element itself.
    <div role="presentation" onKeyDown={onKeyDown} ref={area}>
      <Stack gap="sm">
        <Columns table={table} roles={roles} hasPrices={quote !== undefined} onAssign={assign} />
        {table.unsure.length > 0 && !roles.includes('qty') ? (
          <Alert color="orange" p="xs">
            Which column is the quantity: {table.unsure.map((column) => `'${table.titles[column]}'`).join(' or ')}?
            Choose it above.
          </Alert>
        ) : null}
        {quote && table.prices.length > 1 && !roles.includes('price') ? (
          <Alert color="orange" p="xs">
            Which column is the price per unit:{' '}
            {table.prices.map((column) => `'${table.titles[column] || `Column ${column + 1}`}'`).join(' or ')}? Choose
            it above, or leave them all unused.
          </Alert>
        ) : null}
        {table.more > 0 ? (
          <Alert color="orange" p="xs">
            {countOf(table.more, 'more row is', 'more rows are')} not read: a quote has at most{' '}
            {MOST_ROWS.toLocaleString('en-US')} lines.
          </Alert>
        ) : null}
        {table.aside.length > 0 ? (
          <details>
            <Text component="summary" size="sm">
              {countOf(table.aside.length, 'line', 'lines')} of the text not read as rows
            </Text>
            <Text size="sm" className="muted" component="ul" my={4}>
              {table.aside.map((line, at) => (
                <li key={at}>{line}</li>
              ))}
            </Text>
          </details>
        ) : null}
        {found.error ? <ErrorAlert error={found.error} title="The rows could not be looked up" /> : null}
        <Group justify="space-between" gap="xs" mih={30}>
          <Text size="sm" role="status">
            {rows ? countsOf(rows) : found.error ? '' : `Looking up ${countOf(lines.length, 'row')}`}
          </Text>
          <Group gap="sm">
            {without.length > 0 ? (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  setSaid((all) => ({
                    ...all,
                    ...Object.fromEntries(without.map((index) => [index, { ...all[index], qty: '1' }])),
                  }));
                }}
              >
                Quantity 1 for {without.length === 1 ? 'the row' : `${without.length} rows`} without one
              </Button>
            ) : null}
            {toMend.length > 0 || onlyThese ? (
              <Checkbox
                size="xs"
                label="Only rows to fix"
                checked={onlyThese !== null}
                onChange={(event) => setOnlyThese(event.currentTarget.checked ? toMend : null)}
              />
            ) : null}
          </Group>
        </Group>
        {prices.isOffered ? <PastePrices {...prices.props} /> : null}
        {prices.error ? <ErrorAlert error={prices.error} title="Our prices could not be read" /> : null}
        {prices.isComparing ? (
          <PriceComparison {...prices.props} />
        ) : rows ? (
          <PasteRows
            rows={rows}
            titles={table.titles}
            shown={onlyThese}
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
            {rows && left > 0 ? `${left} of ${countOf(rows.length, 'row')} ${left === 1 ? 'is' : 'are'} left out.` : ''}
          </Text>
          <Group>
            <Button variant="default" onClick={onLeave}>
              Cancel
            </Button>
            <Button loading={saving} disabled={ready.length === 0} onClick={() => add()}>
              {ready.length === 1 ? 'Add 1 line' : `Add ${ready.length} lines`}
            </Button>
          </Group>
        </Group>
      </Stack>
    </div>
  );
}

function countsOf(rows: readonly ReturnType<typeof rowOf>[]): string {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const mend = rows.filter((row) => row.state === 'found' && row.problems.length > 0).length;
  const counts = `${count('found')} found, ${count('ambiguous')} ambiguous, ${count('notFound')} not found`;
  return `${countOf(rows.length, 'row')}: ${counts}${mend > 0 ? `; of those found, ${mend} to fix` : ''}`;
}

const MONEY_TITLE = /price|cost|amount|disc|%/i;

type ColumnsProps = {
  table: PastedTable;
  roles: readonly ColumnRole[];
  /** A quote may take prices over. */
  hasPrices: boolean;
  onAssign: (column: number, role: ColumnRole) => void;
};

/** Shows the meaning of each column and lets the user change it. */
function Columns({ table, roles, hasPrices, onAssign }: ColumnsProps) {
  const samples = useMemo(
    () => roles.map((_role, column) => table.rows.find((cells) => cells[column])?.[column] ?? ''),
    [roles, table],
  );
  const hasMoney = useMemo(
    () =>
      roles.some(
        (role, column) =>
          role === 'unused' &&
          (MONEY_TITLE.test(table.titles[column] ?? '') ||
            table.rows.some((cells) => isMoney(cells[column] ?? '') || (cells[column] ?? '').includes('%'))),
      ),
    [roles, table],
  );
  if (roles.length === 1) return null;
  return (
    <div>
      <div className={classes['columns']} role="group" aria-label="Columns of the paste">
        {roles.map((role, column) => (
          <label key={column} data-unused={role === 'unused' ? '' : undefined}>
            <span className="ellipsis" title={table.titles[column] || samples[column]}>
              {table.titles[column] || `Column ${column + 1}: ${samples[column]}`}
            </span>
            <select value={role} onChange={(event) => onAssign(column, event.currentTarget.value as ColumnRole)}>
              {COLUMN_ROLES.filter((one) => one !== 'price' || hasPrices).map((one) => (
                <option key={one} value={one}>
                  {ROLE_WORDS[one]}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {hasMoney ? (
        <Text size="xs" className="muted" mt={4}>
          Amounts and percentages in columns that are not used are ignored.
        </Text>
      ) : null}
    </div>
  );
}
