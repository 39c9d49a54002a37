// One savings analysis: its file while it is read, then the rows, the comparison, and the results: the sheet and the quotes.
import { ActionIcon, Anchor, Button, Group, Menu, Progress, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilityLink } from '#core/customers/facilities/FacilityLink.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { LeaveGuard } from '#platform/ui/LeaveGuard.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { useAddress } from '#platform/ui/address.web.ts';
import { useKeys } from '#platform/ui/keys.tsx';
import { Age, StateChip } from './AnalysesPage.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import { Bench } from './matching-desk/Bench.tsx';
import { ColumnsPanel } from './reading/ColumnsPanel.tsx';
import { ComparisonPanel } from './comparison/ComparisonPanel.tsx';
import { MakeQuotesDialog } from './comparison/MakeQuotesDialog.tsx';
import { SheetMenu, useSheet } from './comparison/SheetMenu.tsx';
import { percentText } from './savings-labels.ts';
import { type Analysis, Savings } from './savings.contract.ts';
import classes from './savings.module.css';

type Take = (analysis: Analysis) => void;

export function AnalysisPage({ id }: { id: number }) {
  const { found, take } = useAnalysis(id);
  const analysis = found.data;
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="sm">
      <Anchor
        component={Link}
        to={paths.savingsAnalyses}
        size="sm"
        px={{ base: 'md', sm: 0 }}
        pt={{ base: 'sm', sm: 0 }}
      >
        ‹ Savings Analyses
      </Anchor>
      <PageTitle>{analysis?.name ?? 'Savings Analysis'}</PageTitle>
      <LeaveGuard />
      {analysis ? (
        <OneAnalysis analysis={analysis} onChange={take} />
      ) : found.error ? (
        <>
          <Title order={1} px={{ base: 'md', sm: 0 }}>
            Savings Analysis
          </Title>
          <ErrorAlert error={found.error} title="The analysis could not be loaded" onRetry={found.refetch} />
        </>
      ) : (
        <Skeleton height={420} radius="sm" aria-label="Loading" />
      )}
    </Stack>
  );
}

const TABS = [
  { tab: 'rows', label: 'Rows' },
  { tab: 'comparison', label: 'Comparison' },
  { tab: 'file', label: 'File' },
  { tab: 'history', label: 'History' },
] as const;

function OneAnalysis({ analysis, onChange }: { analysis: Analysis; onChange: Take }) {
  const { state } = analysis;
  const isMatched = state === 'to-match' || state === 'ready' || state === 'quoted';
  return (
    <>
      <Head analysis={analysis} isMatched={isMatched} />
      {state === 'failed' ? (
        <ErrorAlert error={analysis.problem} title="The file could not be read">
          <Button
            mt="xs"
            size="xs"
            variant="default"
            renderRoot={(props) => (
              <Link {...props} to={paths.newSavingsAnalysis} search={{ facility: analysis.facility.id }} />
            )}
          >
            Upload another file
          </Button>
        </ErrorAlert>
      ) : null}
      {state === 'reading' ? <Reading analysis={analysis} /> : null}
      {state === 'columns' || (state === 'failed' && analysis.columns.length > 0) ? (
        <ColumnsPanel key={`${analysis.sheet} ${analysis.headerLine}`} analysis={analysis} onChange={onChange} />
      ) : null}
      {isMatched ? <Parts analysis={analysis} onChange={onChange} /> : null}
    </>
  );
}

function Head({ analysis, isMatched }: { analysis: Analysis; isMatched: boolean }) {
  const [dialog, setDialog] = useState<'quote' | 'delete' | null>(null);
  const sheet = useSheet(analysis);
  const nothing = analysis.totals.rows === 0;
  useKeys([
    { key: 'q', label: 'Create quote', run: () => setDialog('quote'), disabled: !isMatched || nothing },
    {
      key: 'e',
      label: 'Download savings sheet as PDF',
      run: () => sheet.mutate({ format: 'pdf', audience: 'customer' }),
      disabled: !isMatched || nothing || sheet.isPending,
    },
  ]);
  const { totals } = analysis;
  return (
    <Stack gap="xs" px={{ base: 'md', sm: 0 }}>
      <Group justify="space-between" align="start" gap="sm">
        <div className={classes['title']}>
          <Group gap="sm">
            <Title order={1}>{analysis.name}</Title>
            <StateChip row={analysis} />
          </Group>
          <Text size="sm" className="muted">
            <FacilityLink id={analysis.facility.id} name={analysis.facility.name} underline="always" />, acct.{' '}
            {analysis.facilityAcctNo} · {analysis.owner.name} · <Age at={analysis.createdAt} />
          </Text>
        </div>
        <Group gap="xs">
          {isMatched ? (
            <>
              <SheetMenu analysis={analysis} sheet={sheet} />
              <Button
                disabled={nothing}
                title={nothing ? 'No rows to compare yet' : undefined}
                onClick={() => setDialog('quote')}
              >
                Create quote
              </Button>
            </>
          ) : null}
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={36} aria-label="More">
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" onClick={() => setDialog('delete')}>
                Delete analysis
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      <ErrorAlert error={sheet.error} title="The savings sheet could not be created" onClose={sheet.reset} />
      {isMatched ? (
        <dl className={classes['figures']} aria-label="Annual totals">
          <Figure label="Current spend" value={formatAmount(totals.theirs, totals.currnIdx)} />
          <Figure label="Spend with us" value={formatAmount(totals.ours, totals.currnIdx)} />
          <Figure
            label={totals.difference < 0 ? 'Additional cost' : 'Savings'}
            value={`${formatAmount(Math.abs(totals.difference), totals.currnIdx)} (${percentText(totals.differencePct)})`}
            isDearer={totals.difference < 0}
          />
          <Figure
            label="Rows compared"
            value={`${totals.rows.toLocaleString('en-US')} of ${analysis.counts.all.toLocaleString('en-US')}`}
          />
          <Figure label="On contract" value={percentText(totals.onContractPct)} />
          {totals.marginPct === undefined ? null : (
            <Figure label="Margin (internal)" value={percentText(totals.marginPct)} />
          )}
          <Figure label="Prices as of" value={formatDate(analysis.priceDate)} />
        </dl>
      ) : null}
      {dialog === 'quote' ? <MakeQuotesDialog analysis={analysis} onClose={() => setDialog(null)} /> : null}
      {dialog === 'delete' ? <DeleteDialog analysis={analysis} onClose={() => setDialog(null)} /> : null}
    </Stack>
  );
}

function Figure({ label, value, isDearer = false }: { label: string; value: string; isDearer?: boolean }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={isDearer ? classes['dearer'] : undefined}>{value}</dd>
    </div>
  );
}

function DeleteDialog({ analysis, onClose }: { analysis: Analysis; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useMutation({
    ...api(Savings).DeleteAnalysis.mutation(),
    onSuccess: () => navigate({ to: paths.savingsAnalyses, replace: true }),
  });
  return (
    <ConfirmDialog
      title={`Delete ${analysis.name}?`}
      action="Delete"
      harmful
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: analysis.id, version: analysis.version })}
      onClose={onClose}
    >
      {`This deletes ${countOf(analysis.rowCount, 'row')} and the customer's file. Quotes created from the analysis and remembered item numbers are kept.`}
    </ConfirmDialog>
  );
}

function Reading({ analysis: { step, done, total } }: { analysis: Analysis }) {
  const part = total > 0 ? Math.round((done / total) * 100) : 100;
  return (
    <section className="card" aria-label="Reading the file">
      <Stack gap="xs" p="md">
        <Text size="sm" role="status">
          {step || 'Waiting'}
          {done > 0
            ? `: ${total > 0 ? `${done.toLocaleString('en-US')} of ` : ''}${countOf(total > 0 ? total : done, 'row')}`
            : ''}
          …
        </Text>
        <Progress value={part} animated striped={total === 0} aria-label="Progress" />
        <Text size="sm" className="muted">
          You can leave this page. Reading continues in the background, and the analysis stays in the list.
        </Text>
      </Stack>
    </section>
  );
}

function Parts({ analysis, onChange }: { analysis: Analysis; onChange: Take }) {
  const navigate = useNavigate();
  const { tab: request } = useAddress();
  const { tab: current } = TABS.find(({ tab }) => tab === request) ?? TABS[0];
  const open = (tab: string | null) =>
    void navigate({
      to: paths.savingsAnalysis(analysis.id),
      search: tab === 'rows' || tab === null ? {} : { tab },
      replace: true,
      resetScroll: false,
    });
  useKeys(TABS.map(({ tab, label }, index) => ({ key: String(index + 1), label, run: () => open(tab) })));
  return (
    <Tabs value={current} keepMounted={false} onChange={open}>
      <Tabs.List mb="sm" aria-label="Parts of the analysis">
        {TABS.map(({ tab, label }) => (
          <Tabs.Tab key={tab} value={tab}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="rows">
        <Bench analysis={analysis} onChange={onChange} />
      </Tabs.Panel>
      <Tabs.Panel value="comparison">
        <ComparisonPanel analysis={analysis} onChange={onChange} />
      </Tabs.Panel>
      <Tabs.Panel value="file">
        <ColumnsPanel key={`${analysis.sheet} ${analysis.headerLine}`} analysis={analysis} onChange={onChange} />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <HistoryTab analysis={analysis} />
      </Tabs.Panel>
    </Tabs>
  );
}

const BUSY_MS = 1000;

function useAnalysis(id: number) {
  const cache = useQueryClient();
  const query = api(Savings).GetAnalysis.query({ id });
  const analysisQuery = useQuery({
    ...query,
    refetchInterval: ({ state }) => (state.data?.state === 'reading' ? BUSY_MS : false),
  });
  /** The version whose rows the screen shows. */
  const seen = useRef<number>(undefined);
  const version = analysisQuery.data?.version;
  useEffect(() => {
    if (version === undefined || version === seen.current) return;
    if (seen.current !== undefined) void cache.invalidateQueries({ queryKey: api(Savings).SearchAnalysisRows.key });
    seen.current = version;
  }, [version, cache]);
  /** Shows the analysis that a call of this user returned. */
  const take = useCallback(
    (analysis: Analysis) => {
      seen.current = analysis.version;
      cache.setQueryData(api(Savings).GetAnalysis.query({ id: analysis.id }).queryKey, analysis);
    },
    [cache],
  );
  return { found: analysisQuery, take };
}
