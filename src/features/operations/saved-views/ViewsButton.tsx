// The button of a list that opens its views. The menu and its dialogs are loaded with their first use.
import { Button, Loader, Menu } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListToolsProps } from '#ui/list-tools.tsx';
import { later } from '#ui/later.tsx';
import type { View } from './saved-views.contract.ts';
import { viewScreen } from './view-address.ts';

const FAILED = 'The views could not be loaded. Check the network and reload the page.';
const ViewsMenu = later(() => import('./ViewsMenu.tsx'), {
  loading: <Loader size="sm" m="sm" role="img" aria-label="Loading" />,
  failed: FAILED,
});
const ViewDialog = later(() => import('./ViewDialog.tsx'), { loading: <></>, failed: FAILED });
const ViewsDialog = later(() => import('./ViewsDialog.tsx'), { loading: <></>, failed: FAILED });

/** What is open: the form of a view (null: a new one), or the list of views. */
type Open = { form: View | null } | 'list';

export function ViewsButton({ countOf, of }: ListToolsProps) {
  const { pathname } = useLocation();
  const [open, setOpen] = useState<Open | null>(null);
  // Lists on the page of a record have its criteria, not those of a list of their own.
  if (/\/\d+$/.test(pathname)) return null;
  const screen = viewScreen(pathname);
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
          <ViewsMenu
            screen={screen}
            countOf={countOf}
            {...(of ? { of } : {})}
            onSave={() => setOpen({ form: null })}
            onManage={() => setOpen('list')}
          />
        </Menu.Dropdown>
      </Menu>
      {open === 'list' ? (
        <ViewsDialog screen={screen} onEdit={(form) => setOpen({ form })} onClose={() => setOpen(null)} />
      ) : open ? (
        <ViewDialog screen={screen} view={open.form} onClose={() => setOpen(open.form ? 'list' : null)} />
      ) : null}
    </>
  );
}
