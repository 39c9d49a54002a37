// The views of a list, each with the number of its rows. Choosing a view shows it. Below them are the columns, which a view stores too.
import { Menu, Text } from '@mantine/core';
import { IconHome } from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { columnName, columnsOnScreen, HIDE, hiddenIn } from '#platform/ui/list-columns.web.ts';
import { counted } from '#platform/ui/counted.ts';
import { NARROW } from '#platform/ui/DataList.tsx';
import type { OfButton } from '#platform/ui/later.tsx';
import type { ListToolsProps } from '#platform/ui/list-tools.tsx';
import { SavedView, type View } from './saved-views.contract.ts';

export type ViewsMenuProps = ListToolsProps & { screen: string; onSave: () => void; onManage: () => void };

const COUNTED_FOR_MS = 60_000;

export default function ViewsMenu({ button, opened, onChange, ...entries }: ViewsMenuProps & OfButton) {
  return (
    <Menu position="bottom-end" width={300} opened={opened} onChange={onChange}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <Views {...entries} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Views({ screen, countOf, of, onSave, onManage }: ViewsMenuProps) {
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
          {of
            ? `No views yet. A view saves the filters of this ${of}.`
            : 'No views yet. A view saves the filters, sort order and columns of this list.'}
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
      <Menu.Item onClick={onSave}>Save this {of ?? 'list'} as a view…</Menu.Item>
      {views.data && views.data.length > 0 ? <Menu.Item onClick={onManage}>Manage views…</Menu.Item> : null}
      {of ? null : <Columns />}
    </>
  );
}

/** Shows and hides the columns of the table. Cards on a phone show all columns. */
function Columns() {
  const address = useAddress();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const hidden = hiddenIn(address[HIDE]);
  const titles = columnsOnScreen.slice(1);
  if (narrow || titles.length === 0) return null;
  const flip = (name: string) => {
    const next = hidden.includes(name) ? hidden.filter((candidate) => candidate !== name) : [...hidden, name];
    // An address without any query would restore the last filters.
    const search = { page: '1', ...address, [HIDE]: next.join(',') || undefined };
    void navigate({ to: pathname, search, replace: true, resetScroll: false });
  };
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Columns</Menu.Label>
      {titles.map((title) => {
        const name = columnName(title);
        return (
          <Menu.CheckboxItem key={name} checked={!hidden.includes(name)} onChange={() => flip(name)}>
            {title}
          </Menu.CheckboxItem>
        );
      })}
    </>
  );
}

const searchOf = ({ address }: View) => Object.fromEntries(new URLSearchParams(address));

function Count({ view, countOf }: { view: View; countOf: NonNullable<ViewsMenuProps['countOf']> }) {
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
