// The button of a list that opens its views. The menu loads soon after the list, its dialogs at their first use.
import { Button } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListToolsProps } from '#platform/ui/list-tools.tsx';
import { isPrintView } from '#platform/ui/printing.web.ts';
import { later, laterMenu } from '#platform/ui/later.tsx';
import type { View } from './saved-views.contract.ts';
import type { ViewsMenuProps } from './ViewsMenu.tsx';
import { viewScreen } from './view-address.ts';

const FAILED = 'The views could not be loaded. Check the network and reload the page.';
const ViewsMenu = laterMenu<ViewsMenuProps>(() => import('./ViewsMenu.tsx'), FAILED);
const ViewDialog = later(() => import('./ViewDialog.tsx'), { loading: <></>, failed: FAILED });
const ViewsDialog = later(() => import('./ViewsDialog.tsx'), { loading: <></>, failed: FAILED });

/** What is open: the form of a view (null for a new one), or the list of views. */
type Open = { form: View | null } | 'list';

export function ViewsButton({ countOf, of }: ListToolsProps) {
  const { pathname, search } = useLocation();
  const [open, setOpen] = useState<Open | null>(null);
  // Lists on the page of a record have the filters of that page, so they have no views.
  if (isPrintView(search) || /\/\d+$/.test(pathname)) return null;
  const screen = viewScreen(pathname);
  return (
    <>
      <ViewsMenu
        button={
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
            aria-haspopup="menu"
            aria-expanded={false}
          >
            Views
          </Button>
        }
        screen={screen}
        countOf={countOf}
        {...(of ? { of } : {})}
        onSave={() => setOpen({ form: null })}
        onManage={() => setOpen('list')}
      />
      {open === 'list' ? (
        <ViewsDialog screen={screen} onEdit={(form) => setOpen({ form })} onClose={() => setOpen(null)} />
      ) : open ? (
        <ViewDialog screen={screen} view={open.form} onClose={() => setOpen(open.form ? 'list' : null)} />
      ) : null}
    </>
  );
}
