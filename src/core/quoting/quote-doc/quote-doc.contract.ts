// The API calls of the customer's page: open a frozen revision without an account, accept, decline, ask, download (design 6 and 7).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { Provisional } from '#core/quoting/provisional/provisional.ts';
import { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { Decimal, OneLine, QueryId, RequiredLine, RequiredText, Text } from '#platform/shared/wire.ts';

/** 128 random bits, base64url. A malformed id gets the same response as an unknown one. */
export const DOC_ID = /^[\w-]{22}$/;
const DocId = z.string().default('');

export const PublicQuote = z.object({
  document: QuoteDocument,
  /** Open: the customer may accept. Expired and Superseded: the customer may only ask. A revoked document returns 404. */
  state: z.enum(['Open', 'Expired', 'Superseded', 'Accepted', 'Declined', 'Closed']),
  /** A sentence to the customer about the state. Empty while Open. */
  notice: z.string(),
  files: z.array(z.object({ id: z.number().int(), name: z.string(), size: z.number().int() })),
  /** The documents sent with the quote, as they were when it was sent. */
  documents: z.array(
    z.object({
      id: z.number().int(),
      title: z.string(),
      category: z.string(),
      name: z.string(),
      size: z.number().int(),
    }),
  ),
  /** The standing of the requests that prices depend on. Null when the prices are firm, or when there is nothing left to decide. */
  provisional: Provisional.nullable(),
  /** The accepted total. Null unless accepted. */
  agreedTotal: z.number().nullable(),
  /** The order number in our ERP. Empty until the ERP has created the order. */
  orderNo: z.string(),
  /** The customer's questions and our messages to the customer, oldest first. */
  messages: z.array(
    z.object({ from: z.enum(['customer', 'company']), name: z.string(), text: z.string(), at: z.string() }),
  ),
  acceptance: z.object({ name: z.string(), title: z.string(), poNumber: z.string(), at: z.string() }).nullable(),
});
export type PublicQuote = z.infer<typeof PublicQuote>;

/** The customer's input. The page checks it with the same schema. */
export const Acceptance = z.object({
  docId: DocId,
  name: RequiredLine(200),
  title: RequiredLine(200),
  poNumber: OneLine(100).default(''),
  /** Accepts the quote at the prices without the requests that it depends on. */
  atFallbackPrice: z.boolean().default(false),
  /** The total that the customer saw. The call returns 409 when the current total differs. */
  total: Decimal.optional(),
  acceptTerms: z.literal(true, 'Accept the terms first'),
});
export const Decline = z.object({
  docId: DocId,
  name: RequiredLine(200),
  reasonCode: RequiredLine(100),
  comment: Text(2000).default(''),
});
export const Question = z.object({
  docId: DocId,
  name: RequiredLine(200),
  email: z.email('This is not an email address').max(320),
  question: RequiredText(5000),
});

const anyone = { access: 'anyone', rateLimit: 60 } as const;
const write = { ...anyone, writes: true, rateLimit: 20 } as const;

export const QuoteDoc = {
  GetQuoteDoc: post(
    '/api/QuoteDoc/GetQuoteDoc',
    z.object({
      id: DocId,
      /** Set when staff are signed in to the browser, so that the opening is not counted as the customer's. */
      look: z.literal('yes').optional(),
    }),
    PublicQuote,
    { ...anyone, in: 'query' },
  ),
  AcceptQuote: post('/api/QuoteDoc/AcceptQuote', Acceptance, PublicQuote, write),
  DeclineQuote: post('/api/QuoteDoc/DeclineQuote', Decline, PublicQuote, write),
  AskQuestion: post('/api/QuoteDoc/AskQuestion', Question, z.object({ answer: z.string() }), write),
  GetQuotePdf: post('/api/QuoteDoc/GetQuotePdf', z.object({ id: DocId }), Bytes, {
    ...anyone,
    in: 'query',
    file: 'application/pdf',
  }),
  GetQuoteDocument: post('/api/QuoteDoc/GetQuoteDocument', QueryId.extend({ docId: DocId }), Bytes, {
    ...anyone,
    in: 'query',
    file: 'application/octet-stream',
  }),
  GetQuoteFile: post('/api/QuoteDoc/GetQuoteFile', z.object({ docId: DocId, fileId: z.coerce.number().int() }), Bytes, {
    ...anyone,
    in: 'query',
    file: 'application/octet-stream',
  }),
};
