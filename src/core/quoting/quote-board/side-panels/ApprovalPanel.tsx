// The approval: the rules that require it and by how much, the request, each rule's decision, and who must still decide and since when.
import { Anchor, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Approval } from '#core/quoting/approvals/approval-shapes.ts';
import { since } from '#platform/shared/time-ago.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { useBoard } from '../state/board.web.ts';
import { ApprovalImpact } from './ApprovalImpact.tsx';
import { ApprovalRule } from './ApprovalRule.tsx';

const COLORS = { Pending: 'orange', Approved: 'green', Rejected: 'red', Recalled: 'blue', Void: 'blue' } as const;

export function ApprovalPanel() {
  const { data, view } = useBoard();
  const [impact, setImpact] = useState(false);
  const { approval, approvalNeeded, quote } = data;
  const isCurrent = approval?.state === 'Pending' || approval?.state === 'Approved';
  const rules = isCurrent ? approval.rules : approvalNeeded;
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
        {approval ? <Request approval={approval} /> : null}
        {rules.length > 0 ? (
          <>
            <Text size="sm" fw={600}>
              {wordsFor(rules.length, approval?.state)}
            </Text>
            {rules.map((rule) => (
              <ApprovalRule key={rule.ruleId} rule={rule} />
            ))}
          </>
        ) : null}
        {approval?.state === 'Approved' && quote.statusId === 'DiscountApproved' ? (
          <Text size="sm">The quote has not changed since it was approved and can be sent.</Text>
        ) : null}
        {view === 'internal' && rules.length > 0 ? (
          <Anchor component="button" size="sm" ta="left" onClick={() => setImpact(true)}>
            Show details by line
          </Anchor>
        ) : null}
      </Stack>
      {impact ? (
        <Modal opened onClose={() => setImpact(false)} size={960} title="Effect of the approval">
          <ApprovalImpact quote={quote} />
        </Modal>
      ) : null}
    </section>
  );
}

function Request({ approval }: { approval: Approval }) {
  const { state, requestedBy, requestedAt, decidedBy, decidedAt, comment, remindedAt, escalatedAt } = approval;
  const pending = state === 'Pending';
  const [now] = useState(() => Date.now());
  return (
    <div>
      <Text size="sm">
        Requested by {requestedBy}, {formatInstant(requestedAt)}
        {pending ? ` (${since(requestedAt, now)})` : ''}
        {!pending && decidedBy ? ` · ${DECIDED[state]} by ${decidedBy}` : ''}
        {!pending && decidedAt ? `, ${formatInstant(decidedAt)}` : ''}
        {comment ? <q style={{ display: 'block' }}>{comment}</q> : null}
      </Text>
      {pending && remindedAt ? (
        <Text size="xs" className="muted">
          Reminder sent {formatInstant(remindedAt)}
          {escalatedAt ? ` · escalated ${formatInstant(escalatedAt)}` : ''}
        </Text>
      ) : null}
    </div>
  );
}

const DECIDED = { Approved: 'approved', Rejected: 'rejected', Recalled: 'recalled', Void: 'decided' } as const;

function wordsFor(count: number, state: Approval['state'] | undefined): string {
  if (state === 'Approved')
    return count === 1 ? 'This rule required approval' : `These ${count} rules required approval`;
  return count === 1 ? '1 rule requires approval' : `${count} rules require approval`;
}
