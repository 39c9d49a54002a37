// The frame of a workflow step's dialog: a comment, the buttons, and the server's refusal, which keeps the dialog open.
import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#api/client.web.ts';
import type { InputOf } from '#api/endpoint.ts';
import { QuoteWorkflow } from '#features/quoting/quote-steps/quote-steps.contract.ts';
import type { AllowedAction } from '#features/quoting/quote-workflow/workflow.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';
import { useOnce } from '#ui/once.web.ts';
import { allSaved, useBoard } from '../state/board.web.ts';

type Step = Omit<InputOf<typeof QuoteWorkflow.PerformWorkflowAction>, 'quoteId' | 'action' | 'version'>;

type Props = {
  action: AllowedAction;
  size?: number;
  /** The comment is the reason, and the step requires it. */
  asksReason?: boolean;
  /** Another field takes the focus. */
  focusElsewhere?: boolean;
  /** All other fields of the dialog are filled. */
  ready?: boolean;
  /** Other input that the step sends with the comment. */
  more?: Step;
  /** Called after the step, before the board reads the quote again. */
  onDone: () => void | Promise<void>;
  onClose: () => void;
  children: ReactNode;
};

export function StepDialog(props: Props) {
  const { action, size, asksReason = false, focusElsewhere = false, ready = true, more, onDone, onClose } = props;
  const { data, store } = useBoard();
  const [typed, setTyped] = useState('');
  const comment = typed.trim() || null;
  const needsWords = action.needsComment || asksReason;
  const mayPerform = ready && (!needsWords || comment !== null);
  const perform = useMutation({
    mutationFn: async () =>
      api(QuoteWorkflow).PerformWorkflowAction({
        quoteId: data.quote.id,
        action: action.action,
        version: (await allSaved(store)).quote.version,
        comment,
        reasonCode: asksReason ? comment : null,
        ...more,
      }),
    onSuccess: async (next) => {
      store.receive(next);
      await onDone();
      await store.reload();
    },
    // Somebody else moved the quote to another status: reads the newest state and keeps the typed text.
    onError: () => store.reload(),
  });
  const performOnce = useOnce(perform.mutateAsync);
  return (
    <Modal opened onClose={onClose} title={action.label} {...(size ? { size } : {})}>
      <Form onSubmit={() => (mayPerform ? performOnce() : undefined)}>
        <Stack>
          {props.children}
          <Textarea
            {...(focusElsewhere ? {} : { 'data-autofocus': true })}
            label={asksReason ? 'Reason' : 'Comment'}
            required={needsWords}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={2000}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <ErrorAlert error={perform.error} title="Not done" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={perform.isPending}
              disabled={!mayPerform}
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
