// The day of the compared prices: prices the rows again for today, and shows what changed since, with the earlier figures.
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { compare, formatAmount, formatPrice } from '#platform/shared/money.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { type Analysis, type PriceChanges, Savings } from '../savings.contract.ts';
import { percentText } from '../savings-labels.ts';
import classes from '../savings.module.css';

type Props = { analysis: Analysis; onChange: (analysis: Analysis) => void };
type Changed = PriceChanges['rows'][number];

export function PricesPanel({ analysis, onChange }: Props) {
  const { id, version, priceDate, totals } = analysis;
  const query = useQuery(api(Savings).GetPriceChanges.query({ id }));
  const again = useMutation({
    ...api(Savings).RepriceAnalysis.mutation(),
    meta: { blocking: true },
    onSuccess: onChange,
  });
  return (
    <section className="card" aria-label="Prices">
      <Stack p="md" gap="sm">
        <Group justify="space-between" gap="sm">
          <Title order={2}>Prices as of {formatDate(priceDate)}</Title>
          <Button variant="default" loading={again.isPending} onClick={() => again.mutate({ id, version })}>
            Reprice today
          </Button>
        </Group>
        <ErrorAlert error={again.error} title="The rows were not repriced" onClose={again.reset} />
        {again.isSuccess ? (
          <Text size="sm" role="status">
            Repriced just now.
          </Text>
        ) : null}
        {query.error ? (
          <ErrorAlert error={query.error} title="The changes could not be loaded" onRetry={query.refetch} />
        ) : !query.data ? (
          <Skeleton height={24} radius="sm" aria-label="Loading" />
        ) : (
          <Since changes={query.data} currnIdx={totals.currnIdx} />
        )}
      </Stack>
      {query.data && query.data.rows.length > 0 ? (
        <DataList
          label="Rows with changed prices"
          columns={columnsOf(totals.currnIdx)}
          rows={query.data.rows}
          rowKey={({ rowId }) => String(rowId)}
          empty=""
          card={(row) => <Card row={row} currnIdx={totals.currnIdx} />}
        />
      ) : null}
    </section>
  );
}

function Since({ changes, currnIdx }: { changes: PriceChanges; currnIdx: number }) {
  const { earlier, changed, yearChange, turnedDearer, rows } = changes;
  const [last] = earlier;
  if (!last) {
    return (
      <Text size="sm" className="muted">
        No price has changed since the file was read.
      </Text>
    );
  }
  return (
    <>
      <Text size="sm">
        {changed === 0
          ? `No price has changed since ${formatDate(last.priceDate)}.`
          : `Since ${formatDate(last.priceDate)}, ${countOf(changed, 'row has a new price', 'rows have new prices')}: ${changeText(yearChange, currnIdx)}.`}{' '}
        {turnedDearer === 0 ? '' : `We now cost more in ${countOf(turnedDearer, 'row')}.`}{' '}
        {rows.length < changed ? `The ${rows.length} rows that change most are listed.` : ''}
      </Text>
      <ul className={classes['quotes']} aria-label="Earlier figures">
        {earlier.map(({ id, priceDate, ours, difference, differencePct, rows: compared }) => (
          <li key={id}>
            <Text size="sm" className="muted tabular">
              As of {formatDate(priceDate)}: {countOf(compared, 'row')}, {formatAmount(ours, currnIdx)} with us,{' '}
              {difference < 0 ? 'more expensive by' : 'savings of'} {formatAmount(Math.abs(difference), currnIdx)} (
              {percentText(differencePct)})
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}

/** 'we are $12.00 cheaper per year', 'we are $12.00 more expensive per year', 'the annual total is unchanged'. */
function changeText(yearChange: number, currnIdx: number): string {
  const sign = compare(yearChange, 0);
  if (sign === 0) return 'the annual total is unchanged';
  return `we are ${formatAmount(Math.abs(yearChange), currnIdx)} ${sign > 0 ? 'more expensive' : 'cheaper'} per year`;
}

const priceText = (price: number | null, source: string, currnIdx: number): string =>
  price === null ? 'no price' : `${formatPrice(price, currnIdx)} ${source.toLowerCase()}`;

function Year({ row: { yearChange, turnedDearer, typed }, currnIdx }: { row: Changed; currnIdx: number }) {
  if (typed) return <span className="muted">typed price stays</span>;
  if (yearChange === null) return <>–</>;
  return (
    <span className={turnedDearer ? classes['dearer'] : undefined}>
      {compare(yearChange, 0) > 0 ? '+' : ''}
      {formatAmount(yearChange, currnIdx)}
      {turnedDearer ? ', now more expensive' : ''}
    </span>
  );
}

const columnsOf = (currnIdx: number): Column<Changed>[] => [
  { title: 'Row', figure: true, render: ({ rowNo }) => rowNo },
  {
    title: 'Our item',
    grows: 120,
    render: ({ itemNumber, description }) => (
      <span title={description}>
        <b>{itemNumber}</b> {description}
      </span>
    ),
  },
  { title: 'Unit', render: ({ unit }) => unit },
  {
    title: 'Before',
    figure: true,
    render: ({ priceBefore, sourceBefore }) => priceText(priceBefore, sourceBefore, currnIdx),
  },
  { title: 'Now', figure: true, render: ({ priceNow, sourceNow }) => priceText(priceNow, sourceNow, currnIdx) },
  { title: 'Change per year', figure: true, render: (row) => <Year row={row} currnIdx={currnIdx} /> },
];

function Card({ row, currnIdx }: { row: Changed; currnIdx: number }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600} className="ellipsis">
          {row.itemNumber} <span className="muted">{row.description}</span>
        </Text>
        <Text size="sm" className="tabular" style={{ whiteSpace: 'nowrap' }}>
          <Year row={row} currnIdx={currnIdx} />
        </Text>
      </Group>
      <Text size="sm" className="muted tabular">
        Row {row.rowNo} · {priceText(row.priceBefore, row.sourceBefore, currnIdx)} →{' '}
        {priceText(row.priceNow, row.sourceNow, currnIdx)} / {row.unit}
      </Text>
    </Stack>
  );
}
