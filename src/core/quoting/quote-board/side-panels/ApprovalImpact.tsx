// Shows the effect of an approval: the request in a sentence, then the lines with what the customer pays, margin, floor and the last prices here.
import { Anchor, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { askedWords } from '#core/quoting/approvals/asked-words.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount, formatPrice, pricesAligned, withMinus } from '#platform/shared/money.ts';
import { formatPercent } from '#platform/shared/percent.ts';
import { NARROW } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';

type Impact = OutputOf<typeof QuoteEdit.GetApprovalImpact>;
type Line = Impact['lines'][number];
type Quote = { id: number; currnIdx: number; facilityName: string };

/** The number of lines shown at first. The most important lines come first. */
const FIRST = 8;

/** `children` are the rules, shown between the sentence about the request and the lines. */
export function ApprovalImpact({ quote, children }: { quote: Quote; children?: ReactNode }) {
  const impact = useQuery({ ...api(QuoteEdit).GetApprovalImpact.query({ id: quote.id }), staleTime: 0 });
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const [all, setAll] = useState(false);
  const { lines = [], totalAmount = 0, asked } = impact.data ?? {};
  const visible = all ? lines : lines.slice(0, FIRST);
  return (
    <Stack gap="sm">
      {impact.error ? (
        <ErrorAlert
          error={impact.error}
          title="The effect of the approval could not be calculated"
          onRetry={impact.refetch}
        />
      ) : null}
      {asked ? (
        <Text className="tabular">
          {askedWords(asked, quote.facilityName, quote.currnIdx)} Total{' '}
          <b>{formatAmount(totalAmount, quote.currnIdx)}</b>.
        </Text>
      ) : null}
      {impact.isPending ? <Skeleton height={160} /> : null}
      {children}
      {visible.length === 0 ? null : narrow ? (
        <Cards lines={visible} currnIdx={quote.currnIdx} />
      ) : (
        <LinesImpact lines={visible} currnIdx={quote.currnIdx} />
      )}
      {visible.length < lines.length ? (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setAll(true)}>
          Show all {lines.length} lines
        </Anchor>
      ) : null}
    </Stack>
  );
}

type LinesProps = { lines: readonly Line[]; currnIdx: number };

const TITLES = [
  '#',
  'Item',
  'Qty',
  'System',
  'Net price',
  'Net disc.',
  'Amount',
  'Margin',
  'Floor',
  'Contract',
  'Last prices for this facility',
];

function LinesImpact({ lines, currnIdx }: LinesProps) {
  const inColumn = (target: (line: Line) => number | null) => {
    const write = pricesAligned(lines.map((line) => ({ price: target(line) })));
    return (line: Line) => {
      const price = target(line);
      return price === null ? '' : write(price, currnIdx);
    };
  };
  const system = inColumn((line) => line.systemPrice);
  const net = inColumn((line) => line.netPrice);
  const floor = inColumn((line) => line.floorPrice);
  const contract = inColumn((line) => line.contractPrice);
  return (
    <Table.ScrollContainer minWidth={880} maxHeight="42vh">
      <Table fz="xs" verticalSpacing={4} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {TITLES.map((title, column) => (
              <Table.Th key={title} className={column > 1 && column < TITLES.length - 1 ? 'figure' : ''}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.lineNo}>
              <Table.Td>{line.lineNo}</Table.Td>
              <Table.Td maw={220}>
                <Item line={line} />
              </Table.Td>
              <Table.Td className="figure">{quantity(line)}</Table.Td>
              <Table.Td className="figure">{system(line)}</Table.Td>
              <Table.Td className={line.underFloor ? 'figure warning' : 'figure'} fw={600}>
                {net(line)}
              </Table.Td>
              <Table.Td className="figure">{discountText(line)}</Table.Td>
              <Table.Td className="figure">{formatAmount(line.lineTotal, currnIdx)}</Table.Td>
              <Table.Td className="figure">{percentText(line.marginPct)}</Table.Td>
              <Table.Td className="figure">{floor(line)}</Table.Td>
              <Table.Td className="figure">{contract(line)}</Table.Td>
              <Table.Td>
                <LastPrices line={line} currnIdx={currnIdx} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The same figures stacked, for a phone. */
function Cards({ lines, currnIdx }: LinesProps) {
  const price = (value: number | null) => (value === null ? '' : formatPrice(value, currnIdx));
  return lines.map((line) => {
    const figures = [
      ['System', price(line.systemPrice)],
      ['Net disc.', discountText(line)],
      ['Quantity', quantity(line)],
      ['Amount', formatAmount(line.lineTotal, currnIdx)],
      ['Margin', percentText(line.marginPct)],
      ['Floor', price(line.floorPrice)],
      ['Contract', price(line.contractPrice)],
    ].filter(([, figure]) => figure !== '');
    return (
      <Stack key={line.lineNo} gap={2} pt={6} style={{ borderTop: '1px solid var(--app-line)' }}>
        <Text size="sm">
          {line.lineNo}. <Item line={line} />
        </Text>
        <Text size="sm" className="tabular">
          Net price <b className={line.underFloor ? 'warning' : ''}>{price(line.netPrice)}</b> ·{' '}
          {figures.map(([title, figure]) => `${title} ${figure}`).join(' · ')}
        </Text>
        <Text size="xs" component="div">
          <LastPrices line={line} currnIdx={currnIdx} />
        </Text>
      </Stack>
    );
  });
}

function Item({ line }: { line: Line }) {
  return (
    <>
      {line.itemNumber} {line.description}
      {line.rules.map((rule) => (
        <Text key={rule} size="xs" className="warning" span display="block">
          {rule}
        </Text>
      ))}
      {line.reason ? (
        <Text size="xs" span display="block">
          “{line.reason}”
        </Text>
      ) : null}
    </>
  );
}

function LastPrices({ line, currnIdx }: { line: Line; currnIdx: number }) {
  return line.lastPrices.map((last) => (
    <div key={`${last.number} ${last.date}`} className="tabular">
      {formatDate(last.date)} {formatPrice(last.price, currnIdx)}/{last.unit} ({last.number}, {last.outcome})
    </div>
  ));
}

const quantity = ({ qty, unit }: Line) => `${qty.toLocaleString('en-US', { maximumFractionDigits: 4 })} ${unit}`;

/** Empty for a discount that is too small for two decimals. */
const discountText = ({ netDiscountPct, netPrice, systemPrice }: Line) =>
  netDiscountPct === 0 && netPrice !== systemPrice ? '' : withMinus(`${netDiscountPct}%`);

const percentText = (value: number | null) => (value === null ? '' : formatPercent(value));
