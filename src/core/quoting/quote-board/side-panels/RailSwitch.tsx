// Shows and hides the right side of the board, and names its first panel.
import { ActionIcon, Button } from '@mantine/core';
import { IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import { useBoard } from '../state/board.web.ts';

/** Whether the right side is visible. */
export type Rail = { isShown: boolean; onSwitch: () => void };

export function RailSwitch({ isShown, onSwitch }: Rail) {
  const { approvalNeeded, approval, configurator } = useBoard().data;
  if (isShown) {
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        flex="none"
        aria-label="Hide the side panel"
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
      className="no-print"
      flex="none"
      aria-label={`Show the side panel: ${first}`}
      aria-expanded={false}
      leftSection={<IconLayoutSidebarRightExpand size={16} />}
      onClick={onSwitch}
    >
      {first}
    </Button>
  );
}
