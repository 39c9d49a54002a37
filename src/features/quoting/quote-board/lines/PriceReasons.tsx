// Shows a reason that several manual prices share once above the lines instead of under each.
import { Button, Text } from '@mantine/core';
import type { QuoteItem } from '#features/quoting/quote-edit/lines/quote-item.ts';
import { countOf } from '#shared/count-of.ts';
import { sharedReasons } from './line-words.ts';

type Props = { items: readonly QuoteItem[]; onSelect?: ((ids: readonly number[]) => void) | undefined };

export function PriceReasons({ items, onSelect }: Props) {
  return [...sharedReasons(items)].map(([reason, lines]) => (
    <Text key={reason} size="xs" className="muted" px="sm" pb={4}>
      Set by hand on {countOf(lines.length, 'line')}: {reason}{' '}
      {onSelect ? (
        <Button size="compact-xs" variant="subtle" onClick={() => onSelect(lines.map(({ id }) => id))}>
          Select them
        </Button>
      ) : null}
    </Text>
  ));
}
