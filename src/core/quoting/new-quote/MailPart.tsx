// Reads a mail (.eml) that the user drops or chooses, and shows its sender, facility and lines. The user adopts each of them.
import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { FacilityHit } from '#core/customers/facilities/facilities.contract.ts';
import type { KeyedRow } from '#core/quoting/quote-edit/paste/paste-rows.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useFileDrop } from '#platform/ui/file-drop.web.ts';
import { NewQuote, type Sender } from './new-quote.contract.ts';
import { type MailSender, readMail, type RequestMail } from './read-mail.web.ts';

const PasteDialog = lazy(() => import('#core/quoting/quote-edit/paste/PasteDialog.tsx'));

export type Mail = { mail: RequestMail; from: MailSender; sender: Sender };
type Props = {
  facilityId: number | null;
  rows: readonly KeyedRow[];
  /** Fills the form with the parts of a mail that are certain. */
  onMail: (mail: Mail) => void;
  onFacility: (facility: FacilityHit, mail: Mail) => void;
  onRows: (rows: KeyedRow[]) => void;
};

export function MailPart({ facilityId, rows, onMail, onFacility, onRows }: Props) {
  const [looking, setLooking] = useState(false);
  /** The rows that the open dialog has added so far. */
  const taken = useRef<readonly KeyedRow[]>([]);
  const read = useMutation({
    mutationFn: async (file: File): Promise<Mail> => {
      const mail = await readMail(file);
      const [first, ...others] = await Promise.all(
        mail.senders.map(async (from) => ({
          mail,
          from,
          sender: await api(NewQuote).FindSender({ email: from.email }),
        })),
      );
      if (!first) throw new Error('The email has no sender.');
      // In a mail that a colleague forwards, the original author is the one who requests the quote.
      return first.sender.by === 'nothing' ? (others[0] ?? first) : first;
    },
    onSuccess: (mail) => {
      onRows([]);
      onMail(mail);
    },
  });
  const take = (file: File | null | undefined) => {
    if (file) read.mutate(file);
  };
  const { over, area } = useFileDrop(({ files }) => take(files[0]));
  const { data } = read;
  return (
    <Stack
      component="section"
      aria-label="Message from the customer"
      gap="xs"
      p="sm"
      {...area}
      style={{ border: `1px dashed var(${over ? '--mantine-primary-color-filled' : '--app-line'})`, borderRadius: 6 }}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" className="muted">
          Request by email? Drop it here (.eml) to fill in the facility, contact and lines.
        </Text>
        <FileButton onChange={take} accept=".eml,message/rfc822">
          {(props) => (
            <Button
              {...props}
              size="compact-sm"
              variant="default"
              loading={read.isPending}
              leftSection={<IconMail size={14} aria-hidden />}
            >
              Choose email
            </Button>
          )}
        </FileButton>
      </Group>
      <ErrorAlert error={read.error} title="The email cannot be read" onClose={read.reset} />
      {data ? (
        <MailFacts
          {...data}
          facilityId={facilityId}
          rows={rows}
          onFacility={onFacility}
          onLook={() => {
            taken.current = [];
            setLooking(true);
          }}
        />
      ) : null}
      {data && looking ? (
        <Suspense>
          <PasteDialog
            text={data.mail.table || data.mail.text}
            facilityId={facilityId}
            onAdd={async (more) => {
              // The dialog stays open for the rows that are left out, and adds them later.
              taken.current = [...taken.current, ...more];
              onRows([...taken.current]);
            }}
            onClose={() => setLooking(false)}
          />
        </Suspense>
      ) : null}
    </Stack>
  );
}

type FactsProps = Mail & Pick<Props, 'facilityId' | 'rows' | 'onFacility'> & { onLook: () => void };

function MailFacts({ mail, from, sender, facilityId, rows, onFacility, onLook }: FactsProps) {
  return (
    <Stack gap={4}>
      <Text size="sm">
        From <b>{[from.name, from.email].filter(Boolean).join(', ')}</b>
        {mail.subject ? `: ${mail.subject}` : ''}
      </Text>
      <Text size="sm" className={sender.facility ? 'muted' : 'warning'} role="status">
        {facilityInWords(sender)}
      </Text>
      {sender.proposals.length > 0 ? (
        <Group gap="xs">
          {sender.proposals.map((proposal) => (
            <Button
              key={proposal.id}
              size="compact-sm"
              variant={proposal.id === facilityId ? 'filled' : 'default'}
              aria-pressed={proposal.id === facilityId}
              onClick={() => onFacility(proposal, { mail, from, sender })}
            >
              {proposal.name}, acct. {proposal.acctNo}
            </Button>
          ))}
        </Group>
      ) : null}
      {mail.attachments.length > 0 ? (
        <Text size="sm" className="muted">
          Attachments not read: {mail.attachments.join(', ')}. To read a list of items, use 'From the customer's usage
          file'.
        </Text>
      ) : null}
      <details>
        <Text component="summary" size="sm" className="muted">
          Text of the email
        </Text>
        <Text size="sm" mah={240} style={{ whiteSpace: 'pre-wrap', overflow: 'auto' }}>
          {mail.text}
        </Text>
      </details>
      <Group gap="sm">
        <Text size="sm" className={rows.length > 0 ? '' : 'warning'}>
          {rows.length > 0
            ? `${countOf(rows.length, 'line')} from the email will be added to the quote.`
            : 'No lines from the email are on the quote yet.'}
        </Text>
        <Anchor component="button" type="button" size="sm" onClick={onLook}>
          {rows.length > 0 ? 'Review them again' : 'Review the lines'}
        </Anchor>
      </Group>
    </Stack>
  );
}

function facilityInWords({ facility, proposals, by }: Sender): string {
  const what = by === 'address' ? 'with this address' : 'at this domain';
  if (facility) return `${facility.name} has a contact ${what}. Check that it is the right facility.`;
  if (proposals.length > 0) return `Several facilities have contacts ${what}. Choose the facility.`;
  return 'None of your facilities has a contact with this address or domain. Choose the facility.';
}
