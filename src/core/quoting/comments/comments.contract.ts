// The calls about comments on a quote and its lines, internal or to the customer (our own calls).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Id, RequiredText, Version } from '#platform/shared/wire.ts';

/** So long its author may change a comment. Later words are a comment of their own. */
export const EDITABLE_MINUTES = 10;

const CommentText = RequiredText(5000);

export const QuoteComment = z.object({
  /** Null for a customer's question, which nobody changes. */
  id: z.number().int().nullable(),
  version: z.number().int(),
  /** The line it is about; null for the whole quote. */
  itemId: z.number().int().nullable(),
  /** The line's number and description at that time. */
  line: z.string(),
  /** Empty once deleted. */
  text: z.string(),
  /** Whether the customer reads it on the page of the quote. */
  toCustomer: z.boolean(),
  /** A question that the customer asked on that page. */
  fromCustomer: z.boolean(),
  author: z.string(),
  at: z.string(),
  editedAt: z.string().nullable(),
  /** Who deleted it; empty: nobody. */
  deletedBy: z.string(),
  /** The revision at that time. */
  revision: z.number().int(),
  mayEdit: z.boolean(),
  mayDelete: z.boolean(),
});
export type QuoteComment = z.infer<typeof QuoteComment>;

/** Oldest first. */
const Comments = z.object({ comments: z.array(QuoteComment) });
export type Comments = z.infer<typeof Comments>;

export const Comment = {
  GetComments: post('/api/Comment/GetComments', z.object({ quoteId: Id }), Comments, {
    access: 'user',
    summary: 'All comments on a quote, including the customer’s questions.',
  }),
  AddComment: post(
    '/api/Comment/AddComment',
    z.object({
      quoteId: Id,
      /** A line of the quote. */
      itemId: Id.nullish(),
      /** '@Full Name' tells that colleague, if they see the quote. */
      text: CommentText,
      /** Shows it on the customer's page and, once the quote is sent, mails it to the customer. For quoting roles. */
      toCustomer: z.boolean(),
    }),
    Comments.extend({
      id: z.number().int(),
      /** The addresses to which it goes by email. */
      mailedTo: z.array(z.string()),
    }),
    { access: 'user', writes: true, summary: 'Comments on a quote or one of its lines.' },
  ),
  EditComment: post('/api/Comment/EditComment', z.object({ id: Id, version: Version, text: CommentText }), Comments, {
    access: 'user',
    writes: true,
    summary: `Changes one's own internal comment within ${EDITABLE_MINUTES} minutes. 409 later, for a mailed one, and over an older version.`,
  }),
  DeleteComment: post('/api/Comment/DeleteComment', z.object({ id: Id }), Comments, {
    access: 'user',
    writes: true,
    summary: 'Deletes the text of a comment. Its author and the user who deleted it remain visible.',
  }),
  GetMentionable: post(
    '/api/Comment/GetMentionable',
    z.object({ quoteId: Id }),
    z.object({ people: z.array(z.object({ id: z.number().int(), name: z.string() })) }),
    { access: 'user', summary: 'The colleagues who can see the quote, by name.' },
  ),
};
