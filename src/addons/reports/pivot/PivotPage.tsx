// The pivot: one measure of the quotes by two dimensions that the user chooses.
import { ActionIcon, Group, Select } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { seesInternalFigures } from '#platform/shared/roles.ts';
import { DIMENSION_LABELS, DIMENSIONS, MEASURE_LABELS, MEASURES, type PivotChoice } from '../pivot-choice.ts';
import { Report } from '../reports.contract.ts';
import { ASKED, useReportAddress } from '../screen/report-address.web.ts';
import { ReportPage } from '../screen/ReportPage.tsx';
import { PIVOT_DEFINITIONS } from './pivot.definitions.ts';
import { PivotTable } from './PivotTable.tsx';

export function PivotPage() {
  const address = useReportAddress('pivot');
  const { rows, columns, measure } = address.pivot;
  const query = useQuery({
    ...api(Report).GetPivot.query({ ...address.filters, rows, columns, measure }),
    ...ASKED,
    // If the user may not see a measure, that must not block the whole screen.
    throwOnError: false,
  });
  return (
    <ReportPage
      report="pivot"
      address={address}
      found={query}
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

const NO_COLUMNS = '';

type ChooserProps = { choice: PivotChoice; onChange: (choice: PivotChoice) => void };

/** Chooses the dimensions of the rows and columns, and the measure. */
function PivotChooser({ choice, onChange }: ChooserProps) {
  const { rows, columns, measure } = choice;
  const user = useSession();
  const knowsCost = user !== null && seesInternalFigures(user);
  // Resets the order, because it may refer to a column that no longer exists.
  const change = (patch: Partial<PivotChoice>) => onChange({ ...choice, order: null, ...patch });
  const dimensions = DIMENSIONS.map((value) => ({ value, label: DIMENSION_LABELS[value] }));
  const swapped = columns === null ? null : { rows: columns, columns: rows };
  return (
    <Group gap="sm" align="end" px={{ base: 'md', sm: 0 }} role="group" aria-label="Pivot" className="no-print">
      <Select
        label="Rows"
        w={190}
        maxDropdownHeight={400}
        allowDeselect={false}
        data={dimensions}
        value={rows}
        onChange={(value) => {
          const next = DIMENSIONS.find((dimension) => dimension === value);
          // If the new columns are the current rows, rows and columns swap.
          if (next) change(next === columns ? { rows: next, columns: rows } : { rows: next });
        }}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Swap rows and columns"
        title="Swap rows and columns"
        disabled={swapped === null}
        onClick={() => swapped && change(swapped)}
      >
        <IconArrowsExchange size={16} />
      </ActionIcon>
      <Select
        label="Columns"
        w={190}
        maxDropdownHeight={400}
        allowDeselect={false}
        data={[{ value: NO_COLUMNS, label: 'None' }, ...dimensions]}
        value={columns ?? NO_COLUMNS}
        onChange={(value) => {
          const next = DIMENSIONS.find((dimension) => dimension === value) ?? null;
          if (next === null || next !== rows) change({ columns: next });
          else if (columns !== null) change({ rows: columns, columns: rows });
        }}
      />
      <Select
        label="Measure"
        w={170}
        allowDeselect={false}
        data={MEASURES.filter((candidate) => candidate !== 'margin' || knowsCost || candidate === measure).map(
          (value) => ({
            value,
            label: MEASURE_LABELS[value],
          }),
        )}
        value={measure}
        onChange={(value) => {
          const next = MEASURES.find((candidate) => candidate === value);
          if (next) onChange({ ...choice, measure: next });
        }}
      />
    </Group>
  );
}
