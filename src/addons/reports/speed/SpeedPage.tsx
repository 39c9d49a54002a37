// The report on speed: how long quotes and approvals take, how often quotes are revised, and where they wait now.
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { PlotFrame } from '../plots/PlotFrame.tsx';
import { Report, type SpeedReport } from '../reports.contract.ts';
import { ASKED, type ReportAddress, useReportAddress } from '../screen/report-address.web.ts';
import { ReportPage } from '../screen/ReportPage.tsx';
import { SPEED_DEFINITIONS } from './speed.definitions.ts';
import * as plots from './speed-plots.ts';

export function SpeedPage() {
  const address = useReportAddress('speed');
  const query = useQuery({ ...api(Report).GetSpeed.query(address.filters), ...ASKED });
  return (
    <ReportPage report="speed" address={address} found={query} definitions={SPEED_DEFINITIONS}>
      {(report) => <Figures report={report} address={address} />}
    </ReportPage>
  );
}

function Figures({ report, address: { hrefOf } }: { report: SpeedReport; address: ReportAddress }) {
  return (
    <>
      <PlotFrame plot={plots.waitingNow(report, hrefOf)} empty="No open quotes." />
      <PlotFrame plot={plots.timeInStatus(report, hrefOf)} />
      <PlotFrame plot={plots.approvalsByRule(report, hrefOf)} empty="No approvals were decided in this period." />
      <PlotFrame plot={plots.approvalsByPerson(report, hrefOf)} empty="No approvals were decided in this period." />
      <PlotFrame plot={plots.revisions(report, hrefOf)} />
    </>
  );
}
