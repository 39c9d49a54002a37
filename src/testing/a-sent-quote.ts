// A quote as a customer gets it: priced, sent, with an address of its own.
import { QuoteFileUpload, QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aDocument, aDocumentLine } from './a-document.ts';
import { aUser } from './factories/people.server.ts';
import { aPricedQuote } from './factories/quotes.server.ts';
import type { TestServer } from './test-server.server.ts';

/** A sent quote for $20.00. `docId` is its address. */
export async function aSentQuote(
  server: TestServer,
  { lines: count, file: fileName }: { lines?: number; file?: string } = {},
) {
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const quote = await aPricedQuote(server.db, { statusId: 'Processing', assigneeId: cs.id, validUntil: '2099-01-01' });
  if (fileName) {
    const file = { name: fileName, bytes: Buffer.from('Latex free, as asked.'), type: 'text/plain' };
    await server.ok(
      QuoteFileUpload.UploadQuoteFile,
      { quoteId: quote.id, visibleToCustomer: 'true' },
      { as: cs, file },
    );
  }
  const sent = await server.ok(
    QuoteWorkflow.SendEmail,
    {
      quoteId: quote.id,
      version: await versionOf(server, quote.id),
      to: ['buyer@example.org'],
      subject: 'Quote',
      body: 'Hello',
    },
    { as: cs },
  );
  const docId = sent.quote.docId ?? '';
  if (count) {
    const lines = Array.from({ length: count }, (_, index) => aDocumentLine(index + 1));
    const document = JSON.stringify(aDocument({ lines, validUntil: '2099-01-01' }));
    await server.db.updateTable('quote_revision').set({ document }).where('doc_id', '=', docId).execute();
  }
  return { ...quote, cs, docId };
}

export async function versionOf(server: TestServer, id: number) {
  return (await server.db.selectFrom('quote').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;
}
