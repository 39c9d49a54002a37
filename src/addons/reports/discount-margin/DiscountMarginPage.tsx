// The report on discounts and margins: from list to net, the spread of discounts, unusual discounts, and margin leaks.
import { Anchor, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { figureIn } from '../plots/plot.ts';
import { PlotFrame } from '../plots/PlotFrame.tsx';
import { type DiscountMarginReport, Report } from '../reports.contract.ts';
import { ASKED, type ReportAddress, useReportAddress } from '../screen/report-address.web.ts';
import { ReportPage } from '../screen/ReportPage.tsx';
import classes from '../screen/reports.module.css';
import { DISCOUNT_MARGIN_DEFINITIONS } from './discount-margin.definitions.ts';
import { type Tile, Tiles } from '../screen/Tiles.tsx';
import * as plots from './discount-margin-plots.ts';

export function DiscountMarginPage() {
  const address = useReportAddress('discount-margin');
  const query = useQuery({ ...api(Report).GetDiscountMargin.query(address.filters), ...ASKED });
  return (
    <ReportPage report="discount-margin" address={address} found={query} definitions={DISCOUNT_MARGIN_DEFINITIONS}>
      {(report) => <Figures report={report} address={address} />}
    </ReportPage>
  );
}

function Figures({ report, address: { hrefOf } }: { report: DiscountMarginReport; address: ReportAddress }) {
  const marginByRep = plots.marginBy('rep', report, hrefOf);
  const marginByClass = plots.marginBy('class', report, hrefOf);
  return (
    <>
      <Tiles tiles={tilesOf(report, hrefOf)} />
      <PlotFrame plot={plots.waterfall(report, hrefOf)} wide />
      <PlotFrame plot={plots.discountByRep(report, hrefOf)} />
      <PlotFrame plot={plots.discountByClass(report, hrefOf)} />
      {marginByRep ? <PlotFrame plot={marginByRep} /> : null}
      {marginByClass ? <PlotFrame plot={marginByClass} /> : null}
      <PlotFrame plot={plots.leakageByRep(report, hrefOf)} empty="No lines are below system price." />
      <PlotFrame plot={plots.leakageByClass(report, hrefOf)} empty="No lines are below system price." />
      <Outliers report={report} hrefOf={hrefOf} />
      {report.margin || report.uncosted ? null : (
        <Text size="sm" className="muted">
          Costs and margins are visible to internal roles only.
        </Text>
      )}
    </>
  );
}

function tilesOf(
  { waterfall, leakage, margin, uncosted, outliers, currnIdx }: DiscountMarginReport,
  hrefOf: (slice: string) => string,
): Tile[] {
  const amount = (value: number) => figureIn({ amountIn: currnIdx }, value);
  const net = waterfall.find(({ step }) => step === 'net');
  return [
    ...(net
      ? [
          {
            name: 'Net',
            figure: amount(net.amount),
            note: `${figureIn('percent', net.pct)} of list`,
            href: hrefOf(net.slice),
          },
        ]
      : []),
    {
      name: 'Below system price',
      figure: amount(leakage.amount),
      note: `${figureIn('percent', leakage.pct)}, ${figureIn('lines', leakage.lines)}`,
      href: hrefOf(leakage.slice),
    },
    {
      name: 'Unusual discounts',
      figure: figureIn('quotes', outliers.count),
      note:
        outliers.abovePct === null ? 'too few quotes to compare' : `above ${figureIn('percent', outliers.abovePct)}`,
      href: outliers.abovePct === null ? null : hrefOf(outliers.slice),
    },
    ...(margin
      ? [
          {
            name: 'Margin on lines with a cost',
            figure: figureIn('percent', margin.pct),
            note: `${amount(margin.amount)} of ${amount(margin.costed)}`,
            href: null,
          },
        ]
      : []),
    ...(uncosted
      ? [
          {
            name: 'Lines without a cost',
            figure: figureIn('lines', uncosted.lines),
            note: `${amount(uncosted.amount)}, not in the margin`,
            href: hrefOf(uncosted.slice),
          },
        ]
      : []),
  ];
}

type Outlier = DiscountMarginReport['outliers']['quotes'][number];

/** The quotes with the largest unusual discounts, each a link to its board. */
function Outliers({ report, hrefOf }: { report: DiscountMarginReport; hrefOf: (slice: string) => string }) {
  const user = useSession();
  const { outliers, currnIdx } = report;
  const board = ({ quoteId }: Outlier) => (user ? boardPath(user, quoteId) : '');
  const number = (row: Outlier) => (
    <Anchor component={Link} to={board(row)} fw={600} className="figure">
      {quoteNumber(row.num, row.revision)}
    </Anchor>
  );
  const columns: Column<Outlier>[] = [
    { title: '#', render: number },
    { title: 'Facility', grows: 180, render: ({ facilityName }) => <span title={facilityName}>{facilityName}</span> },
    { title: 'Sales rep', width: 180, render: ({ salesRep }) => salesRep },
    { title: 'Net', figure: true, render: ({ amount }) => figureIn({ amountIn: currnIdx }, amount) },
    { title: 'Discount', figure: true, render: ({ discountPct }) => figureIn('percent', discountPct) },
    ...(outliers.quotes.some(({ marginPct }) => marginPct !== null)
      ? [{ title: 'Margin', figure: true, render: ({ marginPct }: Outlier) => figureIn('percent', marginPct) }]
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
              ? 'There are too few quotes to identify unusual discounts.'
              : `Quotes discounted more than ${figureIn('percent', outliers.abovePct)} off list, far more than usual.`}
          </Text>
        </div>
        {outliers.count > outliers.quotes.length ? (
          <Anchor component={Link} to={hrefOf(outliers.slice)} size="sm">
            Show all {outliers.count.toLocaleString('en-US')}
          </Anchor>
        ) : null}
      </Group>
      <DataList
        label="Unusual discounts"
        columns={columns}
        rows={outliers.quotes}
        rowKey={({ quoteId }) => quoteId}
        rowHref={board}
        empty="No quotes have unusual discounts."
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
