// The Accept dialog: terms, signer, purchase order, and one button that names the amount.
import { Alert, Box, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { acceptableTotal } from '#core/quoting/provisional/provisional.ts';
import { conditionsTitle } from '#core/quoting/quote-pdf/document-rows.ts';
import { formatAmount } from '#platform/shared/money.ts';
import classes from '../QuoteDocPage.module.css';
import { Acceptance, type PublicQuote, QuoteDoc } from '../quote-doc.contract.ts';
import { AnswerDialog } from './AnswerDialog.tsx';
import { AnswerField, NameField } from './AnswerField.tsx';
import type { DraftProps } from './draft.web.ts';
import { useSending } from './sending.web.ts';

type Props = DraftProps & {
  docId: string;
  quote: PublicQuote;
  onDone: (quote: PublicQuote) => void;
  onClose: () => void;
};

export function AcceptDialog({ docId, quote, draft, onType, onDone, onClose }: Props) {
  const { document, provisional } = quote;
  const [acceptTerms, setAcceptTerms] = useState(false);
  const { name, title, poNumber } = draft;
  const agreed = (provisional ? acceptableTotal(provisional) : null) ?? document.totals.totalAmount;
  const sending = useSending(
    Acceptance,
    api(QuoteDoc).AcceptQuote,
    // The schema rejects everything except true, with a message.
    {
      docId,
      name,
      title,
      poNumber,
      atFallbackPrice: provisional !== null,
      total: agreed,
      acceptTerms: acceptTerms as true,
    },
    onDone,
  );
  const total = formatAmount(agreed, document.currnIdx);
  const typed = { draft, onType, sending };
  return (
    <AnswerDialog
      title={`Accept quote ${document.number}`}
      button={`Accept ${total}`}
      sending={sending}
      onClose={onClose}
    >
      {provisional ? (
        <Alert color="yellow">
          You accept the total without the unapproved prices: {total} instead of{' '}
          {formatAmount(document.totals.totalAmount, document.currnIdx)}.
        </Alert>
      ) : null}
      <Text size="sm">
        For {document.facilityName}, total <strong className="tabular">{total}</strong>.
      </Text>
      <div>
        <Text size="sm" fw={600} id="quote-terms">
          {conditionsTitle(document)}
        </Text>
        <Box className={classes['termsText']} tabIndex={0} role="region" aria-labelledby="quote-terms">
          {document.terms.text}
        </Box>
        <Checkbox
          mt="sm"
          label="I accept these terms and conditions"
          checked={acceptTerms}
          onChange={(event) => setAcceptTerms(event.currentTarget.checked)}
          error={sending.errorOf('acceptTerms')}
          aria-invalid={sending.errorOf('acceptTerms') !== null}
        />
      </div>
      <NameField {...typed} />
      <AnswerField
        {...typed}
        field="title"
        label="Your title"
        description="For example: Purchasing Manager"
        required
        maxLength={200}
        autoComplete="organization-title"
      />
      <AnswerField
        {...typed}
        field="poNumber"
        label="PO number"
        description="If you already have one"
        maxLength={100}
        autoComplete="off"
      />
    </AnswerDialog>
  );
}
