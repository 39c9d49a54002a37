// The pivot: one measure of the quotes by two dimensions that the reader chooses.
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { Report } from '../reports.contract.ts';
import { ASKED, useReportAddress } from '../screen/report-address.web.ts';
import { ReportPage } from '../screen/ReportPage.tsx';
import { PIVOT_DEFINITIONS } from './pivot.definitions.ts';
import { PivotChooser } from './PivotChooser.tsx';
import { PivotTable } from './PivotTable.tsx';

export function PivotPage() {
  const address = useReportAddress('pivot');
  const { rows, columns, measure } = address.pivot;
  const found = useQuery({
    ...api(Report).GetPivot.query({ ...address.filters, rows, columns, measure }),
    ...ASKED,
    // A measure that somebody may not know is no screen that they may not open.
    throwOnError: false,
  });
  return (
    <ReportPage
      report="pivot"
      address={address}
      found={found}
      definitions={PIVOT_DEFINITIONS}
      chooser={<PivotChooser choice={address.pivot} onChange={(pivot) => address.change({ pivot })} />}
    >
      {(report) => (
        <PivotTable
          report={report}
          choice={address.pivot}
          hrefOf={address.hrefOf}
          onOrder={(order) => address.change({ pivot: { ...address.pivot, order } })}
        />
      )}
    </ReportPage>
  );
}
