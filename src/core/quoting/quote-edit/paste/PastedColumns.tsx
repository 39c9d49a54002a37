// The meaning of each column of a pasted table, which the user may change, and the parts of the text that are not read or are uncertain.
import { Alert, Text } from '@mantine/core';
import { useMemo } from 'react';
import { MAX_QUOTE_LINES } from '#core/quoting/quotes/quote-rows.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { COLUMN_ROLES, type ColumnRole, isMoney, type PastedTable } from './parse-paste.ts';
import classes from './paste.module.css';

const ROLE_WORDS: Record<ColumnRole, string> = {
  item: 'Item #',
  qty: 'Qty.',
  unit: 'Unit',
  price: 'Their price',
  unused: 'Not used',
};
const MONEY_TITLE = /price|cost|amount|disc|%/i;

type ColumnsProps = {
  table: PastedTable;
  roles: readonly ColumnRole[];
  /** Whether prices may be adopted. Only a quote has prices. */
  hasPrices: boolean;
  onAssign: (column: number, role: ColumnRole) => void;
};

/** Shows the meaning of each column and lets the user change it. */
export function PastedColumns({ table, roles, hasPrices, onAssign }: ColumnsProps) {
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
      <div className={classes['columns']} role="group" aria-label="Pasted columns">
        {roles.map((role, column) => (
          <label key={column} data-unused={role === 'unused' ? '' : undefined}>
            <span className="ellipsis" title={table.titles[column] || samples[column]}>
              {table.titles[column] || `Column ${column + 1}: ${samples[column]}`}
            </span>
            <select value={role} onChange={(event) => onAssign(column, event.currentTarget.value as ColumnRole)}>
              {COLUMN_ROLES.filter((columnRole) => columnRole !== 'price' || hasPrices).map((columnRole) => (
                <option key={columnRole} value={columnRole}>
                  {ROLE_WORDS[columnRole]}
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

export function PastedNotes({ table, roles, hasPrices }: Omit<ColumnsProps, 'onAssign'>) {
  return (
    <>
      {table.unsure.length > 0 && !roles.includes('qty') ? (
        <Alert color="orange" p="xs">
          Which column is the quantity: {table.unsure.map((column) => `'${table.titles[column]}'`).join(' or ')}? Choose
          it above.
        </Alert>
      ) : null}
      {hasPrices && table.prices.length > 1 && !roles.includes('price') ? (
        <Alert color="orange" p="xs">
          Which column is the price per unit:{' '}
          {table.prices.map((column) => `'${table.titles[column] || `Column ${column + 1}`}'`).join(' or ')}? Choose it
          above, or leave them all unused.
        </Alert>
      ) : null}
      {table.more > 0 ? (
        <Alert color="orange" p="xs">
          {countOf(table.more, 'more row is', 'more rows are')} not read: a quote has at most{' '}
          {MAX_QUOTE_LINES.toLocaleString('en-US')} lines.
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
    </>
  );
}
