// The report on contracts and items: what is used, which facilities never bought, what ends, what is at risk.
import { Anchor, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { PlotFrame } from '../plots/PlotFrame.tsx';
import { type ContractUseReport, Report } from '../reports.contract.ts';
import { ASKED, type ReportAddress, useReportAddress } from '../screen/report-address.web.ts';
import { ReportPage } from '../screen/ReportPage.tsx';
import classes from '../screen/reports.module.css';
import { CONTRACT_USE_DEFINITIONS } from './contract-use.definitions.ts';
import * as plots from './contract-use-plots.ts';

export function ContractUsePage() {
  const address = useReportAddress('contracts');
  const query = useQuery({ ...api(Report).GetContractUse.query(address.filters), ...ASKED });
  return (
    <ReportPage report="contracts" address={address} found={query} definitions={CONTRACT_USE_DEFINITIONS}>
      {(report) => <Figures report={report} address={address} />}
    </ReportPage>
  );
}

function Figures({ report, address: { hrefOf } }: { report: ContractUseReport; address: ReportAddress }) {
  // Accounts without the GPO Contracts tab cannot open the pages of contracts.
  const opensContracts = useSession()?.gpoTabHidden === false;
  return (
    <>
      <PlotFrame plot={plots.contractUse(report, hrefOf)} empty="No contract was used in this period." />
      <PlotFrame plot={plots.tierUse(report, hrefOf)} empty="No contract was used in this period." />
      {opensContracts ? (
        <>
          <PlotFrame plot={plots.expiringContracts(report, hrefOf)} empty="No contract ends within 90 days." />
          <PlotFrame plot={plots.risksByMonth(report, paths.contractRisks)} empty="No open quotes are at risk." />
          <NeverBought report={report} />
        </>
      ) : null}
      <PlotFrame plot={plots.items('quoted', report, hrefOf)} />
      <PlotFrame plot={plots.items('won', report, hrefOf)} empty="No items were won in this period." />
      <PlotFrame plot={plots.items('lost', report, hrefOf)} empty="No items were lost in this period." />
      <PlotFrame plot={plots.priceSpread(report, hrefOf)} />
    </>
  );
}

type NeverBoughtRow = ContractUseReport['neverBought'][number];

/** More names would make a row too high to read. */
const NAMED_FACILITIES = 5;

/** The facilities that may buy under a contract but never did, by contract. */
function NeverBought({ report: { neverBought } }: { report: ContractUseReport }) {
  const contract = ({ contractId, number }: NeverBoughtRow) => (
    <Anchor component={Link} to={paths.contract(contractId)} fw={600}>
      {number}
    </Anchor>
  );
  const roster = ({ contractId, never }: NeverBoughtRow) => (
    <Anchor
      inherit
      renderRoot={(props) => <Link {...props} to={paths.contract(contractId)} search={{ tab: 'roster' }} />}
    >
      {never.toLocaleString('en-US')}
    </Anchor>
  );
  const columns: Column<NeverBoughtRow>[] = [
    { title: 'Contract', render: contract },
    { title: 'Title', width: 220, render: ({ title }) => <span title={title}>{title}</span> },
    { title: 'On roster', figure: true, render: ({ entitled }) => entitled.toLocaleString('en-US') },
    { title: 'Never bought', figure: true, render: roster },
    { title: 'Examples', grows: 220, render: (row) => <Facilities row={row} /> },
  ];
  return (
    <section className={`card ${classes['wide'] ?? ''}`} aria-labelledby="never-bought">
      <div className={classes['heading']}>
        <Title order={2} id="never-bought">
          Roster facilities that never bought
        </Title>
        <Text size="xs" className="muted">
          On the roster today, but without any won quote under the contract.
        </Text>
      </div>
      <DataList
        label="Roster facilities that never bought"
        columns={columns}
        rows={neverBought}
        rowKey={({ contractId }) => contractId}
        empty="Every facility on a roster has bought."
        card={(row) => (
          <>
            {contract(row)}{' '}
            <Text size="sm" span>
              {row.title}: {roster(row)} of {row.entitled.toLocaleString('en-US')}
            </Text>
            <Text size="xs" component="div" className={classes['names'] ?? ''}>
              <Facilities row={row} />
            </Text>
          </>
        )}
      />
    </section>
  );
}

function Facilities({ row: { facilities } }: { row: NeverBoughtRow }) {
  return facilities.slice(0, NAMED_FACILITIES).map(({ id, name }, at) => (
    <span key={id}>
      {at > 0 ? ' · ' : ''}
      <Anchor component={Link} to={paths.facility(id)} inherit>
        {name}
      </Anchor>
    </span>
  ));
}
