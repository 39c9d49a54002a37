// The state of a sent quote, the actions it allows, and the sentence the customer reads (design 7).
import type { StatusId } from '#core/quoting/quotes/status.ts';
import type { PublicQuote } from './quote-doc.contract.ts';

export type Acceptance = { name: string; title: string; poNumber: string; at: string };

export type DocumentFacts = {
  /** The status of the quote, which may now have a later revision. */
  status: StatusId;
  /** Whether this revision is the quote's newest and no later one has been started. */
  current: boolean;
  /** Whether a later revision was sent. */
  replaced: boolean;
  expired: boolean;
  /** Dates as mm/dd/yyyy, empty for none. */
  validUntil: string;
  acceptance: Acceptance | null;
  acceptedOn: string;
  declinedOn: string;
};

export function stateOfDocument(facts: DocumentFacts): PublicQuote['state'] {
  if (!facts.current) return facts.status === 'Cancelled' && !facts.replaced ? 'Closed' : 'Superseded';
  if (facts.status === 'Won') return 'Accepted';
  if (facts.status === 'Lost') return facts.declinedOn ? 'Declined' : 'Closed';
  if (facts.status !== 'SentToCustomer') return 'Closed';
  return facts.expired ? 'Expired' : 'Open';
}

/** A sentence for the customer. Empty while the quote is open. */
export function noticeOf(state: PublicQuote['state'], facts: DocumentFacts): string {
  switch (state) {
    case 'Open':
      return '';
    case 'Expired':
      return `This quote expired on ${facts.validUntil}. Ask us for a new one.`;
    case 'Superseded':
      return facts.replaced
        ? 'This quote has been replaced by a newer one. Use the latest one we sent you, or contact us.'
        : 'This quote is being revised. We will send you the new one.';
    case 'Accepted':
      return facts.acceptance
        ? `This quote was accepted by ${facts.acceptance.name} on ${facts.acceptedOn}.`
        : `This quote was accepted on ${facts.acceptedOn}.`;
    case 'Declined':
      return `This quote was declined on ${facts.declinedOn}. If you have changed your mind, contact us.`;
    case 'Closed':
      return 'This quote is closed. If you still need it, contact us.';
  }
}
