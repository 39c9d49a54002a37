// The Decline dialog: name, reason, and an optional comment.
import { NativeSelect, Textarea } from '@mantine/core';
import { api } from '#platform/api/client.web.ts';
import { LOST_REASONS } from '#core/quoting/quote-workflow/workflow.ts';
import { Decline, type PublicQuote, QuoteDoc } from '../quote-doc.contract.ts';
import { AnswerDialog } from './AnswerDialog.tsx';
import { NameField } from './AnswerField.tsx';
import type { DraftProps } from './draft.web.ts';
import { useSending } from './sending.web.ts';

type Props = DraftProps & {
  docId: string;
  quote: PublicQuote;
  onDone: (quote: PublicQuote) => void;
  onClose: () => void;
};

/** Only sellers use the reason 'No response'. */
const REASONS = Object.entries(LOST_REASONS).filter(([code]) => code !== 'noResponse');

export function DeclineDialog({ docId, quote, draft, onType, onDone, onClose }: Props) {
  const { name, reasonCode, comment } = draft;
  const sending = useSending(Decline, api(QuoteDoc).DeclineQuote, { docId, name, reasonCode, comment }, onDone);
  const typed = { draft, onType, sending };
  return (
    <AnswerDialog
      title={`Decline quote ${quote.document.number}`}
      button="Decline"
      color="red"
      sending={sending}
      onClose={onClose}
    >
      <NativeSelect
        label="Reason"
        required
        value={reasonCode}
        onChange={(event) => onType({ reasonCode: event.currentTarget.value })}
        error={sending.errorOf('reasonCode')}
      >
        <option value="">Choose a reason</option>
        {REASONS.map(([code, reason]) => (
          <option key={code} value={code}>
            {reason}
          </option>
        ))}
      </NativeSelect>
      <Textarea
        label="Comment"
        autosize
        minRows={3}
        maxRows={8}
        maxLength={2000}
        value={comment}
        onChange={(event) => onType({ comment: event.currentTarget.value })}
        error={sending.errorOf('comment')}
      />
      <NameField {...typed} />
    </AnswerDialog>
  );
}
