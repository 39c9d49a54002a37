// The views of a list, each with the number of its rows; choosing one shows it.
import { Menu, Text } from '@mantine/core';
import { IconHome } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { api } from '#api/client.web.ts';
import { counted } from '#ui/counted.ts';
import type { ListToolsProps } from '#ui/list-tools.tsx';
import { SavedView, type View } from './saved-views.contract.ts';

type Props = ListToolsProps & { screen: string; onSave: () => void; onManage: () => void };

const COUNTED_FOR_MS = 60_000;

export default function ViewsMenu({ screen, countOf, onSave, onManage }: Props) {
  const views = useQuery(api(SavedView).GetViews.query({ screen }));
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (
    <>
      {views.error ? (
        <Text size="sm" p="xs" role="alert">
          The views could not be loaded. {views.error.message}
        </Text>
      ) : !views.data ? (
        <Text size="sm" p="xs" className="muted" role="status">
          Loading…
        </Text>
      ) : views.data.length === 0 ? (
        <Text size="sm" p="xs" className="muted">
          No views yet. A view keeps the filters and the order of this list under a name.
        </Text>
      ) : (
        views.data.map((view) => (
          <Menu.Item
            key={view.id}
            leftSection={view.isStart ? <IconHome size={16} role="img" aria-label="Start view" /> : undefined}
            rightSection={countOf ? <Count view={view} countOf={countOf} /> : undefined}
            onClick={() => void navigate({ to: pathname, search: searchOf(view) })}
          >
            {view.name}
            {view.isMine ? null : (
              <Text size="xs" className="muted">
                {view.ownerName}
              </Text>
            )}
          </Menu.Item>
        ))
      )}
      <Menu.Divider />
      <Menu.Item onClick={onSave}>Save this list as a view…</Menu.Item>
      {views.data && views.data.length > 0 ? <Menu.Item onClick={onManage}>Manage views…</Menu.Item> : null}
    </>
  );
}

const searchOf = ({ address }: View) => Object.fromEntries(new URLSearchParams(address));

function Count({ view, countOf }: { view: View; countOf: NonNullable<Props['countOf']> }) {
  const count = useQuery({
    queryKey: ['count of view', view.screen, view.address],
    queryFn: () => countOf(searchOf(view)),
    staleTime: COUNTED_FOR_MS,
    retry: false,
  });
  return count.data ? (
    <Text size="sm" className="muted tabular">
      {counted(count.data)}
    </Text>
  ) : null;
}
