// The views of a list with their actions: use as start view, copy the link, change, delete.
import { ActionIcon, Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { copyLink } from '#platform/ui/copy-link.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { SavedView, type View } from './saved-views.contract.ts';

type Props = { screen: string; onEdit: (view: View) => void; onClose: () => void };

export default function ViewsDialog({ screen, onEdit, onClose }: Props) {
  const views = useQuery(api(SavedView).GetViews.query({ screen }));
  const { pathname } = useLocation();
  const [deleting, setDeleting] = useState<View | null>(null);
  const start = useMutation(api(SavedView).SetStartView.mutation());
  const remove = useMutation({ ...api(SavedView).DeleteView.mutation(), onSuccess: () => setDeleting(null) });
  return (
    <>
      <Modal opened onClose={onClose} title="Views of this list">
        <Stack gap="xs">
          <ErrorAlert error={views.error ?? start.error} onRetry={views.error ? views.refetch : undefined} />
          {views.data?.length === 0 ? (
            <Text size="sm" className="muted">
              No views yet.
            </Text>
          ) : null}
          <ul aria-label="Views" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {(views.data ?? []).map((view) => (
              <li key={view.id} style={{ borderBottom: '1px solid var(--app-line)', padding: '8px 0' }}>
                <Group justify="space-between" wrap="nowrap" gap="xs">
                  <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                    <Text size="sm" fw={600}>
                      {view.name}
                    </Text>
                    <Text size="xs" className="muted">
                      {aboutOf(view)}
                    </Text>
                  </div>
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <ActionIcon variant="default" size={36} aria-label={`More for ${view.name}`}>
                        <IconDots size={18} />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item onClick={() => start.mutate({ screen, id: view.isStart ? null : view.id })}>
                        {view.isStart ? 'Remove as start view' : 'Use as start view'}
                      </Menu.Item>
                      <Menu.Item onClick={() => void copyLink(`${pathname}?${view.address}`)}>Copy link</Menu.Item>
                      {view.mayChange ? (
                        <>
                          <Menu.Item onClick={() => onEdit(view)}>Edit…</Menu.Item>
                          <Menu.Item color="red" onClick={() => setDeleting(view)}>
                            Delete…
                          </Menu.Item>
                        </>
                      ) : null}
                    </Menu.Dropdown>
                  </Menu>
                </Group>
              </li>
            ))}
          </ul>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </Group>
        </Stack>
      </Modal>
      {deleting ? (
        <ConfirmDialog
          title={`Delete ${deleting.name}?`}
          action="Delete view"
          harmful
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ id: deleting.id, version: deleting.version })}
          onClose={() => {
            setDeleting(null);
            remove.reset();
          }}
        >
          {deleting.shared.length > 0
            ? 'The people it is shared with lose it too. The records in the list are not affected.'
            : 'The records in the list are not affected.'}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function aboutOf({ isStart, isMine, ownerName, shared }: View): string {
  return [
    ...(isStart ? ['Start view'] : []),
    isMine ? 'Yours' : ownerName,
    shared.length === 0 ? 'not shared' : `shared with: ${shared.map((role) => ROLE_LABELS[role]).join(', ')}`,
  ].join(' · ');
}
