// The attachments of a quote's mail: always the PDF, plus the files and documents that the user ticks.
import { Anchor, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { boxesInWords } from '#core/quoting/quote-pdf/letters-of-document.ts';
import { MAIL_HOLDS } from '#core/quoting/workflow-calls/documents/mail-size.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useBoard } from '../state/board.web.ts';

export type Init = OutputOf<typeof QuoteWorkflow.GetInitQuoteSendingEmailData>;

export type Attached = {
  attachmentIds: number[];
  documentIds: number[];
  /** Whether the PDF and the customer's page show pictures of the items. */
  pictures: boolean;
  /** Whether the customer's page shows what other tiers would save. */
  nextTiers: boolean;
};

export function attachedAtFirst({ attachments, documents, pictures }: Init): Attached {
  return {
    attachmentIds: attachments.map(({ id }) => id),
    documentIds: documents.filter(({ offered }) => offered).map(({ id }) => id),
    pictures: pictures?.shown ?? false,
    nextTiers: false,
  };
}

type Props = {
  init: Init;
  value: Attached;
  /** Whether a preview of the PDF is being generated. */
  previewing: boolean;
  onPreview: () => void;
  onChange: (value: Attached) => void;
};

export function MailAttachments({ init, value, previewing, onPreview, onChange }: Props) {
  const { data } = useBoard();
  const boxes = useQuery({ ...api(QuoteWorkflow).GetLettersNotInPdf.query({ id: data.quote.id }), ...READ_ANEW });
  const { attachmentIds, documentIds } = value;
  const hidden = data.files.filter((file) => !init.attachments.some(({ id }) => id === file.id)).length;
  const tooMuch =
    sizeOfChosen(init.attachments, attachmentIds) + sizeOfChosen(init.documents, documentIds) > MAIL_HOLDS;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Attachments
      </Text>
      <Group gap="xs">
        <Checkbox size="sm" checked readOnly disabled label={init.pdfName} />
        <Anchor component="button" type="button" size="sm" onClick={onPreview}>
          {previewing ? 'Generating…' : 'Preview'}
        </Anchor>
      </Group>
      <ErrorAlert
        error={boxes.error}
        title="The PDF could not be checked for missing characters"
        onRetry={boxes.refetch}
      />
      {boxes.data && boxes.data.letters.length > 0 ? (
        <Text size="xs" className="warning" role="status">
          {boxesInWords(boxes.data)}
        </Text>
      ) : null}
      {init.pictures ? (
        <Checkbox
          size="sm"
          label="Show item pictures"
          description={picturesHint(init.pictures)}
          disabled={init.pictures.count === 0}
          checked={value.pictures && init.pictures.count > 0}
          onChange={(event) => onChange({ ...value, pictures: event.currentTarget.checked })}
        />
      ) : null}
      {init.nextTiers.length > 0 ? (
        <Checkbox
          size="sm"
          label="Show savings at other tiers to the customer"
          description={`On the customer’s page, not in the PDF: ${init.nextTiers
            .map(
              ({ number, tierNo, saving }) =>
                `${formatAmount(saving, data.quote.currnIdx)} less at tier ${tierNo} of ${number}`,
            )
            .join('; ')}.`}
          checked={value.nextTiers}
          onChange={(event) => onChange({ ...value, nextTiers: event.currentTarget.checked })}
        />
      ) : null}
      {init.attachments.map((file) => (
        <Checkbox
          key={file.id}
          size="sm"
          label={file.name}
          checked={attachmentIds.includes(file.id)}
          onChange={(event) =>
            onChange({ ...value, attachmentIds: ticked(attachmentIds, file.id, event.currentTarget.checked) })
          }
        />
      ))}
      {init.documents.map((document) => (
        <Checkbox
          key={`document ${document.id}`}
          size="sm"
          label={
            <>
              {document.title}{' '}
              <span className="muted">{[document.category, document.label].filter(Boolean).join(' · ')}</span>
            </>
          }
          checked={documentIds.includes(document.id)}
          onChange={(event) =>
            onChange({ ...value, documentIds: ticked(documentIds, document.id, event.currentTarget.checked) })
          }
        />
      ))}
      {tooMuch ? (
        <Text size="xs" className="muted">
          Attachments are limited to 25 MB. Documents that do not fit are on the customer’s page.
        </Text>
      ) : null}
      {hidden > 0 ? (
        <Text size="xs" className="muted">
          {hidden === 1 ? '1 file on this quote is' : `${hidden} files on this quote are`} hidden from the customer. To
          attach {hidden === 1 ? 'it' : 'them'}, select ‘Visible to customer’ under Files.
        </Text>
      ) : null}
    </Stack>
  );
}

const sizeOfChosen = (all: readonly { id: number; size: number }[], ids: readonly number[]) =>
  all.reduce((sum, { id, size }) => sum + (ids.includes(id) ? size : 0), 0);

const ticked = (ids: readonly number[], id: number, isTicked: boolean) =>
  isTicked ? [...ids, id] : ids.filter((candidate) => candidate !== id);

function picturesHint({ count, onPageOnly }: NonNullable<Init['pictures']>): string {
  if (count === 0) return 'No item on this quote has a picture that customers can see.';
  const items = count === 1 ? '1 item has a picture' : `${count} items have pictures`;
  const [are, appear] = count === 1 ? ['The picture is', 'appears'] : ['The pictures are', 'appear'];
  return onPageOnly
    ? `${items}. ${are} too large for the PDF and ${appear} only on the customer’s page.`
    : `${items}, shown in the PDF and on the customer’s page.`;
}
