// The button for the actions on one line. A menu is rendered only when opened, because a quote may have a thousand rows.
import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { laterMenu } from '#platform/ui/later.tsx';
import type { LineMenuProps } from './LineMenuList.tsx';

const LineMenuList = laterMenu<LineMenuProps>(
  () => import('./LineMenuList.tsx'),
  'The actions could not be loaded. Check your connection and reload the page.',
);

export function LineMenu(props: LineMenuProps) {
  return (
    <LineMenuList
      {...props}
      button={
        <ActionIcon
          variant="subtle"
          color="gray"
          size={props.cards ? 'lg' : 'sm'}
          aria-label={`Actions for line ${props.item.lineNo}`}
          aria-haspopup="menu"
          aria-expanded={false}
        >
          <IconDots size={14} />
        </ActionIcon>
      }
    />
  );
}
