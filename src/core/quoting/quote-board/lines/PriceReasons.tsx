// Shows a reason that several manual prices share once for all of them, so that no row repeats it.
import { Button, Menu, Text } from '@mantine/core';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { sharedReasons } from './line-words.ts';

type Props = { items: readonly QuoteItem[]; onSelect?: ((ids: readonly number[]) => void) | undefined };

/** On cards, which cannot be selected (no `onSelect`), each reason has its own row. Below the grid the reasons are in a menu. */
export function PriceReasons({ items, onSelect }: Props) {
  const reasons = [...sharedReasons(items)];
  if (reasons.length === 0) return null;
  if (!onSelect) {
    return reasons.map(([reason, lines]) => (
      <Text key={reason} size="xs" className="muted" px="sm" pb={4}>
        Manual price on {countOf(lines.length, 'line')}: {reason}
      </Text>
    ));
  }
  return (
    <Menu position="top-start" withinPortal>
      <Menu.Target>
        <Button size="compact-xs" variant="subtle" flex="none">
          Manual prices: {countOf(reasons.length, 'reason')}
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
