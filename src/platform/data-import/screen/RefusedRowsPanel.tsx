// The refused rows of an import: their number by kind of problem, the first ten of each, and all of them as a file to correct and upload again.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { DataImport, type ImportView, type ScreenReport } from '../data-import.contract.ts';

type Cell = ScreenReport['refusedCells'][number];
/** A kind of problem: its heading, the number of its rows, and the first of them. */
type Problem = { title: string; rows: number; cells: Cell[] };

const COLUMNS: Column<Cell>[] = [
  { title: 'Line', render: ({ line }) => <span className="tabular">{line.toLocaleString('en-US')}</span> },
  { title: 'Column', render: ({ column }) => column },
  { title: 'Value', width: 320, render: ({ value }) => <span title={value}>{value || '(empty)'}</span> },
  { title: 'Reason', render: ({ reason }) => reason },
];

export function RefusedRowsPanel({ view, report }: { view: ImportView; report: ScreenReport }) {
  const download = useMutation({ ...api(DataImport).GetRefusedRows.mutation(), onSuccess: saveFile });
  const problems = problemsOf(report);
  const isPart = problems.some(({ rows, cells }) => rows > cells.length);
  return (
    <section aria-label="Refused">
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h6">
          Refused
        </Title>
        {view.hasRefused ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={download.isPending}
            onClick={() => download.mutate({ id: view.id })}
            title="Download these rows as CSV, with the reasons. Correct them and upload the file again."
          >
            Download refused rows
          </Button>
        ) : null}
      </Group>
      <ErrorAlert error={download.error} title="The download failed" onClose={() => download.reset()} />
      <Stack gap="md">
        {problems.map(({ title, cells }) => (
          <div key={title}>
            {title ? (
              <Title order={4} size="sm" mb={4}>
                {title}
              </Title>
            ) : null}
            <DataList
              label={title ? `Refused, ${title}` : 'Refused'}
              columns={COLUMNS}
              rows={cells}
              rowKey={({ line, column, reason }) => `${line} ${column} ${reason}`}
              card={(cell) => (
                <Text size="sm">
                  Line {cell.line}
                  {cell.column ? `, ${cell.column}` : ''}: <b>{cell.value || '(empty)'}</b> {cell.reason}
                </Text>
              )}
            />
          </div>
        ))}
      </Stack>
      {isPart ? (
        <Text size="sm" className="muted" mt="xs">
          Only the first rows for each problem are shown. The download contains all{' '}
          {report.refused.toLocaleString('en-US')} refused rows.
        </Text>
      ) : null}
    </section>
  );
}

/** Returns the problems by kind, the most frequent first. Reports of older versions have one list for all of them. */
function problemsOf({ causes = [], refusedCells, refused }: ScreenReport): Problem[] {
  const kinds = causes.flatMap(({ sentence, rows, cells = [] }) =>
    cells.length > 0 ? [{ title: `${countOf(rows, 'row')}: ${sentence}`, rows, cells }] : [],
  );
  return kinds.length > 0 ? kinds : [{ title: '', rows: refused, cells: refusedCells }];
}
