// The report on won and lost quotes: how many, how much, to which competitors and why.
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { figureIn } from '../plots/plot.ts';
import { PlotFrame } from '../plots/PlotFrame.tsx';
import { rateOf } from '../plots/words.ts';
import { Report, type WonLostReport } from '../reports.contract.ts';
import { ASKED, type ReportAddress, useReportAddress } from '../screen/report-address.web.ts';
import { ReportPage } from '../screen/ReportPage.tsx';
import { WON_LOST_DEFINITIONS } from './won-lost.definitions.ts';
import { Tiles } from '../screen/Tiles.tsx';
import * as plots from './won-lost-plots.ts';

export function WonLostPage() {
  const address = useReportAddress('won-lost');
  const query = useQuery({ ...api(Report).GetWonLost.query(address.filters), ...ASKED });
  return (
    <ReportPage report="won-lost" address={address} found={query} definitions={WON_LOST_DEFINITIONS} withMeasure>
      {(report) => <Figures report={report} address={address} />}
    </ReportPage>
  );
}

function Figures({ report, address: { measure, hrefOf } }: { report: WonLostReport; address: ReportAddress }) {
  const { total, currnIdx } = report;
  const shared = { measure, currnIdx, hrefOf };
  const amount = (value: number) => figureIn({ amountIn: currnIdx }, value);
  return (
    <>
      <Tiles
        tiles={[
          {
            name: 'Won',
            figure: amount(total.wonAmount),
            note: figureIn('quotes', total.won),
            href: hrefOf(total.wonSlice),
          },
          {
            name: 'Lost',
            figure: amount(total.lostAmount),
            note: figureIn('quotes', total.lost),
            href: hrefOf(total.lostSlice),
          },
          { name: 'Win rate by number', figure: figureIn('percent', rateOf(total.won, total.lost)), href: null },
          {
            name: 'Win rate by amount',
            figure: figureIn('percent', rateOf(total.wonAmount, total.lostAmount)),
            href: null,
          },
        ]}
      />
      <PlotFrame plot={plots.decidedPerMonth(report, shared)} />
      <PlotFrame plot={plots.ratePerMonth(report, shared)} />
      <PlotFrame plot={plots.lostByReason(report, shared)} empty="No quotes were lost in this period." />
      <PlotFrame plot={plots.lostByCompetitor(report, shared)} empty="No quotes were lost in this period." />
      <PlotFrame plot={plots.lostByGap(report, shared)} empty="No lost quotes have a competitor price." />
      <PlotFrame plot={plots.daysToDecide(report, shared)} />
      <PlotFrame plot={plots.decidedByRep(report, shared)} />
      <PlotFrame plot={plots.decidedByTrade(report, shared)} />
      <PlotFrame plot={plots.decidedByDiscount(report, shared)} />
      <PlotFrame plot={plots.decidedByRegion(report, shared)} />
    </>
  );
}
