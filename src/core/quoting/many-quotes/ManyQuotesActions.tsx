// The actions for the selected quotes of Find Quote.
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import type { SelectedQuotes } from '#core/quoting/quotes/list/FindQuotePage.tsx';
import { type QuoteRow, QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { hasRole, QUOTING_ROLES } from '#platform/shared/roles.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { MAX_QUOTES } from './many-quotes.contract.ts';
import { ManyQuotesDialog } from './ManyQuotesDialog.tsx';
import { type Kind, KINDS, STEPS } from './step-words.ts';

/** The maximum number of rows on one page of a list. */
const PAGE = 200;

export default function ManyQuotesActions({ rows, change, seen, criteria, found }: SelectedQuotes) {
  const user = useSession();
  const [request, setAsked] = useState<{ kind: Kind; rows: QuoteRow[] } | null>(null);
  const exported = useMutation({ ...api(QuoteSearch).ExportQuotes.mutation(), onSuccess: saveFile });
  const all = useMutation({
    mutationFn: async () => {
      const pages: QuoteRow[][] = [];
      for (let page = 1; (page - 1) * PAGE < Math.min(found.total, MAX_QUOTES); page++) {
        const { records } = await api(QuoteSearch).SearchQuotesForSalesRep({
          ...criteria,
          page,
          pageSize: PAGE,
          remember: 'none',
        });
        pages.push(records);
      }
      return pages.flat();
    },
    onSuccess: (matching) => change(matching, true),
  });
  const most = Math.min(found.total, MAX_QUOTES);
  const error = exported.error ?? all.error;
  return (
    <>
      {user && hasRole(user, ...QUOTING_ROLES)
        ? KINDS.map((kind) => (
            <Button key={kind} size="compact-sm" variant="default" onClick={() => setAsked({ kind, rows })}>
              {STEPS[kind].verb}…
            </Button>
          ))
        : null}
      <Button
        size="compact-sm"
        variant="default"
        title="The selected quotes as CSV"
        loading={exported.isPending}
        onClick={() => exported.mutate({ ids: rows.map(({ id }) => id), sort: criteria.sort })}
      >
        Export
      </Button>
      {rows.length < most ? (
        <Button size="compact-sm" variant="subtle" loading={all.isPending} onClick={() => all.mutate()}>
          {found.total > most || found.more ? `Select the first ${most}` : `Select all ${most}`}
        </Button>
      ) : null}
      {error ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {exported.error ? 'The export failed' : 'Not selected'}: {error.message}
        </Text>
      ) : null}
      {request ? (
        <ManyQuotesDialog
          {...request}
          onClose={(left, gone) => {
            seen(left);
            change(gone, false);
            setAsked(null);
          }}
        />
      ) : null}
    </>
  );
}
