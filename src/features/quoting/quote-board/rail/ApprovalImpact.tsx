// Shows what an approval means: its lines with price, margin, floor, contract price and the last prices at this facility.
import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { formatDate } from '#shared/dates.ts';
import { formatAmount, formatPrice } from '#shared/money.ts';
import { NARROW } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';

type Impact = OutputOf<typeof QuoteEdit.GetApprovalImpact>;
type Line = Impact['lines'][number];
type Quote = { id: number; currnIdx: number };

export function ApprovalImpact({ quote }: { quote: Quote }) {
  const impact = useQuery({ ...api(QuoteEdit).GetApprovalImpact.query({ id: quote.id }), staleTime: 0 });
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  if (impact.error) return <ErrorAlert error={impact.error} title="This could not be worked out" />;
  if (!impact.data) return <Skeleton height={160} />;
  const { lines, totalAmount, discountTotal, quoteMarginPct } = impact.data;
  return (
    <Stack gap="xs">
      <Text size="sm" className="tabular">
        Total <b>{formatAmount(totalAmount, quote.currnIdx)}</b> · discount{' '}
        {formatAmount(discountTotal, quote.currnIdx)}
        {quoteMarginPct === null ? '' : ` · margin ${quoteMarginPct.toFixed(1)} %`}
      </Text>
      {lines.length === 0 ? null : narrow ? (
        <Cards lines={lines} currnIdx={quote.currnIdx} />
      ) : (
        <Lines lines={lines} currnIdx={quote.currnIdx} />
      )}
    </Stack>
  );
}

type LinesProps = { lines: readonly Line[]; currnIdx: number };

const TITLES = ['#', 'Item', 'System', 'Price', 'Disc.', 'Margin', 'Floor', 'Contract', 'Last prices here'];

function Lines({ lines, currnIdx }: LinesProps) {
  const price = (value: number | null) => (value === null ? '' : formatPrice(value, currnIdx));
  return (
    <Table.ScrollContainer minWidth={760} maxHeight="42vh">
      <Table fz="xs" verticalSpacing={4} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {TITLES.map((title, column) => (
              <Table.Th key={title} className={column > 1 && column < 8 ? 'figure' : ''}>
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
              <Table.Td className="figure">{price(line.systemPrice)}</Table.Td>
              <Table.Td className="figure" fw={600}>
                {price(line.unitPrice)}
              </Table.Td>
              <Table.Td className="figure">{line.discountPct} %</Table.Td>
              <Table.Td className="figure">{percent(line.marginPct)}</Table.Td>
              <Table.Td className="figure">{price(line.floorPrice)}</Table.Td>
              <Table.Td className="figure">{price(line.contractPrice)}</Table.Td>
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
      ['Disc.', `${line.discountPct} %`],
      ['Margin', percent(line.marginPct)],
      ['Floor', price(line.floorPrice)],
      ['Contract', price(line.contractPrice)],
    ].filter(([, figure]) => figure !== '');
    return (
      <Stack key={line.lineNo} gap={2} pt={6} style={{ borderTop: '1px solid var(--app-line)' }}>
        <Text size="sm">
          {line.lineNo}. <Item line={line} />
        </Text>
        <Text size="sm" className="tabular">
          Price <b>{price(line.unitPrice)}</b> · {figures.map(([title, figure]) => `${title} ${figure}`).join(' · ')}
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

const percent = (value: number | null) => (value === null ? '' : `${value.toFixed(1)} %`);
