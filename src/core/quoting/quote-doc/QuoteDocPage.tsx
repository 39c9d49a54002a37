// The customer's page: the frozen quote and the customer's actions, without an account (design 7, Quote document).
import { Alert, Anchor, Button, Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { acceptableTotal, notFirm } from '#core/quoting/provisional/provisional.ts';
import { validityText } from '#core/quoting/quote-pdf/document-rows.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { isPrintView } from '#platform/ui/printing.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { AcceptDialog } from './reply-dialogs/AcceptDialog.tsx';
import { DeclineDialog } from './reply-dialogs/DeclineDialog.tsx';
import { useDraft } from './reply-dialogs/draft.web.ts';
import { NextSteps } from './reply-dialogs/NextSteps.tsx';
import { QuestionDialog } from './reply-dialogs/QuestionDialog.tsx';
import classes from './QuoteDocPage.module.css';
import { QuoteSheet } from './QuoteSheet.tsx';
import { type PublicQuote, QuoteDoc } from './quote-doc.contract.ts';

export default function QuoteDocPage() {
  const { docId } = useParams({ from: '/quote-doc/$docId' });
  const printView = isPrintView(useLocation().search);
  const document = useDocument(docId);
  const query = useQuery(document);
  return (
    <main className={classes['page']}>
      {/* The address is the key to the quote, so search engines must not index it. */}
      <meta name="robots" content="noindex" />
      {query.data && !isGone(query.error) ? (
        <>
          <title>{`Quote ${query.data.document.number} · ${query.data.document.company.name}`}</title>
          {printView ? (
            <QuoteSheet docId={docId} document={query.data.document} />
          ) : (
            <OpenQuote docId={docId} quote={query.data} />
          )}
        </>
      ) : isGone(query.error) ? (
        <div className={classes['empty']}>
          <PageTitle>We could not find this quote</PageTitle>
          <Title order={1}>We could not find this quote</Title>
          <Text className="muted">The link may be outdated or incomplete.</Text>
        </div>
      ) : query.error ? (
        <div className={classes['empty']}>
          <ErrorAlert error={query.error} title="The quote could not be shown" onRetry={query.refetch} />
          <Button loading={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </div>
      ) : (
        <Skeleton className={classes['loading']} height={900} aria-label="Loading the quote" />
      )}
    </main>
  );
}

/** The call for the page. When staff are signed in, the call reports that this is not the customer. */
function useDocument(docId: string) {
  const isStaff = useSession() !== null;
  return api(QuoteDoc).GetQuoteDoc.query(isStaff ? { id: docId, look: 'yes' } : { id: docId });
}

function isGone(error: Error | null): boolean {
  return error instanceof HttpError && error.status === 404;
}

type Open = 'accept' | 'decline' | 'ask' | null;

function OpenQuote({ docId, quote }: { docId: string; quote: PublicQuote }) {
  const queries = useQueryClient();
  const { queryKey } = useDocument(docId);
  const { draft, onType } = useDraft(docId);
  const [open, setOpen] = useState<Open>(null);
  const [request, setAsked] = useState('');
  const news = useRef<HTMLDivElement>(null);
  const pdf = useMutation({ ...api(QuoteDoc).GetQuotePdf.mutation(), onSuccess: saveFile });
  const mayDecide = quote.state === 'Open';
  // The quote may change while a dialog is open. The page then shows this and allows only a question.
  const dialog = mayDecide || open === 'ask' ? open : null;

  const decided = (next: PublicQuote) => {
    queries.setQueryData(queryKey, next);
    setOpen(null);
  };
  // The change is at the top of the page: scroll there and announce it.
  const announced = useRef({ state: quote.state, asked: request });
  useEffect(() => {
    if (announced.current.state === quote.state && announced.current.asked === request) return;
    announced.current = { state: quote.state, asked: request };
    news.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [quote.state, request]);

  const { provisional } = quote;
  const acceptable = provisional ? acceptableTotal(provisional) : quote.document.totals.totalAmount;
  // The shown total is no longer valid.
  const holding = provisional?.standing === 'Refused' ? acceptable : null;
  const forms = { docId, quote, draft, onType, onClose: () => setOpen(null) };
  const downloadPdf = (
    <Button variant="default" loading={pdf.isPending} onClick={() => pdf.mutate({ id: docId })}>
      Download PDF
    </Button>
  );
  return (
    <>
      <div ref={news} tabIndex={-1} className={`${classes['news']} no-print`}>
        {quote.state === 'Accepted' && quote.acceptance ? <NextSteps quote={quote} download={downloadPdf} /> : null}
        {quote.notice && !(quote.state === 'Accepted' && quote.acceptance) ? (
          <Alert color={quote.state === 'Accepted' ? 'green' : 'yellow'} role="status">
            {quote.notice}
            {quote.orderNo ? ` Order ${quote.orderNo}.` : ''}
          </Alert>
        ) : null}
        {provisional ? (
          <Alert color="yellow" role="status">
            <strong>These prices are provisional.</strong> {notFirm(provisional, quote.document.currnIdx)}
          </Alert>
        ) : null}
        {request ? (
          <Alert color="green" role="status" withCloseButton closeButtonLabel="Dismiss" onClose={() => setAsked('')}>
            {request}
          </Alert>
        ) : null}
        <ErrorAlert error={pdf.error} title="The PDF could not be downloaded" onClose={() => pdf.reset()} />
      </div>

      <QuoteSheet docId={docId} document={quote.document} />
      <Messages messages={quote.messages} />
      <Files docId={docId} quote={quote} />

      <div className={`${classes['bar']} no-print`} role="group" aria-label="Your answer">
        <div className={classes['sum']}>
          <strong>
            {formatAmount(holding ?? quote.agreedTotal ?? quote.document.totals.totalAmount, quote.document.currnIdx)}
          </strong>
          <span className="muted">
            {provisional && holding === null ? 'Provisional. ' : ''}
            {mayDecide ? `Valid until ${validityText(quote.document)}` : `Quote ${quote.document.number}`}
          </span>
        </div>
        {mayDecide && acceptable !== null ? (
          <Button className={classes['accept'] ?? ''} onClick={() => setOpen('accept')}>
            {provisional ? `Accept at ${formatAmount(acceptable, quote.document.currnIdx)}` : 'Accept this quote'}
          </Button>
        ) : null}
        <Button variant={mayDecide || quote.state === 'Accepted' ? 'default' : 'filled'} onClick={() => setOpen('ask')}>
          Ask a question
        </Button>
        {mayDecide ? (
          <Button variant="default" onClick={() => setOpen('decline')}>
            Decline
          </Button>
        ) : null}
        {downloadPdf}
      </div>

      {dialog === 'accept' ? <AcceptDialog {...forms} onDone={decided} /> : null}
      {dialog === 'decline' ? <DeclineDialog {...forms} onDone={decided} /> : null}
      {dialog === 'ask' ? (
        <QuestionDialog
          {...forms}
          onDone={(answer) => {
            setAsked(answer);
            onType({ question: '' });
            setOpen(null);
          }}
        />
      ) : null}
    </>
  );
}

/** The customer's questions, and the company's messages to the customer. */
function Messages({ messages }: Pick<PublicQuote, 'messages'>) {
  if (messages.length === 0) return null;
  return (
    <section className={`${classes['files']} card no-print`} aria-label="Messages">
      <Title order={2}>Messages</Title>
      <ol className={classes['messages']}>
        {messages.map(({ from, name, text, at }, index) => (
          <li key={index} data-from={from}>
            <Text size="xs" className="muted tabular">
              {formatInstant(at)} · {name}
            </Text>
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Files that staff shared with the customer, and documents of the items sent with the quote. */
function Files({ docId, quote }: { docId: string; quote: PublicQuote }) {
  const download = useMutation({ ...api(QuoteDoc).GetQuoteFile.mutation(), onSuccess: saveFile });
  const open = useMutation({ ...api(QuoteDoc).GetQuoteDocument.mutation(), onSuccess: saveFile });
  if (quote.files.length + quote.documents.length === 0) return null;
  return (
    <section className={`${classes['files']} card no-print`} aria-label="Files">
      <Title order={2}>Files</Title>
      <ul>
        {quote.files.map((file) => (
          <li key={file.id}>
            <Anchor component="button" type="button" onClick={() => download.mutate({ docId, fileId: file.id })}>
              {file.name}
            </Anchor>{' '}
            <span className="muted tabular">
              {download.isPending && download.variables.fileId === file.id ? 'loading…' : sizeText(file.size)}
            </span>
          </li>
        ))}
        {quote.documents.map((document) => (
          <li key={`document ${document.id}`}>
            <Anchor component="button" type="button" onClick={() => open.mutate({ docId, id: document.id })}>
              {document.title}
            </Anchor>{' '}
            <span className="muted tabular">
              {document.category} ·{' '}
              {open.isPending && open.variables.id === document.id ? 'loading…' : sizeText(document.size)}
            </span>
          </li>
        ))}
      </ul>
      <ErrorAlert
        error={download.error ?? open.error}
        title="The file could not be downloaded"
        onClose={() => {
          download.reset();
          open.reset();
        }}
      />
    </section>
  );
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
