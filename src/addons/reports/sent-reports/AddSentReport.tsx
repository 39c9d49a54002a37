// The dialog that sends a report by mail: which one, of what, how often, and to whom.
import { Button, Group, Modal, MultiSelect, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import type { Address } from '../report-filters.ts';
import { addressOfChosen, chosenIn } from '../screen/period-address.ts';
import { type ReportAddress, todayHere } from '../screen/report-address.web.ts';
import { ReportFilterBar } from '../screen/ReportFilterBar.tsx';
import { REPORT_TABS, type ReportKey, reportTab } from '../screen/report-tabs.ts';
import { EVERY, SentReports } from './sent-reports.contract.ts';
import { EVERY_WORDS } from './sent-words.ts';

type Props = {
  /** The report that somebody comes from, and its address. */
  report: ReportKey;
  given: Address;
  mayChooseRoles: boolean;
  onClose: () => void;
};

export function AddSentReport({ report: first, given, mayChooseRoles, onClose }: Props) {
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
    <Modal opened onClose={onClose} title="Send a report by email" size="lg">
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
          <div role="group" aria-label="What the report is of">
            <Text size="sm" fw={500} mb={4}>
              Of
            </Text>
            <Group gap="xs">
              <ReportFilterBar address={address} head={undefined} withMeasure={false} />
            </Group>
          </div>
          <SegmentedControl
            aria-label="How often"
            value={every}
            onChange={(next) => setEvery(EVERY.find((one) => one === next) ?? 'week')}
            data={EVERY.map((one) => ({ value: one, label: EVERY_WORDS[one] }))}
          />
          {mayChooseRoles ? (
            <MultiSelect
              label="To everybody with the role"
              description="Each gets the figures of the quotes that they may see. Without a role it comes to you alone."
              placeholder={roles.length === 0 ? 'Only to me' : ''}
              data={ROLES.map((role) => ({ value: role, label: ROLE_LABELS[role] }))}
              value={roles}
              onChange={(next) => setRoles(ROLES.filter((role) => next.includes(role)))}
              clearable
            />
          ) : null}
          <ErrorAlert error={add.error} title="The report is not sent" />
          <Group justify="flex-end" className="dialog-foot">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending}>
              Send Regularly
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
