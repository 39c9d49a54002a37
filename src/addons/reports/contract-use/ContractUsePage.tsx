// The report on contracts and items: what is used, who is entitled and never bought, what ends, what is at risk.
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { PlotFrame } from '../plots/PlotFrame.tsx';
import { type ContractUseReport, Report } from '../reports.contract.ts';
import { ASKED, type ReportAddress, useReportAddress } from '../screen/report-address.web.ts';
import { ReportPage } from '../screen/ReportPage.tsx';
import { CONTRACT_USE_DEFINITIONS } from './contract-use.definitions.ts';
import * as plots from './contract-use-plots.ts';
import { NeverBought } from './NeverBought.tsx';

export function ContractUsePage() {
  const address = useReportAddress('contracts');
  const found = useQuery({ ...api(Report).GetContractUse.query(address.filters), ...ASKED });
  return (
    <ReportPage report="contracts" address={address} found={found} definitions={CONTRACT_USE_DEFINITIONS}>
      {(report) => <Figures report={report} address={address} />}
    </ReportPage>
  );
}

function Figures({ report, address: { hrefOf } }: { report: ContractUseReport; address: ReportAddress }) {
  // Their pages are closed to whoever has no GPO Contracts tab.
  const opensContracts = useSession()?.gpoTabHidden === false;
  return (
    <>
      <PlotFrame plot={plots.contractUse(report, hrefOf)} empty="No contract was used in this period." />
      <PlotFrame plot={plots.tierUse(report, hrefOf)} empty="No contract was used in this period." />
      {opensContracts ? (
        <>
          <PlotFrame plot={plots.expiringContracts(report, hrefOf)} empty="No contract ends within 90 days." />
          <PlotFrame plot={plots.risksByMonth(report, paths.contractRisks)} empty="No open quote is at risk." />
          <NeverBought report={report} />
        </>
      ) : null}
      <PlotFrame plot={plots.items('quoted', report, hrefOf)} />
      <PlotFrame plot={plots.items('won', report, hrefOf)} empty="Nothing was won in this period." />
      <PlotFrame plot={plots.items('lost', report, hrefOf)} empty="Nothing was lost in this period." />
      <PlotFrame plot={plots.priceSpread(report, hrefOf)} />
    </>
  );
}
