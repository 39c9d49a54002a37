// The quotes with the largest unusual discounts, each a link to its board.
import { Anchor, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { figureIn } from '../plots/plot.ts';
import type { DiscountMarginReport } from '../reports.contract.ts';
import classes from '../screen/reports.module.css';

type Row = DiscountMarginReport['outliers']['quotes'][number];

export function Outliers({ report, hrefOf }: { report: DiscountMarginReport; hrefOf: (slice: string) => string }) {
  const user = useSession();
  const { outliers, currnIdx } = report;
  const board = ({ quoteId }: Row) => (user ? boardPath(user, quoteId) : '');
  const number = (row: Row) => (
    <Anchor component={Link} to={board(row)} fw={600} className="figure">
      {quoteNumber(row.num, row.revision)}
    </Anchor>
  );
  const columns: Column<Row>[] = [
    { title: '#', render: number },
    { title: 'Facility', grows: 180, render: ({ facilityName }) => <span title={facilityName}>{facilityName}</span> },
    { title: 'Sales rep', width: 180, render: ({ salesRep }) => salesRep },
    { title: 'Net', figure: true, render: ({ amount }) => figureIn({ amountIn: currnIdx }, amount) },
    { title: 'Discount', figure: true, render: ({ discountPct }) => figureIn('percent', discountPct) },
    ...(outliers.quotes.some(({ marginPct }) => marginPct !== null)
      ? [{ title: 'Margin', figure: true, render: ({ marginPct }: Row) => figureIn('percent', marginPct) }]
      : []),
  ];
  return (
    <section className={`card ${classes['wide'] ?? ''}`} aria-labelledby="outliers">
      <Group justify="space-between" px="md" py="xs">
        <div>
          <Title order={2} id="outliers">
            Unusual discounts
          </Title>
          <Text size="xs" className="muted">
            {outliers.abovePct === null
              ? 'There are too few quotes to say what is usual.'
              : `Discounts off list above ${figureIn('percent', outliers.abovePct)} are far above the usual ones.`}
          </Text>
        </div>
        {outliers.count > outliers.quotes.length ? (
          <Anchor component={Link} to={hrefOf(outliers.slice)} size="sm">
            All {outliers.count.toLocaleString('en-US')}
          </Anchor>
        ) : null}
      </Group>
      <DataList
        label="Unusual discounts"
        columns={columns}
        rows={outliers.quotes}
        rowKey={({ quoteId }) => quoteId}
        rowHref={board}
        empty="No quote stands out."
        card={(row) => (
          <Group justify="space-between" gap="xs">
            <span>
              {number(row)} {row.facilityName}
            </span>
            <Text size="sm" className="figure">
              {figureIn('percent', row.discountPct)} · {figureIn({ amountIn: currnIdx }, row.amount)}
            </Text>
          </Group>
        )}
      />
    </section>
  );
}
