// The table of a pivot: each figure links to its list, each heading sorts, and the first column stays while the others scroll.
import { ActionIcon, Group, Text, Title } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useId } from 'react';
import { fileNameOf, unitWords } from '../plots/plot.ts';
import type { PivotReport } from '../reports.contract.ts';
import { SortButton } from '#platform/ui/DataList.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { PivotCells } from './PivotCells.tsx';
import { leftOut, pivotCsv, pivotTitle, pivotUnit, rowsInOrder } from './pivot-table.ts';
import { columnOrder, DIMENSION_LABELS, type PivotChoice } from '../pivot-choice.ts';
import classes from './pivot.module.css';

type Props = {
  report: PivotReport;
  choice: PivotChoice;
  hrefOf: (slice: string) => string;
  onOrder: (order: PivotChoice['order']) => void;
};

export function PivotTable({ report, choice, hrefOf, onOrder }: Props) {
  const title = useId();
  const rows = rowsInOrder(report, choice.order);
  const name = pivotTitle(choice);
  const unit = pivotUnit(choice, report);
  const save = () =>
    saveFile({ name: `${fileNameOf(name)}.csv`, blob: new Blob([pivotCsv(report, choice)], { type: 'text/csv' }) });
  return (
    <section className={`card ${classes['card'] ?? ''}`} aria-labelledby={title} data-wide>
      <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
        <div>
          <Title order={2} id={title}>
            {name}
          </Title>
          <Text size="xs" className="muted">
            in {unitWords(unit)}
          </Text>
        </div>
        {rows.length > 0 ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Save as CSV"
            title="Save as CSV"
            className="no-print"
            onClick={save}
          >
            <IconFileSpreadsheet size={16} />
          </ActionIcon>
        ) : null}
      </Group>
      {leftOut(report, choice).map((words) => (
        <Text key={words} size="sm" role="status">
          {words}
        </Text>
      ))}
      {rows.length === 0 ? (
        <Text size="sm" className="muted" role="status" py="lg" ta="center">
          No quotes in this period.
        </Text>
      ) : (
        <div className={classes['frame']}>
          <table className="list" aria-labelledby={title}>
            <Headings report={report} choice={choice} onOrder={onOrder} />
            <PivotCells report={report} rows={rows} unit={unit} hrefOf={hrefOf} />
          </table>
        </div>
      )}
    </section>
  );
}

function Headings({
  report: { columns },
  choice: { rows, order },
  onOrder,
}: Pick<Props, 'report' | 'choice' | 'onOrder'>) {
  const sort = order ? { field: order.by, dir: order.dir } : null;
  const all = [
    { by: 'name', title: DIMENSION_LABELS[rows] },
    ...columns.map(({ key, name }) => ({ by: columnOrder(key), title: name })),
    { by: 'total', title: 'Total' },
  ];
  return (
    <thead>
      <tr>
        {all.map(({ by, title }, at) => (
          <th
            key={by}
            scope="col"
            className={at > 0 ? 'figure' : undefined}
            aria-sort={order?.by === by ? (order.dir === 'asc' ? 'ascending' : 'descending') : undefined}
          >
            <SortButton
              title={title}
              field={by}
              first={at > 0 ? 'desc' : 'asc'}
              sort={sort}
              onSort={({ field, dir }) => onOrder({ by: field, dir })}
            />
          </th>
        ))}
      </tr>
    </thead>
  );
}
