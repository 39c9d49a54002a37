// Approval: which rules ask for it and by how much, the request and its fate; for the approver what it would mean.
import { Anchor, Group, Modal, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import type { FiredRule } from '#features/quoting/approvals/approval.ts';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { formatDate } from '#shared/dates.ts';
import { formatAmount, formatPrice } from '#shared/money.ts';
import { ROLE_LABELS } from '#shared/roles.ts';
import { Chip } from '#ui/Chip.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { useBoard } from '../state/board.web.ts';

const COLORS = { Pending: 'orange', Approved: 'green', Rejected: 'red', Recalled: 'blue', Void: 'blue' } as const;

export function ApprovalPanel() {
  const { data, view } = useBoard();
  const [impact, setImpact] = useState(false);
  const { approval, approvalNeeded, quote } = data;
  const pending = approval?.state === 'Pending';
  const rules = pending ? approval.rules : approvalNeeded;
  if (!approval && rules.length === 0) return null;
  return (
    <section className="card" aria-labelledby="approval-title">
      <Stack p="sm" gap={8}>
        <Group justify="space-between">
          <Title order={2} id="approval-title">
            Approval
          </Title>
          {approval ? <Chip tone={COLORS[approval.state]}>{approval.state}</Chip> : null}
        </Group>
        {approval ? (
          <Text size="sm">
            Asked by {approval.requestedBy}, {formatDate(approval.requestedAt)}
            {approval.decidedBy
              ? ` · ${approval.state === 'Approved' ? 'approved' : 'decided'} by ${approval.decidedBy}`
              : ''}
            {approval.comment ? <q style={{ display: 'block' }}>{approval.comment}</q> : null}
          </Text>
        ) : null}
        {rules.length > 0 ? (
          <>
            <Text size="sm" fw={600}>
              {wordsFor(rules.length, approval?.state === 'Approved')}
            </Text>
            {rules.map((rule) => (
              <Rule key={`${rule.ruleId} ${rule.lines.join()}`} rule={rule} />
            ))}
          </>
        ) : approval?.state === 'Approved' && quote.statusId === 'DiscountApproved' ? (
          <Text size="sm">What was approved is unchanged: it may be sent.</Text>
        ) : null}
        {view === 'internal' && rules.length > 0 ? (
          <Anchor component="button" size="sm" ta="left" onClick={() => setImpact(true)}>
            What it means, line by line
          </Anchor>
        ) : null}
      </Stack>
      {impact ? <Impact onClose={() => setImpact(false)} /> : null}
    </section>
  );
}

function wordsFor(count: number, approved: boolean): string {
  if (approved) return 'Approved although';
  return count === 1 ? '1 rule asks for it' : `${count} rules ask for it`;
}

function Rule({ rule }: { rule: FiredRule }) {
  return (
    <div>
      <Text size="sm" className="warning tabular">
        ⚠ {rule.text}
        {rule.lines.length > 0
          ? ` (${rule.lines.length === 1 ? 'line' : 'lines'} ${rule.lines.slice(0, 8).join(', ')}${rule.lines.length > 8 ? ', …' : ''})`
          : ''}
      </Text>
      <Text size="xs" className="muted">
        {rule.name} → {ROLE_LABELS[rule.role]}
      </Text>
    </div>
  );
}

function Impact({ onClose }: { onClose: () => void }) {
  const { data } = useBoard();
  const { currnIdx } = data.quote;
  const impact = useQuery(api(QuoteEdit).GetApprovalImpact.query({ id: data.quote.id }));
  const price = (value: number | null) => (value === null ? '' : formatPrice(value, currnIdx));
  return (
    <Modal opened onClose={onClose} size={960} title="What the approval means">
      {impact.data ? (
        <Stack>
          <Text size="sm" className="tabular">
            Total {formatAmount(impact.data.totalAmount, currnIdx)} · discount{' '}
            {formatAmount(impact.data.discountTotal, currnIdx)}
            {impact.data.quoteMarginPct === null ? '' : ` · margin ${impact.data.quoteMarginPct.toFixed(1)} %`}
          </Text>
          <div style={{ overflowX: 'auto' }}>
            <Table fz="xs" verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  {['#', 'Item', 'System', 'Price', 'Disc.', 'Margin', 'Floor', 'Contract', 'Last prices here'].map(
                    (title) => (
                      <Table.Th key={title}>{title}</Table.Th>
                    ),
                  )}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {impact.data.lines.map((line) => (
                  <Table.Tr key={line.lineNo}>
                    <Table.Td>{line.lineNo}</Table.Td>
                    <Table.Td maw={220}>
                      {line.itemNumber} {line.description}
                      {line.rules.map((rule) => (
                        <Text key={rule} size="xs" className="warning">
                          {rule}
                        </Text>
                      ))}
                    </Table.Td>
                    <Table.Td className="figure">{price(line.systemPrice)}</Table.Td>
                    <Table.Td className="figure" fw={600}>
                      {price(line.unitPrice)}
                    </Table.Td>
                    <Table.Td className="figure">{line.discountPct} %</Table.Td>
                    <Table.Td className="figure">
                      {line.marginPct === null ? '' : `${line.marginPct.toFixed(1)} %`}
                    </Table.Td>
                    <Table.Td className="figure">{price(line.floorPrice)}</Table.Td>
                    <Table.Td className="figure">{price(line.contractPrice)}</Table.Td>
                    <Table.Td>
                      {line.lastPrices.map((last) => (
                        <div key={`${last.number} ${last.date}`} className="tabular">
                          {formatDate(last.date)} {price(last.price)}/{last.unit} ({last.number}, {last.outcome})
                        </div>
                      ))}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </Stack>
      ) : impact.error ? (
        <ErrorAlert error={impact.error} title="This could not be worked out" />
      ) : (
        <Skeleton height={240} />
      )}
    </Modal>
  );
}
