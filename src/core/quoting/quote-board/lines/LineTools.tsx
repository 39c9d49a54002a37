// The toolbar of the lines: add, paste, and a menu with the other actions.
import { ActionIcon, Button, Menu, Popover } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { openEntries } from '#platform/addons/addon.web.ts';
import { lineTools } from '../doors.web.ts';
import { useBoardLayout } from '../layout/layout.web.ts';
import { useBoard } from '../state/board.web.ts';
import { ColumnsPanel } from './grid/ColumnsPanel.tsx';

type Props = {
  isGrid: boolean;
  onAdd: () => void;
  onPaste: () => void;
  onTemplate: () => void;
  onSection: () => void;
  onFind: () => void;
  onBack: (which: 'undo' | 'redo') => void;
  /** Opens the request for a contract price. Undefined when this user may not request one. */
  onRequest: (() => void) | undefined;
};

export function LineTools(props: Props) {
  const { commercial } = useBoard().data.editable;
  return (
    <>
      {commercial ? (
        <>
          <Button size="compact-sm" variant="light" flex="none" onClick={props.onAdd}>
            Add Item
          </Button>
          <Button size="compact-sm" variant="default" flex="none" onClick={props.onPaste}>
            Paste
          </Button>
        </>
      ) : null}
      <More {...props} />
    </>
  );
}

/** The less frequent actions. */
function More(props: Props) {
  const { data, canUndo, canRedo, view } = useBoard();
  const { layout, change } = useBoardLayout();
  const [arranging, setArranging] = useState(false);
  const { commercial } = data.editable;
  return (
    <Popover
      opened={arranging}
      onChange={setArranging}
      position="bottom-start"
      width={300}
      withinPortal
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <div style={{ flex: 'none' }}>
          {/* Some entries move the focus themselves. */}
          <Menu position="bottom-start" withinPortal returnFocus={false} width={260}>
            <Menu.Target>
              <ActionIcon variant="default" size={26} aria-label="More line actions">
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {commercial ? (
                <>
                  <Menu.Item onClick={props.onTemplate}>Add from template…</Menu.Item>
                  <Menu.Item onClick={props.onSection}>Add section</Menu.Item>
                </>
              ) : null}
              {openEntries(lineTools)
                .filter(({ isShown }) => isShown(data))
                .map((tool) =>
                  'to' in tool ? (
                    <Menu.Item key={tool.label} component={Link} to={tool.to(data.quote.id)}>
                      {tool.label}
                    </Menu.Item>
                  ) : (
                    <Menu.Item key={tool.label} onClick={tool.run}>
                      {tool.label}
                    </Menu.Item>
                  ),
                )}
              {props.onRequest ? <Menu.Item onClick={props.onRequest}>Request a contract price…</Menu.Item> : null}
              {commercial ? (
                <>
                  <Menu.Divider />
                  <Menu.Item disabled={!canUndo} rightSection="Ctrl+Z" onClick={() => props.onBack('undo')}>
                    Undo
                  </Menu.Item>
                  <Menu.Item disabled={!canRedo} rightSection="Ctrl+Y" onClick={() => props.onBack('redo')}>
                    Redo
                  </Menu.Item>
                </>
              ) : null}
              {props.isGrid ? (
                <>
                  <Menu.Divider />
                  <Menu.Item rightSection="Ctrl+F" onClick={props.onFind}>
                    Find
                  </Menu.Item>
                  <Menu.Item onClick={() => setArranging(true)}>Columns…</Menu.Item>
                  <Menu.Item
                    onClick={() => change({ ...layout, density: layout.density === 'dense' ? 'normal' : 'dense' })}
                  >
                    {layout.density === 'dense' ? 'Normal rows' : 'Compact rows'}
                  </Menu.Item>
                  <Menu.Item onClick={goToTerms}>Go to the terms</Menu.Item>
                </>
              ) : null}
            </Menu.Dropdown>
          </Menu>
        </div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Columns" p="xs">
        <ColumnsPanel internal={view === 'internal'} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Goes to the terms, which come after the last line and may be far down. */
function goToTerms(): void {
  const terms = document.getElementById('terms-title');
  terms?.scrollIntoView({ block: 'center' });
  terms?.closest('section')?.querySelector<HTMLElement>('button, input, textarea')?.focus({ preventScroll: true });
}
