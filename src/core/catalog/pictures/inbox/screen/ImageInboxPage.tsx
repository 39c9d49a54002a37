// The inbox of pictures (specification section 7, Item image process): waiting, upload to cloud, file operation; and pictures that left it.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { useListAddress } from '#platform/ui/list-address.web.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { NotDoneAlert } from '../../NotDoneAlert.tsx';
import { INBOX_STAGES, type InboxStage, MATCHES, type PictureRow } from '../../pictures.contract.ts';
import { InboxColumn, useStage } from './InboxColumn.tsx';
import classes from './inbox.module.css';
import { useInboxActions } from './inbox-actions.web.ts';
import { ACTION_LABELS, type Action, ACTIONS, hintOf, type InboxCounts, stageOf } from './inbox-words.web.ts';
import { AT_WORK, InboxFilters } from './InboxFilters.tsx';
import { PictureDialog } from './PictureDialog.tsx';
import { UploadPanel } from './UploadPanel.tsx';
import { useUploads } from './uploads.web.ts';

const KEYS: [string, Action][] = [
  ['c', 'upload'],
  ['f', 'file'],
  ['p', 'assign'],
  ['r', 'rotate'],
  ['t', 'retry'],
  ['x', 'refuse'],
  ['b', 'restore'],
];

export default function ImageInboxPage() {
  const list = useListAddress('image-inbox', { keyword: '', match: '', stage: '' }, { field: '', dir: 'asc' });
  const { keyword } = list.filters;
  const match = MATCHES.find((candidate) => candidate === list.filters.match) ?? null;
  const stage = INBOX_STAGES.find((inboxStage) => inboxStage === list.filters.stage) ?? null;
  const narrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });
  const uploads = useUploads();
  const [chosen, setChosen] = useState<ReadonlyMap<number, PictureRow>>(new Map());
  const [opened, setOpened] = useState<PictureRow[] | null>(null);
  const focused = useRef<PictureRow | null>(null);
  /** Returns the keyboard focus to where it was. */
  const close = () => {
    setOpened(null);
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-picture="${focused.current?.id}"]`)?.focus(),
    );
  };
  const { run, all, notDone, clear } = useInboxActions((ids) => {
    setChosen((now) => new Map([...now].filter(([id]) => !ids.includes(id))));
    if (opened) close();
  });
  // The first column makes the same query, so it runs only once.
  const first = useStage({ stage: 'waiting', keyword, match, page: 1 }, uploads.busy);
  const counts = first.data?.counts;

  const act = (action: Action, pictures: PictureRow[], productId?: number) => {
    if (run.isPending || pictures.length === 0) return;
    if (action === 'assign' && productId === undefined) setOpened(pictures);
    else run.mutate({ action, pictures, ...(productId === undefined ? {} : { productId }) });
  };
  const targets = () => {
    if (chosen.size > 0) return [...chosen.values()];
    const has = document.activeElement?.closest('li')?.querySelector(`[data-picture="${focused.current?.id}"]`);
    return has && focused.current ? [focused.current] : [];
  };
  useKeys([
    // These keys work on the focused list; this list only shows them under `?`.
    { key: 'ArrowDown', label: 'Next picture; ↑ previous, ← → another column', run: () => {}, disabled: true },
    { key: '1', label: 'The first suggested product; 2 the second, …', run: () => {}, disabled: true },
    ...KEYS.map(([key, action]) => ({
      key,
      label: `${ACTION_LABELS[action].replace('…', '')}: the selected pictures, or the one with the focus`,
      run: () => act(action, targets()),
    })),
  ]);

  const visible: InboxStage[] = narrow ? [stage ?? 'waiting'] : stage && !AT_WORK.includes(stage) ? [stage] : AT_WORK;
  const busyIds = new Set(run.isPending ? run.variables.pictures.map(({ id }) => id) : []);
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>Image Inbox</PageTitle>
      <Group justify="space-between" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }} gap="xs">
        <div>
          <Title order={1}>Image Inbox</Title>
          <Text size="sm" className="muted">
            New pictures on their way to products.
          </Text>
        </div>
        <Text size="sm" className="muted tabular" role="status">
          {counts && counts.working > 0 ? `${counts.working.toLocaleString('en-US')} in progress` : ''}
        </Text>
      </Group>
      <div style={{ paddingInline: narrow ? 12 : 0 }}>
        <UploadPanel uploads={uploads} inbox={first.data?.inbox ?? ''} />
      </div>
      <NotDoneAlert pictures={notDone} onClose={clear} />
      <ErrorAlert error={run.error ?? all.error} title="Something went wrong" onClose={clear} />
      <InboxFilters
        stage={stage}
        keyword={keyword}
        match={match}
        counts={counts}
        narrow={narrow}
        onChange={list.filter}
      />
      <div className={visible.length > 1 ? classes['columns'] : undefined}>
        {visible.map((entry) => (
          <InboxColumn
            key={entry}
            stage={entry}
            keyword={keyword}
            match={match}
            sending={uploads.busy}
            chosen={chosen}
            busyIds={busyIds}
            onChoose={(pictures, isChosen) =>
              setChosen((now) => {
                const next = new Map(now);
                for (const picture of pictures) {
                  if (isChosen) next.set(picture.id, picture);
                  else next.delete(picture.id);
                }
                return next;
              })
            }
            onFocus={(picture) => {
              focused.current = picture;
            }}
            onAct={(action, picture, productId) => act(action, [picture], productId)}
            onOpen={(picture) => setOpened([picture])}
            hint={hintOf(entry, first.data)}
            action={<WholeStage stage={entry} counts={counts} all={all} />}
          />
        ))}
      </div>
      {chosen.size > 0 ? (
        <ChosenBar
          pictures={[...chosen.values()]}
          busy={run.isPending}
          onAct={(action) => act(action, [...chosen.values()])}
          onClear={() => setChosen(new Map())}
        />
      ) : null}
      {opened ? (
        <PictureDialog
          pictures={opened}
          busy={run.isPending}
          error={run.error}
          onAssign={({ id }) => act('assign', opened, id)}
          onClose={close}
        />
      ) : null}
    </Stack>
  );
}

type WholeStageProps = {
  stage: InboxStage;
  counts: InboxCounts | undefined;
  all: ReturnType<typeof useInboxActions>['all'];
};

/** The button that applies to all pictures of a stage, including those on other pages. */
function WholeStage({ stage, counts, all }: WholeStageProps) {
  if (stage !== 'waiting' && stage !== 'file') return null;
  const ready = (counts?.matched ?? 0) > 0;
  const filing = (counts?.file ?? 0) > 0;
  return (
    <Button
      size="compact-sm"
      flex="none"
      variant={stage === 'waiting' || (filing && !ready) ? 'filled' : 'default'}
      disabled={stage === 'waiting' ? !ready : !filing}
      loading={all.isPending && all.variables === stage}
      onClick={() => all.mutate(stage)}
    >
      {stage === 'waiting' ? 'Send all matched' : 'File all'}
    </Button>
  );
}

type BarProps = { pictures: PictureRow[]; busy: boolean; onAct: (action: Action) => void; onClear: () => void };

/** The actions that apply to any of the selected pictures. Afterwards the page lists the pictures that an action skipped, with the reason. */
function ChosenBar({ pictures, busy, onAct, onClear }: BarProps) {
  const stages = new Set(pictures.map(stageOf));
  const actions = [
    ...new Set(
      INBOX_STAGES.filter((inboxStage) => stages.has(inboxStage)).flatMap((inboxStage) => ACTIONS[inboxStage]),
    ),
  ];
  return (
    <section className={`card ${classes['bar']}`} aria-label="Selected pictures">
      <Group px="md" py="xs" gap="xs" justify="space-between">
        <Text size="sm" role="status">
          {countOf(pictures.length, 'picture')} selected
        </Text>
        <Group gap="xs">
          {actions.map((action) => (
            <Button key={action} size="compact-sm" variant="default" disabled={busy} onClick={() => onAct(action)}>
              {ACTION_LABELS[action]}
            </Button>
          ))}
          <Button size="compact-sm" variant="subtle" onClick={onClear}>
            Deselect
          </Button>
        </Group>
      </Group>
    </section>
  );
}
