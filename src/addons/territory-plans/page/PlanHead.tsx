// The head of a plan: its name, state, day and users, whether it is saved, undo and redo, and the available steps.
import { ActionIcon, Anchor, Button, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp, IconArrowForwardUp, IconDots } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMovingQuotes } from '#core/territories/territory-admin/moving-quotes/MoveQuotesDialog.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate, formatInstant, formatTime } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { useKeys } from '#platform/ui/keys.tsx';
import { ArchiveDialog, CopyDialog, RollBackDialog } from './PlanDialogs.tsx';
import { EditPlanDrawer, readersInWords } from './PlanForm.tsx';
import { StateChip } from '../PlansPage.tsx';
import { usePlan } from './plan.web.ts';
import { isWorking, lockedWords } from '../plan-words.ts';
import { PublishDialog } from '../publishing/PublishDialog.tsx';
import { WorkPanel } from '../publishing/WorkPanel.tsx';

type Dialog = 'edit' | 'publish' | 'rollBack' | 'archive' | 'copy';

export function PlanHead({ isPhone }: { isPhone: boolean }) {
  const { loaded, moves, store } = usePlan();
  const { map, allowed } = loaded;
  const navigate = useNavigate();
  const moving = useMovingQuotes(null);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const open = (which: Dialog) => () => setDialog(which);
  const locked = lockedWords(loaded);
  const isOut = map.state === 'Archived';
  const mayPublish = allowed.publish && !isPhone;
  useKeys([
    { key: 'e', label: 'Edit plan', disabled: !allowed.edit, run: open('edit') },
    { key: 'p', label: 'Publish', disabled: !mayPublish, run: open('publish') },
    { key: 'c', label: 'Copy', run: open('copy') },
  ]);

  return (
    <Stack gap="xs" px={{ base: 'md', sm: 0 }}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Title order={1}>{map.name}</Title>
          <StateChip row={{ ...map, working: isWorking(map) ? (map.work?.action ?? null) : null }} />
        </Group>
        <Group gap="xs">
          {allowed.edit && !isPhone ? <Turns /> : null}
          {allowed.edit && !isPhone ? (
            <Button variant="default" aria-keyshortcuts="e" onClick={open('edit')}>
              Edit
            </Button>
          ) : null}
          {locked && !isPhone && !isWorking(map) ? (
            <Button variant="default" aria-keyshortcuts="c" onClick={open('copy')}>
              Copy
            </Button>
          ) : null}
          {allowed.rollBack && !isPhone ? (
            <Button variant="default" onClick={open('rollBack')}>
              {' '}
              Roll back{' '}
            </Button>
          ) : null}
          {mayPublish ? (
            <Button variant={moves.length > 0 ? 'filled' : 'default'} aria-keyshortcuts="p" onClick={open('publish')}>
              Publish
            </Button>
          ) : null}
          {isPhone ? null : (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="default" size="input-sm" aria-label="More">
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={open('copy')}>Copy</Menu.Item>
                {allowed.archive ? (
                  <Menu.Item onClick={open('archive')}>{isOut ? 'Restore' : 'Archive'}</Menu.Item>
                ) : null}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </Group>
      <Facts />
      {map.note ? (
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {map.note}
        </Text>
      ) : null}
      <WorkPanel onPublished={moving.check} />
      {locked ? (
        <Text size="sm" className="muted" role="note">
          {locked}
        </Text>
      ) : null}
      {dialog === 'edit' ? <EditPlanDrawer loaded={loaded} onSaved={store.receive} onClose={close} /> : null}
      {dialog === 'publish' ? <PublishDialog onPublished={moving.check} onClose={close} /> : null}
      {dialog === 'rollBack' ? <RollBackDialog onClose={close} /> : null}
      {dialog === 'archive' ? <ArchiveDialog onClose={close} /> : null}
      {dialog === 'copy' ? (
        <CopyDialog
          plan={map}
          onCopied={({ map: copy }) => void navigate({ to: paths.savedMap(copy.id) })}
          onClose={close}
        />
      ) : null}
      {moving.dialog}
    </Stack>
  );
}

function Facts() {
  const { map } = usePlan().loaded;
  const facts = [
    map.state === 'Published'
      ? `In effect from ${formatDate(map.effectiveDay)}`
      : `Takes effect on ${formatDate(map.effectiveDay)}`,
    `Owner: ${map.owner.name}`,
    map.readers.length > 0 ? `Shared with ${readersInWords(map.readers)}` : 'Not shared',
    `Compared with ${formatDate(map.baseDay)}`,
    map.publishedAt ? `Published ${formatInstant(map.publishedAt)} by ${map.publishedBy}` : '',
  ];
  return (
    <Text size="sm" className="muted tabular">
      {facts.filter(Boolean).join(' · ')}
    </Text>
  );
}

/** Shows undo and redo, and whether everything is saved. */
function Turns() {
  const { store, canUndo, canRedo } = usePlan();
  const turn = async (back: () => Promise<string | null>, done: string) => {
    const label = await back();
    notifications.show({
      message: label ? `${done}: ${label}.` : 'Someone else has changed these ZIPs, so nothing was changed.',
    });
  };
  const turns = [
    {
      key: 'mod+z',
      label: 'Undo',
      disabled: !canUndo,
      run: () => void turn(store.undo, 'Undone'),
      Icon: IconArrowBackUp,
    },
    {
      key: 'mod+shift+z',
      label: 'Redo',
      disabled: !canRedo,
      run: () => void turn(store.redo, 'Redone'),
      Icon: IconArrowForwardUp,
    },
  ];
  useKeys(turns);
  return (
    <Group gap="xs" wrap="nowrap">
      <SaveState />
      {turns.map(({ key, label, disabled, run, Icon }) => (
        <ActionIcon
          key={key}
          variant="default"
          size="input-sm"
          aria-label={label}
          aria-keyshortcuts={key}
          disabled={disabled}
          onClick={run}
        >
          <Icon size={18} />
        </ActionIcon>
      ))}
    </Group>
  );
}

function SaveState() {
  const { unsaved, error, savedAt, store } = usePlan();
  if (error)
    return (
      <Text component="div" size="sm" c="red" role="alert">
        {countOf(unsaved, 'change')} not saved: {error.message}{' '}
        <Anchor component="button" size="sm" onClick={store.retry}>
          Try again
        </Anchor>{' '}
        <Anchor component="button" size="sm" onClick={store.discard}>
          Discard
        </Anchor>
      </Text>
    );
  return (
    <Text size="sm" className="muted tabular" role="status">
      {unsaved > 0 ? 'Saving…' : savedAt ? `Saved ${formatTime(savedAt)}` : ''}
    </Text>
  );
}
