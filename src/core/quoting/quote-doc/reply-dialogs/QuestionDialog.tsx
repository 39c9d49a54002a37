// The dialog in which a customer types a question and an email address for the answer.
import { Textarea } from '@mantine/core';
import { api } from '#platform/api/client.web.ts';
import { type PublicQuote, Question, QuoteDoc } from '../quote-doc.contract.ts';
import { AnswerDialog } from './AnswerDialog.tsx';
import { AnswerField, NameField } from './AnswerField.tsx';
import type { DraftProps } from './draft.web.ts';
import { useSending } from './sending.web.ts';

type Props = DraftProps & { docId: string; quote: PublicQuote; onDone: (answer: string) => void; onClose: () => void };

export function QuestionDialog({ docId, quote, draft, onType, onDone, onClose }: Props) {
  const { name, email, question } = draft;
  const sending = useSending(
    Question,
    api(QuoteDoc).AskQuestion,
    { docId, name, email: email.trim(), question },
    ({ answer }) => onDone(answer),
  );
  const typed = { draft, onType, sending };
  return (
    <AnswerDialog
      title={`Ask about quote ${quote.document.number}`}
      button="Send question"
      sending={sending}
      onClose={onClose}
    >
      <Textarea
        label="Question"
        required
        autosize
        minRows={4}
        maxRows={12}
        maxLength={5000}
        value={question}
        onChange={(event) => onType({ question: event.currentTarget.value })}
        error={sending.errorOf('question')}
      />
      <NameField {...typed} />
      <AnswerField
        {...typed}
        field="email"
        label="Your email address"
        description="We will send our reply here"
        type="email"
        required
        maxLength={320}
        autoComplete="email"
      />
    </AnswerDialog>
  );
}
