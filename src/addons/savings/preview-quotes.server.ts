// Says before quotes are made of an analysis which approval rules would fire on them, and who decides.
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { readApprovers } from '#core/quoting/approvals/read-approvers.server.ts';
import { awaitedFor, awaitedNames } from '#core/quoting/approvals/whose-decision.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { requireAnalysis } from './analysis-sight.server.ts';
import { draftQuote, openDraft } from './comparison/draft-quote.server.ts';
import { countedParts, linesToMake } from './make-quotes.server.ts';
import type { Savings } from './savings.contract.ts';

/** 404 out of sight; 422 when no row counts, and for what keeps a quote from being made. */
export async function previewQuotes(
  context: ReadContext,
  { id, quantities, rows }: ParsedInputOf<typeof Savings.PreviewQuotes>,
): Promise<OutputOf<typeof Savings.PreviewQuotes>> {
  const { db, services, user } = context;
  const analysis = await requireAnalysis(db, user, id);
  const parts = await countedParts(db, id, rows);
  const edit = await openDraft(context, analysis);
  const quotes: OutputOf<typeof Savings.PreviewQuotes>['quotes'] = [];
  const approvers = await readApprovers(db, services);
  for (const part of parts) {
    const inputs = linesToMake(part, quantities);
    const { quote, fired } = await draftQuote(edit, inputs);
    quotes.push({
      lines: part.length,
      totalAmount: quote.total_amount,
      validUntil: quote.valid_until,
      rules: fired.map((rule) => ({
        ...rule,
        decides: awaitedNames(awaitedFor(rule.role, quote, user.id, approvers)),
      })),
    });
  }
  return { quotes };
}
