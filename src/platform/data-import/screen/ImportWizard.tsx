// One import from its file to the end: upload, match columns, check, apply. The user can leave at any step and come back.
import { Box, Button, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { forbidden } from '#platform/api/http-error.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { sizeText } from '#platform/shared/size-text.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { RUNNING_STATES, DataImport, type ImportKindView, type ImportView } from '../data-import.contract.ts';
import { AsksPanel } from './AsksPanel.tsx';
import type { HeldPicker } from './HeldRowsPanel.tsx';
import { ImportReportPanel } from './ImportReportPanel.tsx';
import { MatchColumnsPanel } from './MatchColumnsPanel.tsx';
import { UndoButton, useUndoEnds } from './UndoImport.tsx';
import { UploadPanel } from './UploadPanel.tsx';

type Props = {
  /** The kinds to choose from; omitted: all that this user may import. */
  kinds?: readonly string[];
  /** The initial kind of a new import. */
  kind?: string | undefined;
  /** The open import; null for a new one. */
  id: number | null;
  onOpen: (id: number | null) => void;
  /** The upload call, for kinds that have their own. */
  upload?: (file: File) => Promise<ImportView>;
  /** The initial answers of a new import to the questions, besides the columns. */
  answers?: Record<string, string>;
  /** For kinds that let the user replace a suggested record. */
  picker?: HeldPicker;
};

const STEPS = ['File', 'Columns', 'Check', 'Import'];

export function ImportWizard({ kinds, kind: first, id, onOpen, upload, answers, picker }: Props) {
  const known = useQuery({ ...api(DataImport).ListImportKinds.query({}), staleTime: 300_000 });
  const query = api(DataImport).GetImport.query({ id: id ?? 0 });
  const opened = useQuery({
    ...query,
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? 700 : false),
  });
  const cache = useQueryClient();
  const put = (view: ImportView) => {
    cache.setQueryData(api(DataImport).GetImport.query({ id: view.id }).queryKey, view);
    void cache.invalidateQueries({ queryKey: api(DataImport).ListImports.key });
  };
  // Reloads the list below and the held rows immediately.
  const state = opened.data?.state;
  useEffect(() => {
    if (!state) return;
    void cache.invalidateQueries({ queryKey: api(DataImport).ListImports.key });
    void cache.invalidateQueries({ queryKey: api(DataImport).GetHeldRows.key });
  }, [state, cache]);
  const offered = known.data?.filter(({ kind }) => !kinds || kinds.includes(kind));
  if (offered?.length === 0) throw forbidden();
  const view = id === null ? null : opened.data;
  const visible = useMemo(() => (view ? [view] : []), [view]);
  useUndoEnds(visible);

  return (
    <section className="card" aria-label="Import">
      <Stack p="md" gap="md">
        <Steps at={view ? wizardStep(view) : 0} />
        <ErrorAlert
          error={known.error ?? (id === null ? null : opened.error)}
          title="This import could not be loaded"
        />
        {id !== null && opened.error ? (
          <Group>
            <Button variant="default" onClick={() => onOpen(null)}>
              New import
            </Button>
          </Group>
        ) : null}
        {(!offered && !known.error) || (id !== null && !view && !opened.error) ? (
          <Skeleton height={160} radius="sm" aria-label="Loading" />
        ) : null}
        {offered && id === null ? (
          <UploadPanel
            kinds={offered}
            first={first}
            upload={upload}
            onUploaded={(uploaded) => {
              put(uploaded);
              onOpen(uploaded.id);
            }}
          />
        ) : null}
        {offered && view ? (
          <Opened
            key={view.id}
            view={view}
            kind={offered.find(({ kind }) => kind === view.kind)}
            answers={answers}
            picker={picker}
            onChange={put}
            onNew={() => onOpen(null)}
          />
        ) : null}
      </Stack>
    </section>
  );
}

function wizardStep({ state, report }: ImportView): number {
  if (state === 'Uploaded') return 1;
  if (state === 'Checking' || state === 'Checked') return 2;
  return state === 'Failed' && !report ? 1 : 3;
}

function Steps({ at }: { at: number }) {
  return (
    <Group component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Steps">
      {STEPS.map((step, index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined}>
          <Text size="sm" fw={index === at ? 600 : 400} className={index === at ? '' : 'muted'}>
            {index + 1}. {step}
          </Text>
        </li>
      ))}
    </Group>
  );
}

type OpenedProps = {
  view: ImportView;
  kind: ImportKindView | undefined;
  answers: Record<string, string> | undefined;
  picker: HeldPicker | undefined;
  onChange: (view: ImportView) => void;
  onNew: () => void;
};

function Opened({ view, kind, answers, picker, onChange, onNew }: OpenedProps) {
  const [matching, setMatching] = useState(false);
  const [options, setOptions] = useState<Record<string, unknown>>({ ...answers, ...view.options });
  const done = { onSuccess: onChange };
  const check = useMutation({ ...api(DataImport).StartCheck.mutation(), ...done });
  const apply = useMutation({ ...api(DataImport).ApplyImport.mutation(), ...done });
  const { id, state } = view;
  const mayCheck = view.missing === '' && !check.isPending;
  const matchable = state === 'Uploaded' || state === 'Failed' || (state === 'Checked' && matching);
  const writes = (view.report?.writes ?? 0) + view.accepted;
  const mayApply = state === 'Checked' && !matching && writes > 0 && !apply.isPending;
  const runCheck = () => {
    setMatching(false);
    check.mutate({ id, options });
  };
  useKeys([
    {
      key: 'mod+Enter',
      label: matchable ? 'Check' : 'Apply',
      whileTyping: true,
      disabled: matchable ? !mayCheck : !mayApply,
      run: () => (matchable ? runCheck() : apply.mutate({ id })),
    },
  ]);

  return (
    <Stack gap="md">
      <Box>
        <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {view.kindLabel}: {view.fileName}
        </Title>
        <Text size="sm" className="muted">
          {sizeText(view.size)}, {view.format}
        </Text>
      </Box>
      {state === 'Failed' ? <ErrorAlert error={view.error} title="Nothing was imported" /> : null}
      {state === 'Applied' ? <ErrorAlert error={view.error} title="Nothing was changed" /> : null}
      <ErrorAlert error={check.error ?? apply.error} />
      {RUNNING_STATES.includes(state) ? <Working view={view} /> : null}
      {matchable && kind ? (
        <>
          <MatchColumnsPanel view={view} kind={kind} onChange={onChange} />
          <AsksPanel
            asks={kind.asks}
            answers={options}
            error={check.error}
            onChange={(patch) => setOptions({ ...options, ...patch })}
          />
          <Group>
            <Button
              onClick={runCheck}
              disabled={!mayCheck}
              loading={check.isPending}
              title={view.missing || 'Checking does not change any data'}
            >
              Check
            </Button>
            <NewButton onNew={onNew} />
          </Group>
        </>
      ) : null}
      {view.report && !matchable ? (
        <ImportReportPanel view={view} report={view.report} words={kind?.heldWords} onChange={onChange} picker={picker}>
          {state === 'Checked' && !matching ? (
            <Stack gap="xs">
              <Text size="sm">{whatNext(view)}</Text>
              <Group>
                {writes > 0 ? (
                  <Button onClick={() => apply.mutate({ id })} loading={apply.isPending} disabled={!mayApply}>
                    Apply
                  </Button>
                ) : null}
                <Button variant="default" onClick={() => setMatching(true)}>
                  Change columns
                </Button>
                <NewButton onNew={onNew} />
              </Group>
            </Stack>
          ) : null}
          {state === 'Applied' || state === 'Undone' ? (
            <Stack gap="xs">
              <Text size="sm" role="status">
                {state === 'Applied'
                  ? `Imported by ${view.appliedBy} on ${when(view.appliedAt)}.`
                  : `Undone by ${view.undoneBy} on ${when(view.undoneAt)}.`}
              </Text>
              <Group>
                {state === 'Applied' && view.accepted > 0 ? (
                  <Button onClick={() => apply.mutate({ id })} loading={apply.isPending}>
                    Apply {countOf(view.accepted, 'accepted row')}
                  </Button>
                ) : null}
                <Button variant={view.accepted > 0 ? 'default' : 'filled'} onClick={onNew}>
                  New import
                </Button>
                {view.mayUndo ? <UndoButton record={view} onBegun={onChange} /> : null}
              </Group>
            </Stack>
          ) : null}
        </ImportReportPanel>
      ) : null}
    </Stack>
  );
}

/** Returns whether the server is working on the import or its effect. */
function isBusy({ state, effect }: ImportView): boolean {
  return RUNNING_STATES.includes(state) || (state === 'Checked' && effect?.state === 'working');
}

function NewButton({ onNew }: { onNew: () => void }) {
  return (
    <Button variant="default" onClick={onNew}>
      Choose another file
    </Button>
  );
}

function whatNext({ report, accepted, rejected }: ImportView): string {
  const open = (report?.held ?? 0) - accepted - rejected;
  const waiting = open > 0 ? ` ${countOf(open, 'held row is', 'held rows are')} left out unless accepted.` : '';
  if (!report?.writes && accepted === 0)
    return `There is nothing to import. Nothing in this file is new or changed.${waiting}`;
  const left =
    report?.refused === 1
      ? '1 row is refused and left out.'
      : `${(report?.refused ?? 0).toLocaleString('en-US')} rows are refused and left out.`;
  return `Nothing has been imported yet.${report && report.refused > 0 ? ` ${left}` : ''}${waiting}`;
}

const DOING: Record<string, string> = {
  reading: 'Reading',
  comparing: 'Comparing with stored data',
  writing: 'Saving',
  looking: 'Checking whether anything depends on it',
  removing: 'Removing added records',
  restoring: 'Restoring changed records',
};

const WAITING: Record<string, string> = {
  Checking: 'Waiting to check',
  Applying: 'Waiting to apply',
  Undoing: 'Waiting to undo',
};

function Working({ view: { state, step, done, total } }: { view: ImportView }) {
  const rows =
    done > 0
      ? `: ${total > 0 ? `${done.toLocaleString('en-US')} of ` : ''}${countOf(total > 0 ? total : done, 'row')}`
      : '';
  const most = state === 'Undoing' ? 100 : step === 'reading' ? 80 : 0;
  const part = most > 0 && total > 0 ? Math.round((done / total) * most) : 100;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {DOING[step] ?? WAITING[state] ?? 'Waiting'}
        {step === 'reading' ? rows : ''}…
      </Text>
      <Progress value={part} animated striped={part === 100} aria-label={state} />
      <Text size="sm" className="muted">
        You can leave this page. The import continues and appears in the list below.
      </Text>
    </Stack>
  );
}

const when = (at: string | null): string => formatInstant(at);
