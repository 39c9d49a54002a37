// The actions on selected lines: discount, quantity, section, duplicate, remove.
import { Button, Group, Menu, Text } from '@mantine/core';
import type { QuoteItem } from '#features/quoting/quote-edit/lines/quote-item.ts';

type Props = {
  lines: QuoteItem[];
  sections: QuoteItem[];
  editable: boolean;
  onCopy: () => void;
  onDiscount: () => void;
  onQuantity: () => void;
  onSection: (section: QuoteItem | null) => void;
  onDuplicate: () => void;
  onRemove: () => void;
  onLeave: () => void;
};

export function SelectionBar(props: Props) {
  const { lines, editable } = props;
  return (
    <Group gap="xs" role="toolbar" aria-label="Selected lines">
      <Text fw={600} size="sm" role="status">
        {lines.length} selected
      </Text>
      {editable ? <Changes {...props} /> : null}
      <Button size="compact-sm" variant="default" onClick={props.onCopy}>
        Copy
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={props.onLeave}>
        Cancel (Esc)
      </Button>
    </Group>
  );
}

/** The actions that change the selected lines. */
function Changes(props: Props) {
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={props.onDiscount}>
        Discount…
      </Button>
      <Button size="compact-sm" variant="default" onClick={props.onQuantity}>
        Quantity ×…
      </Button>
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="default">
            Move to section
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {props.sections.map((section) => (
            <Menu.Item key={section.id} onClick={() => props.onSection(section)}>
              {section.description}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => props.onSection(null)}>New section</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button size="compact-sm" variant="default" onClick={props.onDuplicate}>
        Duplicate
      </Button>
      <Button size="compact-sm" variant="default" color="red" onClick={props.onRemove}>
        Remove
      </Button>
    </>
  );
}
