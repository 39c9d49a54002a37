// Approves a discount: shows the rules that this user decides, with their figures and their effect on each line, then offers the next quote.
import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { awaitedNames } from '#core/quoting/approvals/whose-decision.ts';
import type { AllowedAction } from '#core/quoting/quote-workflow/workflow.ts';
import { type ApprovalRow, QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { ApprovalImpact } from '../side-panels/ApprovalImpact.tsx';
import { ApprovalRule } from '../side-panels/ApprovalRule.tsx';
import { useBoard } from '../state/board.web.ts';
import { StepDialog } from './StepDialog.tsx';

export function ApproveDialog({ action, onClose }: { action: AllowedAction; onClose: () => void }) {
  const { data } = useBoard();
  const { quote, approval } = data;
  const queries = useQueryClient();
  const [next, setNext] = useState<ApprovalRow[] | null>(null);
  const rules = approval?.rules ?? [];
  const mine = rules.filter((rule) => rule.mine);
  const others = rules.filter(({ awaited }) => awaited !== null && !mine.some((rule) => rule.awaited === awaited));
  const also = data.allowedActions.filter(
    (allowedAction) => allowedAction.action === 'RejectDiscount' || allowedAction.action === 'RequestInfo',
  );
  const goOn = async ({ action: done }: AllowedAction) => {
    if (done !== action.action) return onClose();
    const waiting = await queries
      .fetchQuery({ ...api(QuoteSearch).SearchQuotesForApproval.query({}), staleTime: 0 })
      .then(({ records }) => records.filter(({ id }) => id !== quote.id))
      // The approval is complete even if the queue cannot be read.
      .catch(() => []);
    if (waiting.length > 0) setNext(waiting);
    else onClose();
  };
  if (next) return <NextWaiting waiting={next} onClose={onClose} />;
  return (
    <StepDialog action={action} also={also} size={960} onDone={goOn} onClose={onClose}>
      <ApprovalImpact quote={quote}>
        <section aria-label="Rules for you to decide">
          <Stack gap={8}>
            {mine.map((rule) => (
              <div key={rule.ruleId}>
                <ApprovalRule rule={{ ...rule, awaited: null }} />
                {rule.deputyFor ? (
                  <Text size="xs">You are deciding on behalf of {rule.deputyFor}, who is away.</Text>
                ) : null}
              </div>
            ))}
            {others.map((rule) => (
              <Text key={rule.ruleId} size="sm" className="muted">
                {rule.text}: to be decided by {rule.awaited ? awaitedNames(rule.awaited) : ''}.
              </Text>
            ))}
          </Stack>
        </section>
      </ApprovalImpact>
    </StepDialog>
  );
}

/** After a decision, offers the quote that has waited longest for this user. Enter opens it. */
function NextWaiting({ waiting, onClose }: { waiting: readonly ApprovalRow[]; onClose: () => void }) {
  const { data } = useBoard();
  const [first] = waiting;
  if (!first) return null;
  const left = (data.approval?.rules ?? []).flatMap(({ awaited }) => (awaited ? [awaitedNames(awaited)] : []));
  return (
    <Modal opened onClose={onClose} title="Approved">
      <Stack>
        <Text size="sm">
          {left.length > 0
            ? `You have approved your part. Still waiting for ${left.join(' and ')}.`
            : 'The quote can be sent.'}
        </Text>
        <div>
          <Text size="sm" fw={600}>
            {waiting.length === 1
              ? 'One more quote is waiting for you'
              : `${waiting.length} more quotes are waiting for you`}
          </Text>
          <Text size="sm" className="tabular">
            {quoteNumber(first.num, first.revision)} · {first.facilityName} ·{' '}
            {formatAmount(first.totalAmount, first.totalAmountCurrnIdx)}
          </Text>
          <Text size="sm" className="muted">
            {first.approval.reasons.join(' · ')}
          </Text>
        </div>
        <Group justify="space-between">
          <Anchor component={Link} to={paths.home} size="sm">
            Show all
          </Anchor>
          <Group>
            <Button variant="default" onClick={onClose}>
              Stay here
            </Button>
            <Button data-autofocus component={Link} to={paths.internalBoard(first.id)} onClick={onClose}>
              Next quote
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
