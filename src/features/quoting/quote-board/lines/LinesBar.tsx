// The bar of the lines: add, paste, one menu with the rest, the reasons that several prices share, and the switch of the right side.
import { ActionIcon, Button, Group, Menu, Popover, Text, Title } from '@mantine/core';
import { IconDots, IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '#shared/paths.ts';
import { useBoardLayout } from '../layout/layout.web.ts';
import { useBoard } from '../state/board.web.ts';
import { ColumnsPanel } from './grid/ColumnsPanel.tsx';

/** Whether the right side of the board is in sight, and what it would show first. */
export type RailSwitch = { isShown: boolean; onSwitch: () => void };

type Props = {
  isGrid: boolean;
  rail: RailSwitch;
  onAdd: () => void;
  onPaste: () => void;
  onTemplate: () => void;
  onSection: () => void;
  onFind: () => void;
  onBack: (which: 'undo' | 'redo') => void;
  /** Opens the request for a contract price; undefined when this person may not ask for one. */
  onRequest: (() => void) | undefined;
  /** Opens the choice of a configurator's file. */
  onFile: () => void;
  children: React.ReactNode;
};

export function LinesBar(props: Props) {
  const { data, items } = useBoard();
  const { editable } = data;
  const count = items.filter((item) => item.type !== 'section' && item.type !== 'note').length;
  return (
    <>
      <Group gap="xs" wrap="nowrap" miw={0} flex={1}>
        <Title order={2} id="lines-title" style={{ flex: 'none' }}>
          Lines
        </Title>
        <Text className="muted tabular">{count}</Text>
        {editable.commercial ? (
          <>
            <Button size="compact-sm" variant="light" ml="xs" flex="none" onClick={props.onAdd}>
              Add Item
            </Button>
            <Button size="compact-sm" variant="default" flex="none" onClick={props.onPaste}>
              Paste
            </Button>
          </>
        ) : null}
        <More {...props} />
        {editable.commercial ? null : (
          <Text size="sm" className="muted ellipsis" title={editable.reason}>
            {editable.reason}
          </Text>
        )}
        {props.children}
      </Group>
      {props.isGrid ? <Switch {...props.rail} /> : null}
    </>
  );
}

/** What is not needed with every line. */
function More(props: Props) {
  const { data, canUndo, canRedo, view } = useBoard();
  const { layout, change } = useBoardLayout();
  const [arranging, setArranging] = useState(false);
  const { commercial, notes } = data.editable;
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
          {/* Some entries move the focus on their own. */}
          <Menu position="bottom-start" withinPortal returnFocus={false} width={260}>
            <Menu.Target>
              <ActionIcon variant="default" size={26} aria-label="More for the lines">
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {commercial ? (
                <>
                  <Menu.Item onClick={props.onTemplate}>Template…</Menu.Item>
                  <Menu.Item onClick={props.onSection}>Section</Menu.Item>
                  {data.configurator.offers ? (
                    <Menu.Item component={Link} to={paths.configureQuote(data.quote.id)}>
                      Configure
                    </Menu.Item>
                  ) : null}
                </>
              ) : null}
              {notes ? <Menu.Item onClick={props.onFile}>Read a configurator’s file…</Menu.Item> : null}
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
                    {layout.density === 'dense' ? 'Rows of usual height' : 'Lower rows'}
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

/** The terms come after the last line, which may be far. */
function goToTerms(): void {
  const terms = document.getElementById('terms-title');
  terms?.scrollIntoView({ block: 'center' });
  terms?.closest('section')?.querySelector<HTMLElement>('button, input, textarea')?.focus({ preventScroll: true });
}

function Switch({ isShown, onSwitch }: RailSwitch) {
  const { approvalNeeded, approval, configurator } = useBoard().data;
  if (isShown) {
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        flex="none"
        aria-label="Hide the right side"
        aria-expanded
        onClick={onSwitch}
      >
        <IconLayoutSidebarRightCollapse size={18} />
      </ActionIcon>
    );
  }
  const needsApproval = approval?.state === 'Pending' || approvalNeeded.length > 0;
  const first = configurator.waits ? 'Configurator' : needsApproval ? 'Approval' : 'Activity';
  return (
    <Button
      size="compact-sm"
      variant="default"
      flex="none"
      aria-label={`Show the right side: ${first}`}
      aria-expanded={false}
      leftSection={<IconLayoutSidebarRightExpand size={16} />}
      onClick={onSwitch}
    >
      {first}
    </Button>
  );
}
