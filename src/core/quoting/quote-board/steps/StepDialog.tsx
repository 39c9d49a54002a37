// The frame of a workflow step's dialog: a comment, the buttons, and the server's refusal, which keeps the dialog open.
import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { InputOf } from '#platform/api/endpoint.ts';
import type { AllowedAction } from '#core/quoting/quote-workflow/workflow.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { allSaved, useBoard } from '../state/board.web.ts';
import { later } from '#platform/ui/later.tsx';
import { isStepGone } from './step-gone.ts';

const StepNews = later(() => import('./StepNews.tsx'), { loading: <></>, failed: '' });

type Step = Omit<InputOf<typeof QuoteWorkflow.PerformWorkflowAction>, 'quoteId' | 'action' | 'version'>;

type Props = {
  action: AllowedAction;
  /** Alternative steps that use the same comment. A step that requires a comment prompts for it. */
  also?: readonly AllowedAction[];
  size?: number;
  /** Whether the comment is the required reason for the step. */
  asksReason?: boolean;
  /** Whether another field gets the initial focus. */
  focusElsewhere?: boolean;
  /** Whether all other fields of the dialog are filled. */
  ready?: boolean;
  /** Other input that the step sends with the comment. */
  more?: Step;
  /** Called after the step, before the board reads the quote again. */
  onDone: (taken: AllowedAction) => void | Promise<void>;
  onClose: () => void;
  children: ReactNode;
  /** Fields below the comment. */
  below?: ReactNode;
};

export function StepDialog(props: Props) {
  const {
    action,
    also = [],
    size,
    asksReason = false,
    focusElsewhere = false,
    ready = true,
    more,
    onDone,
    onClose,
  } = props;
  const { data, store } = useBoard();
  const [typed, setTyped] = useState('');
  const comment = typed.trim() || null;
  const needsWords = action.needsComment || asksReason;
  const isFilled = ready && (!needsWords || comment !== null);
  const words = useRef<HTMLTextAreaElement>(null);
  /** The alternative step whose required comment is missing. */
  const [lacks, setLacks] = useState<AllowedAction | null>(null);
  const perform = useMutation({
    mutationFn: async (taken: AllowedAction) =>
      api(QuoteWorkflow).PerformWorkflowAction({
        quoteId: data.quote.id,
        action: taken.action,
        version: (await allSaved(store)).quote.version,
        comment,
        reasonCode: asksReason ? comment : null,
        ...more,
      }),
    onSuccess: async (next, taken) => {
      store.receive(next);
      await onDone(taken);
      await store.reload();
    },
    // Another user moved the quote to another status. Reads the newest state and keeps the typed text.
    onError: () => store.reload(),
  });
  const performOnce = useOnce(perform.mutateAsync);
  const isGone = !perform.isPending && !perform.isSuccess && isStepGone(data, action.action);
  const takeOther = (other: AllowedAction) => {
    if (!other.needsComment || comment !== null) return performOnce(other);
    setLacks(other);
    words.current?.focus();
  };
  return (
    <Modal opened onClose={onClose} title={action.label} {...(size ? { size } : {})}>
      <Form onSubmit={() => (isFilled && !isGone ? performOnce(action) : undefined)}>
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
            ref={words}
            value={typed}
            error={
              lacks && comment === null
                ? `Enter a ${asksReason ? 'reason' : 'comment'} before you choose ${lacks.label}.`
                : undefined
            }
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {props.below}
          <Group justify="flex-end" className="dialog-foot">
            {perform.isPending || perform.isSuccess || perform.error ? null : <StepNews isGone={isGone} />}
            <div style={{ width: '100%' }}>
              <ErrorAlert error={perform.error} title="The change was not saved" />
            </div>
            <Button variant="default" onClick={onClose}>
              {action.action === 'Cancel' ? 'Keep quote' : 'Cancel'}
            </Button>
            {also.map((other) => (
              <Button
                key={other.action}
                variant="default"
                disabled={perform.isPending || isStepGone(data, other.action)}
                onClick={() => takeOther(other)}
              >
                {other.label}
              </Button>
            ))}
            <Button
              type="submit"
              loading={perform.isPending}
              disabled={!isFilled || isGone}
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
