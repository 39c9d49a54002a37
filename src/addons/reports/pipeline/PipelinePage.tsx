// The report on the pipeline: what is open, what moves, and what needs follow-up today.
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { OPEN_STATUSES, STATUS_LABELS, type StatusId } from '#core/quoting/quotes/status.ts';
import { figureIn } from '../plots/plot.ts';
import { PlotFrame } from '../plots/PlotFrame.tsx';
import { type Figure, type PipelineReport, Report } from '../reports.contract.ts';
import { ASKED, type ReportAddress, useReportAddress } from '../screen/report-address.web.ts';
import { ReportPage } from '../screen/ReportPage.tsx';
import { PIPELINE_DEFINITIONS } from './pipeline.definitions.ts';
import { type Tile, Tiles } from '../screen/Tiles.tsx';
import { openByAge, openByStatus, perWeek, sinceLastWeek } from './pipeline-plots.ts';

export function PipelinePage() {
  const address = useReportAddress('pipeline');
  const query = useQuery({ ...api(Report).GetPipeline.query(address.filters), ...ASKED });
  return (
    <ReportPage report="pipeline" address={address} found={query} definitions={PIPELINE_DEFINITIONS} withMeasure>
      {(report) => <Figures report={report} address={address} />}
    </ReportPage>
  );
}

function Figures({ report, address: { measure, hrefOf } }: { report: PipelineReport; address: ReportAddress }) {
  const [status, setStatus] = useState<StatusId | null>(null);
  const tile = (name: string, { count, amount, slice }: Figure): Tile => ({
    name,
    figure: figureIn({ amountIn: report.currnIdx }, amount),
    note: figureIn('quotes', count),
    href: hrefOf(slice),
  });
  const open = report.bridge.steps.find(({ step }) => step === 'end');
  return (
    <>
      <Tiles
        tiles={[
          ...(open ? [tile('Open and not expired', open)] : []),
          tile('No activity for 7 days', report.untouched),
          tile('Expiring within 7 days', report.expiring),
          tile('Expired but still open', report.expired),
        ]}
      />
      <PlotFrame plot={openByStatus(report, measure, hrefOf)} empty="No open quotes." />
      <PlotFrame
        plot={openByAge(report, status, measure, hrefOf)}
        empty="No open quotes."
        above={
          <Select
            aria-label="Status of open quotes"
            size="xs"
            w={190}
            allowDeselect={false}
            data={[
              { value: '', label: 'All open statuses' },
              ...OPEN_STATUSES.map((id) => ({ value: id, label: STATUS_LABELS[id] })),
            ]}
            value={status ?? ''}
            onChange={(next) => setStatus(OPEN_STATUSES.find((id) => id === next) ?? null)}
            className="no-print"
          />
        }
      />
      <PlotFrame plot={sinceLastWeek(report, hrefOf)} />
      <PlotFrame plot={perWeek(report, measure, hrefOf)} />
    </>
  );
}
