// The lines as cards, for a phone: item and amount on one line, then what it is, then quantity, price and source.
import { Group, Text, UnstyledButton } from '@mantine/core';
import type { QuoteItem } from '#features/quote-edit/quote-edit.contract.ts';
import { formatAmount, formatPrice } from '#shared/money.ts';
import { useBoard } from './board.web.ts';
import { isPriced, lineTrouble, priceNote, sectionTotal } from './line-words.ts';

type Props = { items: readonly QuoteItem[]; onEdit: (item: QuoteItem) => void };

export function LineCards({ items, onEdit }: Props) {
  const { data } = useBoard();
  const { currnIdx } = data.quote;
  return (
    <ul aria-label="Lines" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {items.map((item, index) => (
        <li
          key={item.id}
          style={{ borderTop: '1px solid var(--app-line)', contentVisibility: 'auto', containIntrinsicSize: '0 76px' }}
        >
          {isPriced(item) ? (
            <UnstyledButton
              w="100%"
              px="sm"
              py={8}
              disabled={!data.editable.commercial || item.type === 'free'}
              onClick={() => onEdit(item)}
              style={{ opacity: item.active ? 1 : 0.55 }}
            >
              <Group justify="space-between" wrap="nowrap">
                <Text fw={600} size="sm" className="ellipsis tabular">
                  {item.itemNumber}
                </Text>
                <Text fw={600} size="sm" className="tabular">
                  {formatAmount(item.lineTotal, currnIdx)}
                </Text>
              </Group>
              <Text size="sm">{item.description}</Text>
              <Text size="xs" className="muted tabular">
                {item.qty} {item.unit} × {item.unitPrice === null ? 'no price' : formatPrice(item.unitPrice, currnIdx)}
                {item.discountPct > 0 ? ` (−${item.discountPct} %)` : ''}{' '}
                {[priceNote(item), item.optional ? 'optional' : ''].filter(Boolean).join(' · ')}
              </Text>
              {lineTrouble(item, currnIdx) ? (
                <Text size="xs" c="red">
                  {lineTrouble(item, currnIdx)}
                </Text>
              ) : null}
            </UnstyledButton>
          ) : (
            <Group justify="space-between" px="sm" py={6} style={{ background: 'var(--app-surface)' }}>
              <Text fw={600} size="sm">
                {item.description}
              </Text>
              {item.type === 'section' ? (
                <Text size="sm" className="tabular">
                  {formatAmount(sectionTotal(items, index), currnIdx)}
                </Text>
              ) : null}
            </Group>
          )}
        </li>
      ))}
    </ul>
  );
}
