// The note on the board of a quote at risk. It opens the changes beside the board.
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import type { BoardNoteProps } from '#core/quoting/quote-board/doors.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { signedAmount } from '#platform/shared/signed-figures.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { RISK_KINDS, RISK_WORDS } from '../risk-kinds.ts';
import { QuoteRisks } from '../risks.contract.ts';
import { RiskDrawer } from './RiskDrawer.tsx';

/** Loads after the board, so that it does not delay the board. `version` is that of the quote on the screen. */
export default function QuoteRiskNote({ quoteId, version }: BoardNoteProps) {
  const user = useSession();
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({
    ...api(QuoteRisks).GetQuoteRisk.query({ quoteId }),
    queryKey: [...api(QuoteRisks).GetQuoteRisk.query({ quoteId }).queryKey, version],
    enabled: user !== null && !user.gpoTabHidden,
    refetchInterval: (query) => (query.state.data && query.state.data.lines.length > 0 ? 10_000 : false),
  });
  if (error && !data) return <ErrorAlert error={error} title="Price changes could not be loaded" />;
  if (!data || data.lines.length === 0) return null;
  const kinds = RISK_KINDS.filter((kind) => data.lines.some((line) => line.kind === kind));
  const lines = data.lines.length === 1 ? '1 line has' : `${data.lines.length} lines have`;
  const when = data.day !== null && data.day > data.today ? `from ${formatDate(data.day)}` : 'today';
  return (
    <>
      <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} />} py={6} role="note" aria-label="Risk">
        <Group gap="sm" justify="space-between">
          <Text size="sm">
            {kinds.includes('Rebill')
              ? `An approval applies to a date before this quote was won: ${signedAmount(data.difference, data.currnIdx)} to credit and rebill.`
              : `${lines} a new price ${when}: ${signedAmount(data.difference, data.currnIdx)} (${kinds.map((kind) => RISK_WORDS[kind].label).join(', ')}).`}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
            View changes
          </Button>
        </Group>
      </Alert>
      {open ? <RiskDrawer quoteId={quoteId} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
