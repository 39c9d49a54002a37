// The proof of a price: every step from list to net with its source and arithmetic, and other facts about the line.
import { Button, Popover, Stack, Table, Text } from '@mantine/core';
import { cloneElement } from 'react';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { formatPrice, pricesAligned } from '#platform/shared/money.ts';
import type { OfButton } from '#platform/ui/later.tsx';
import classes from './lines.module.css';
import { lineTrouble, notesOf } from './line-words.ts';

export type PriceProofProps = {
  item: QuoteItem;
  currnIdx: number;
  /** Reverts a typed price to the system price. Absent when prices cannot be edited. */
  onSystemPrice?: (() => void) | undefined;
};

export default function PriceProof(props: PriceProofProps & OfButton) {
  const { item, currnIdx, onSystemPrice, button, opened, onChange } = props;
  const trouble = lineTrouble(item, currnIdx);
  const write = pricesAligned(item.priceProof.map(({ amount }) => ({ price: amount })));
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      width="min(460px, calc(100vw - 16px))"
      withinPortal
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>{cloneElement(button, { onClick: () => onChange(!opened) })}</Popover.Target>
      <Popover.Dropdown aria-label={`Price proof for line ${item.lineNo}`}>
        <Stack gap={6}>
          <Text fw={600} size="sm" tabIndex={-1}>
            How this price was calculated
          </Text>
          <Table verticalSpacing={4} fz="xs">
            <Table.Tbody>
              {item.priceProof.map((step, index) => (
                <Table.Tr key={`${step.step}-${index}`}>
                  <Table.Td fw={600} style={{ verticalAlign: 'top', whiteSpace: 'nowrap' }}>
                    {step.step}
                  </Table.Td>
                  <Table.Td>
                    {step.source}
                    {step.note ? (
                      <Text size="xs" className="muted">
                        {step.note}
                      </Text>
                    ) : null}
                  </Table.Td>
                  <Table.Td className="figure" style={{ verticalAlign: 'top' }}>
                    {step.amount === null ? '' : write(step.amount, currnIdx)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {item.priceProof.length === 0 ? (
            <Text size="sm">{item.priceProblem || 'This line has no price yet.'}</Text>
          ) : null}
          {trouble && trouble !== item.priceProblem ? (
            <Text size="sm" className={classes['troubleText']}>
              {trouble}
            </Text>
          ) : null}
          {[item.description, ...notesOf(item, currnIdx)].map((note) => (
            <Text key={note} size="xs" className="muted">
              {note}
            </Text>
          ))}
          {onSystemPrice && item.type === 'item' && item.priceSource === 'Manual' && item.systemPrice !== null ? (
            <Button size="compact-xs" variant="default" style={{ alignSelf: 'start' }} onClick={onSystemPrice}>
              Reset to system price ({formatPrice(item.systemPrice, currnIdx)})
            </Button>
          ) : null}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
