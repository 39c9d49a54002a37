// The dialog of a workflow step that needs input (comment, reason, PO number). It keeps the input when the server refuses.
import { Alert, Checkbox, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { acceptableTotal, notFirm } from '#core/quoting/provisional/provisional.ts';
import { type AllowedAction, LOST_REASONS } from '#core/quoting/quote-workflow/workflow.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { useBoard } from '../state/board.web.ts';
import { ApproveDialog } from './ApproveDialog.tsx';
import { type Competitor, LostFields, competitorInput, competitorProblem } from './LostFields.tsx';
import { StepDialog } from './StepDialog.tsx';

type Props = { action: AllowedAction; onClose: () => void };

export function ActionDialog(props: Props) {
  return props.action.action === 'ApproveDiscount' ? <ApproveDialog {...props} /> : <WordsDialog {...props} />;
}

function WordsDialog({ action, onClose }: Props) {
  const board = useBoard();
  const { quote } = board.data;
  const [reasonCode, setReasonCode] = useState<string | null>(null);
  const [poNumber, setPoNumber] = useState(quote.poNumber);
  const [signedName, setSignedName] = useState('');
  const [competitor, setCompetitor] = useState<Competitor>({ name: '', price: '' });
  const won = action.action === 'MarkWon';
  const lost = action.action === 'MarkLost';
  const hanging = won ? board.data.provisional : null;
  const instead = hanging && acceptableTotal(hanging);
  const [atFallbackPrice, setAtFallbackPrice] = useState(false);
  const question =
    action.action === 'ProvideInfo'
      ? board.data.events
          .filter((event) => event.action === 'RequestInfo' && event.comment)
          .toSorted((a, b) => b.id - a.id)[0]
      : undefined;
  const signed = { poNumber: poNumber.trim() || null, signedName: signedName.trim() || null };
  return (
    <StepDialog
      action={action}
      asksReason={action.needsReason && !lost}
      focusElsewhere={lost || won}
      ready={
        (!lost || (reasonCode !== null && competitorProblem(competitor, quote.currnIdx) === '')) &&
        (!won || poNumber.trim() !== '' || signedName.trim() !== '') &&
        (!hanging || (instead !== null && atFallbackPrice))
      }
      more={{
        ...(lost ? { reasonCode, ...competitorInput(competitor, quote.currnIdx) } : {}),
        ...(won
          ? { ...signed, atFallbackPrice: hanging !== null && atFallbackPrice, total: instead ?? quote.totalAmount }
          : {}),
      }}
      onDone={onClose}
      onClose={onClose}
      below={lost ? <LostFields typed={competitor} onType={setCompetitor} currnIdx={quote.currnIdx} /> : undefined}
    >
      <Text size="sm" className="tabular">
        {quote.facilityName} · {formatAmount(quote.totalAmount, quote.currnIdx)}
      </Text>
      {hanging ? (
        <Alert color="yellow">
          <Text size="sm">{notFirm(hanging, quote.currnIdx)}</Text>
          {instead === null ? null : (
            <Checkbox
              mt="xs"
              label={`Won at ${formatAmount(instead, quote.currnIdx)}, without the eligibility request`}
              checked={atFallbackPrice}
              onChange={(event) => setAtFallbackPrice(event.currentTarget.checked)}
            />
          )}
        </Alert>
      ) : null}
      {question ? (
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {question.actor} asks: “{question.comment}”
        </Text>
      ) : null}
      {action.action === 'DiscardRevision' ? (
        <Text size="sm">All changes in this revision are discarded, and the quote returns to the sent version.</Text>
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
            label="Or signed by"
            value={signedName}
            onChange={(event) => setSignedName(event.currentTarget.value)}
          />
        </Group>
      ) : null}
    </StepDialog>
  );
}
