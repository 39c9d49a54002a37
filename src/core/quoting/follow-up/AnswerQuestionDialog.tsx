// The dialog in which the user answers a customer's question by mail.
import { Text, Textarea } from '@mantine/core';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import type { OpenQuestion } from './follow-up.contract.ts';

type Props = {
  asked: OpenQuestion;
  /** The text typed so far. It is kept when the dialog closes. */
  draft: string;
  onType: (draft: string) => void;
  busy: boolean;
  error: Error | null;
  onSend: (answer: string) => void;
  onClose: () => void;
};

export function AnswerQuestionDialog({ asked, draft, onType, busy, error, onSend, onClose }: Props) {
  const answer = draft.trim();
  return (
    <AskDialog
      title={`Answer ${asked.name}`}
      action="Send Answer"
      disabled={answer === ''}
      busy={busy}
      error={error}
      onSubmit={() => onSend(answer)}
      onClose={onClose}
    >
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        “{asked.question}”
      </Text>
      <Textarea
        label="Answer"
        description={`Sent by email to ${asked.email}`}
        data-autofocus
        autosize
        minRows={4}
        maxRows={12}
        maxLength={5000}
        value={draft}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </AskDialog>
  );
}
