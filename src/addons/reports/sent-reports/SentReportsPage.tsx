// The reports that are sent by mail: which ones, to whom, and when next. The user adds and stops them here.
import { Anchor, Button, Group, Modal, MultiSelect, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { type Role, ROLE_LABELS, ROLES } from '#platform/shared/roles.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import type { Address } from '../report-filters.ts';
import { addressOfChosen, chosenIn } from '../screen/period-address.ts';
import { type ReportAddress, todayHere } from '../screen/report-address.web.ts';
import { ReportFilterBar } from '../screen/ReportFilterBar.tsx';
import { ReportTabs } from '../screen/ReportPage.tsx';
import { REPORT_TABS, type ReportKey, reportTab } from '../screen/report-tabs.ts';
import { EVERY_WORDS, toWhom } from './sent-words.ts';
import { EVERY, type SentReport, SentReports } from './sent-reports.contract.ts';

export default function SentReportsPage() {
  const { report, ...input } = useAddress();
  const query = useQuery({ ...api(SentReports).GetSentReports.query({}), staleTime: 0 });
  /** Opens at once if the user comes from a report in order to send it. */
  const [adding, setAdding] = useState(report !== undefined);
  const [stopping, setStopping] = useState<SentReport | null>(null);
  useKeys([{ key: 'a', label: 'Schedule a report', run: () => setAdding(true) }]);
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>Reports: By email</PageTitle>
      <Group justify="space-between" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }} gap="xs">
        <div>
          <Title order={1}>Reports by email</Title>
          <Text size="sm" className="muted">
            Sent in the morning as a PDF with charts and a CSV file. Recipients get figures only for quotes that they
            can see.
          </Text>
        </div>
        <Button leftSection={<IconPlus size={16} aria-hidden />} aria-keyshortcuts="a" onClick={() => setAdding(true)}>
          Schedule a report
        </Button>
      </Group>
      <ReportTabs search={{}} />
      <DataList
        label="Reports by email"
        columns={columnsOf(setStopping)}
        rows={query.data?.reports}
        error={query.error}
        onRetry={query.refetch}
        empty="No reports are scheduled yet."
        rowKey={(row) => row.id}
        card={(row) => <Card row={row} onStop={setStopping} />}
      />
      {adding && query.data ? (
        <AddSentReport
          report={reportTab(report).key}
          given={input}
          mayChooseRoles={query.data.mayChooseRoles}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {stopping ? <Stop row={stopping} onClose={() => setStopping(null)} /> : null}
    </Stack>
  );
}

type OnStop = (row: SentReport) => void;

const columnsOf = (onStop: OnStop): Column<SentReport>[] => [
  { title: 'Report', render: (row) => <ReportLink row={row} /> },
  { title: 'Scope', grows: 220, render: (row) => row.of.join(' · ') },
  { title: 'Frequency', render: ({ every }) => EVERY_WORDS[every] },
  { title: 'Recipients', width: 260, render: toWhom },
  { title: 'Set up by', width: 180, render: ({ ownerName }) => ownerName },
  { title: 'Next', render: ({ nextOn }) => formatDate(nextOn) },
  { title: 'Last', render: ({ lastOn }) => (lastOn ? formatDate(lastOn) : 'Never') },
  { title: 'Stop', render: (row) => <StopButton row={row} onStop={onStop} /> },
];

function ReportLink({ row }: { row: SentReport }) {
  const { label, to } = reportTab(row.report);
  return (
    <Anchor component={Link} fw={600} to={to} search={Object.fromEntries(new URLSearchParams(row.address)) as never}>
      {label}
    </Anchor>
  );
}

function StopButton({ row, onStop }: { row: SentReport; onStop: OnStop }) {
  const words = row.mayStop ? 'Stop' : 'Stop for me';
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`${words}: ${reportTab(row.report).label}`}
      onClick={() => onStop(row)}
    >
      {words}
    </Button>
  );
}

function Card({ row, onStop }: { row: SentReport; onStop: OnStop }) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={2}>
        <ReportLink row={row} />
        <Text size="sm" className="muted">
          {row.of.join(' · ')}
        </Text>
        <Text size="sm" className="muted">
          {EVERY_WORDS[row.every]}, next on {formatDate(row.nextOn)} · {toWhom(row)}
        </Text>
      </Stack>
      <StopButton row={row} onStop={onStop} />
    </Group>
  );
}

function Stop({ row, onClose }: { row: SentReport; onClose: () => void }) {
  const stop = useMutation({ ...api(SentReports).StopSentReport.mutation(), onSuccess: onClose });
  const name = reportTab(row.report).label;
  const toRoles = row.roles.map((role) => ROLE_LABELS[role]).join(', ');
  return (
    <ConfirmDialog
      title={row.mayStop ? 'Stop sending this report?' : 'Stop getting this report?'}
      action="Stop"
      busy={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({ id: row.id, version: row.version })}
      onClose={onClose}
    >
      {row.mayStop
        ? row.roles.length > 0
          ? `${name} will no longer be sent to: ${toRoles}.`
          : `${name} will no longer be sent to ${row.ownerName}.`
        : `You will no longer get ${name}. Other recipients still will.`}
    </ConfirmDialog>
  );
}

type Props = {
  /** The report that the user comes from. `given` is its address. */
  report: ReportKey;
  given: Address;
  mayChooseRoles: boolean;
  onClose: () => void;
};

/** The dialog that sends a report by mail: which report, with which filters, how often, and to whom. */
function AddSentReport({ report: first, given, mayChooseRoles, onClose }: Props) {
  const [report, setReport] = useState(first);
  const [chosen, setChosen] = useState(() => chosenIn(given, todayHere()));
  const [every, setEvery] = useState<(typeof EVERY)[number]>('week');
  const [roles, setRoles] = useState<Role[]>([]);
  const add = useMutation({ ...api(SentReports).AddSentReport.mutation(), onSuccess: onClose });
  const search = addressOfChosen(chosen);
  const address: ReportAddress = {
    ...chosen,
    search,
    change: ({ filters, ...patch }) => {
      const next = addressOfChosen({ ...chosen, ...patch, filters: { ...chosen.filters, ...filters } });
      setChosen(chosenIn(next, todayHere()));
    },
    hrefOf: () => '',
  };
  return (
    <Modal opened onClose={onClose} title="Schedule a report" size="lg">
      <Form
        onSubmit={() =>
          add.isPending
            ? undefined
            : add.mutate({ report, address: new URLSearchParams(search).toString(), every, roles })
        }
      >
        <Stack>
          <Select
            data-autofocus
            label="Report"
            allowDeselect={false}
            data={REPORT_TABS.map(({ key, label }) => ({ value: key, label }))}
            value={report}
            onChange={(key) => setReport(reportTab(key ?? undefined).key)}
          />
          <div role="group" aria-label="Report scope">
            <Text size="sm" fw={500} mb={4}>
              Scope
            </Text>
            <Group gap="xs">
              <ReportFilterBar address={address} head={undefined} withMeasure={false} />
            </Group>
          </div>
          <SegmentedControl
            aria-label="Frequency"
            value={every}
            onChange={(next) => setEvery(EVERY.find((candidate) => candidate === next) ?? 'week')}
            data={EVERY.map((entry) => ({ value: entry, label: EVERY_WORDS[entry] }))}
          />
          {mayChooseRoles ? (
            <MultiSelect
              label="Recipient roles"
              description="Recipients get figures only for quotes that they can see. If you select no role, the report is sent only to you."
              placeholder={roles.length === 0 ? 'Only me' : ''}
              data={ROLES.map((role) => ({ value: role, label: ROLE_LABELS[role] }))}
              value={roles}
              onChange={(next) => setRoles(ROLES.filter((role) => next.includes(role)))}
              clearable
            />
          ) : null}
          <ErrorAlert error={add.error} title="The report could not be scheduled" />
          <Group justify="flex-end" className="dialog-foot">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending}>
              Schedule report
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
