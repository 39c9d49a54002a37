// The dialog of a workflow step that needs input (comment, reason, PO number); a refusal keeps it open with the input.
import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { QuoteWorkflow } from '#features/quoting/quote-steps/quote-steps.contract.ts';
import { type AllowedAction, LOST_REASONS } from '#features/quoting/quote-workflow/workflow.ts';
import { formatAmount } from '#shared/money.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';
import { useOnce } from '#ui/once.web.ts';
import { allSaved, useBoard } from '../state/board.web.ts';
import { ApproveDialog } from './ApproveDialog.tsx';

type Props = { action: AllowedAction; onClose: () => void };

export function ActionDialog(props: Props) {
  return props.action.action === 'ApproveDiscount' ? <ApproveDialog {...props} /> : <WordsDialog {...props} />;
}

function WordsDialog({ action, onClose }: Props) {
  const board = useBoard();
  const { quote } = board.data;
  const [comment, setComment] = useState('');
  const [reasonCode, setReasonCode] = useState<string | null>(null);
  const [poNumber, setPoNumber] = useState(quote.poNumber);
  const [signedName, setSignedName] = useState('');
  const won = action.action === 'MarkWon';
  const lost = action.action === 'MarkLost';
  const question =
    action.action === 'ProvideInfo'
      ? board.data.events
          .filter((event) => event.action === 'RequestInfo' && event.comment)
          .toSorted((a, b) => b.id - a.id)[0]
      : undefined;
  const perform = useMutation({
    mutationFn: async () =>
      api(QuoteWorkflow).PerformWorkflowAction({
        quoteId: quote.id,
        action: action.action,
        version: (await allSaved(board.store)).quote.version,
        comment: comment.trim() || null,
        reasonCode: lost ? reasonCode : action.needsReason ? comment.trim() : null,
        ...(won ? { poNumber: poNumber.trim() || null, signedName: signedName.trim() || null } : {}),
      }),
    onSuccess: async (next) => {
      board.store.receive(next);
      onClose();
      await board.store.reload();
    },
    // Somebody moved the quote meanwhile: reads the newest state and keeps the input.
    onError: () => board.store.reload(),
  });
  const needsWords = action.needsComment || (action.needsReason && !lost);
  const ready =
    (!needsWords || comment.trim() !== '') &&
    (!lost || reasonCode !== null) &&
    (!won || poNumber.trim() !== '' || signedName.trim() !== '');
  const performOnce = useOnce(perform.mutateAsync);
  const submit = () => {
    if (ready) performOnce();
  };
  return (
    <Modal opened onClose={onClose} title={action.label}>
      <Form onSubmit={submit}>
        <Stack>
          <Text size="sm" className="tabular">
            {quote.facilityName} · {formatAmount(quote.totalAmount, quote.currnIdx)}
          </Text>
          {question ? (
            <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
              {question.actor} asks: “{question.comment}”
            </Text>
          ) : null}
          {action.action === 'DiscardRevision' ? (
            <Text size="sm">
              Everything changed in this revision is given up; the quote goes back to what was sent.
            </Text>
          ) : null}
          {lost ? (
            <Select
              data-autofocus
              label="Reason"
              required
              data={Object.entries(LOST_REASONS).map(([value, label]) => ({ value, label }))}
              value={reasonCode}
              onChange={setReasonCode}
            />
          ) : null}
          {won ? (
            <Group grow>
              <TextInput
                data-autofocus
                label="PO number"
                value={poNumber}
                onChange={(event) => setPoNumber(event.currentTarget.value)}
              />
              <TextInput
                label="or signed by"
                value={signedName}
                onChange={(event) => setSignedName(event.currentTarget.value)}
              />
            </Group>
          ) : null}
          <Textarea
            {...(lost || won ? {} : { 'data-autofocus': true })}
            label={action.needsReason && !lost ? 'Reason' : 'Comment'}
            required={needsWords}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={2000}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
          <ErrorAlert error={perform.error} title="Not done" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={perform.isPending}
              disabled={!ready}
              {...(action.action === 'Cancel' ? { color: 'red' } : {})}
            >
              {action.label}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
