// The actions on selected lines: discount, quantity, section, duplicate, remove.
import { Button, Group, Menu, Text } from '@mantine/core';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { useBoard } from '../../state/board.web.ts';
import { type LineActions, moveToSection, notDone } from '../line-actions.web.ts';

type Props = {
  lines: QuoteItem[];
  actions: LineActions;
  onCopy: () => void;
  onDialog: (kind: 'discount' | 'quantity') => void;
  onNewSection: () => void;
};

export function SelectionBar(props: Props) {
  const { commercial } = useBoard().data.editable;
  return (
    <Group gap="xs" role="toolbar" aria-label="Selected lines">
      <Text fw={600} size="sm" role="status">
        {props.lines.length.toLocaleString('en-US')} selected
      </Text>
      {commercial ? <Changes {...props} /> : null}
      <Button size="compact-sm" variant="default" onClick={props.onCopy}>
        Copy
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={props.actions.selection.none}>
        Clear selection (Esc)
      </Button>
    </Group>
  );
}

/** The actions that change the selected lines. */
function Changes({ lines, actions, onDialog, onNewSection }: Props) {
  const { items, store } = useBoard();
  const { none } = actions.selection;
  const withAll = (act: (lines: readonly QuoteItem[]) => void) => () => {
    act(lines);
    none();
  };
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => onDialog('discount')}>
        Discount…
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => onDialog('quantity')}>
        Multiply quantity…
      </Button>
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="default">
            Move to section
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {items
            .filter((item) => item.type === 'section')
            .map((section) => (
              <Menu.Item
                key={section.id}
                onClick={() => void moveToSection(store, items, lines, section).then(none, notDone)}
              >
                {section.description}
              </Menu.Item>
            ))}
          <Menu.Item onClick={onNewSection}>New section</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button size="compact-sm" variant="default" onClick={withAll(actions.duplicate)}>
        Duplicate
      </Button>
      <Button size="compact-sm" variant="default" color="red" onClick={withAll(actions.remove)}>
        Remove
      </Button>
    </>
  );
}
