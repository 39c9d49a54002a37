// The frame of every report: its tabs, its filters, its freshness, its definitions, and the states without figures.
import { Alert, Button, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconHelp, IconMail } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Definition } from '../common.definitions.ts';
import type { ReportHead } from '../reports.contract.ts';
import { formatDate, formatTime } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import linkClasses from '#platform/ui/link-tabs.module.css';
import filterClasses from '#platform/ui/list-page.module.css';
import { ListTools } from '#platform/ui/list-tools.tsx';
import { ReportFilterBar } from './ReportFilterBar.tsx';
import type { ReportAddress } from './report-address.web.ts';
import { REPORT_TABS, type ReportKey, reportTab } from './report-tabs.ts';
import classes from './reports.module.css';

type Props<R extends ReportHead> = {
  report: ReportKey;
  address: ReportAddress;
  found: UseQueryResult<R>;
  definitions: readonly Definition[];
  withMeasure?: boolean;
  /** Shown below the filters: further choices for the user. */
  chooser?: ReactNode;
  children: (data: R) => ReactNode;
};

export function ReportPage<R extends ReportHead>(props: Props<R>) {
  const { report, address, found, definitions, withMeasure = false, chooser, children } = props;
  const { label } = reportTab(report);
  const [explained, setExplained] = useState(false);
  useKeys([{ key: 'd', label: 'What the figures mean', run: () => setExplained(true) }]);
  const { from, to } = address.filters;
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>{`Reports: ${label}`}</PageTitle>
      <Group justify="space-between" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }} gap="xs">
        <div>
          <Title order={1}>{label}</Title>
          <Text size="sm" className="muted tabular" role="status">
            {formatDate(from)} to {formatDate(to)}
            {found.data ? ` · as of ${formatTime(found.data.asOf)}` : ''}
          </Text>
        </div>
        <Group gap="xs" className="no-print">
          <ListTools of="report" />
          <Button
            component={Link}
            variant="default"
            leftSection={<IconMail size={16} aria-hidden />}
            to={paths.sentReports}
            search={{ ...address.search, report } as never}
          >
            Send by email
          </Button>
          <Button
            variant="default"
            leftSection={<IconHelp size={16} aria-hidden />}
            aria-keyshortcuts="d"
            onClick={() => setExplained(true)}
          >
            What the figures mean
          </Button>
        </Group>
      </Group>
      <ReportTabs search={address.search} />
      <Group
        gap="sm"
        px={{ base: 'md', sm: 0 }}
        className={`${filterClasses['filters'] ?? ''} no-print`}
        role="group"
        aria-label="Filters"
      >
        <ReportFilterBar address={address} head={found.data} withMeasure={withMeasure} />
      </Group>
      {chooser}
      <Preparing head={found.data} />
      {found.data ? (
        <>
          {found.error ? (
            <ErrorAlert
              error={found.error}
              title="The figures could not be updated. Earlier figures are shown below"
              onRetry={found.refetch}
            />
          ) : null}
          <div
            className={classes['figures']}
            aria-busy={found.isPlaceholderData}
            data-old={found.isPlaceholderData ? '' : undefined}
          >
            {children(found.data)}
          </div>
        </>
      ) : found.error ? (
        <ErrorAlert error={found.error} title="The report could not be loaded" onRetry={found.refetch} />
      ) : (
        <Loading />
      )}
      {explained ? (
        <DefinitionsDialog report={report} definitions={definitions} onClose={() => setExplained(false)} />
      ) : null}
    </Stack>
  );
}

/** `search` keeps the filters when the user goes from one report to another. */
export function ReportTabs({ search }: { search: Record<string, string> }) {
  const navigate = useNavigate();
  const nav = useRef<HTMLElement>(null);
  // On a phone, the open tab may be outside the visible part.
  useEffect(() => {
    // Braces discard the result: newer browsers return a promise, which is not a valid clean-up function.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  useKeys(
    REPORT_TABS.map(({ label, to }, at) => ({ key: String(at + 1), label, run: () => void navigate({ to, search }) })),
  );
  return (
    <nav ref={nav} className={`${linkClasses['tabs'] ?? ''} no-print`} aria-label="Reports">
      {REPORT_TABS.map(({ key, label, to }) => (
        <Link key={key} to={to} search={search} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

function Preparing({ head }: { head: ReportHead | undefined }) {
  if (!head?.preparing) return null;
  const { done, of } = head.preparing;
  return (
    <Alert color="blue" variant="light" role="status" title="Reports are being prepared">
      {done.toLocaleString('en-US')} of {of.toLocaleString('en-US')} quotes are included so far. This page updates
      automatically.
    </Alert>
  );
}

function Loading() {
  return (
    <div className={classes['figures']} aria-busy>
      <Skeleton height={72} radius="sm" className={classes['wide'] ?? ''} />
      {[1, 2, 3, 4].map((entry) => (
        <Skeleton key={entry} height={280} radius="sm" />
      ))}
    </div>
  );
}

type DialogProps = { report: ReportKey; definitions: readonly Definition[]; onClose: () => void };

/** Explains the figures of a report with its definitions. */
function DefinitionsDialog({ report, definitions, onClose }: DialogProps) {
  return (
    <Modal opened onClose={onClose} title={`${reportTab(report).label}: what the figures mean`} size="lg">
      <dl className={classes['definitions']}>
        {definitions.map(({ term, meaning }) => (
          <div key={term}>
            <dt>{term}</dt>
            <Text component="dd" size="sm">
              {meaning}
            </Text>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
