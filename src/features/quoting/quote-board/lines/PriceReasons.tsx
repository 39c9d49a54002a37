// Says a reason that several manual prices share once for all of them, so that no row repeats it.
import { Button, Menu, Text } from '@mantine/core';
import type { QuoteItem } from '#features/quoting/quote-edit/lines/quote-item.ts';
import { countOf } from '#shared/count-of.ts';
import { sharedReasons } from './line-words.ts';

type Props = { items: readonly QuoteItem[]; onSelect?: ((ids: readonly number[]) => void) | undefined };

/** On cards, which cannot be selected (no `onSelect`), each reason has its line. In the bar of the grid several of them are a menu. */
export function PriceReasons({ items, onSelect }: Props) {
  const reasons = [...sharedReasons(items)];
  if (onSelect && reasons.length > 1) {
    return (
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <Button size="compact-xs" variant="subtle" flex="none">
            Set by hand: {reasons.length} reasons
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {reasons.map(([reason, lines]) => (
            <Menu.Item key={reason} maw={420} onClick={() => onSelect(lines.map(({ id }) => id))}>
              {reason}
              <Text size="xs" className="muted">
                Select {countOf(lines.length, 'line')}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    );
  }
  return reasons.map(([reason, lines]) => {
    const words = `Set by hand on ${countOf(lines.length, 'line')}: ${reason}`;
    if (!onSelect) {
      return (
        <Text key={reason} size="xs" className="muted" px="sm" pb={4}>
          {words}
        </Text>
      );
    }
    return (
      <span key={reason} style={{ display: 'flex', alignItems: 'center', minWidth: 0 }}>
        <Text size="xs" className="muted ellipsis" title={words}>
          {words}
        </Text>
        <Button size="compact-xs" variant="subtle" flex="none" onClick={() => onSelect(lines.map(({ id }) => id))}>
          Select them
        </Button>
      </span>
    );
  });
}
