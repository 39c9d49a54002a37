// The API calls for comments on a quote and its lines, internal or to the customer (our own calls).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Id, RequiredText, Version } from '#platform/shared/wire.ts';

/** How long an author may change a comment. After that, the author has to add a new one. */
export const EDITABLE_MINUTES = 10;

const CommentText = RequiredText(5000);

export const QuoteComment = z.object({
  /** Null for a customer's question, which nobody can change. */
  id: z.number().int().nullable(),
  version: z.number().int(),
  /** The line that the comment is about. Null for the whole quote. */
  itemId: z.number().int().nullable(),
  /** The number and description of the line when the comment was written. */
  line: z.string(),
  /** Empty after the comment is deleted. */
  text: z.string(),
  /** Whether the customer sees the comment on the page of the quote. */
  toCustomer: z.boolean(),
  /** Whether the customer asked this as a question on that page. */
  fromCustomer: z.boolean(),
  author: z.string(),
  at: z.string(),
  editedAt: z.string().nullable(),
  /** The name of the user who deleted it. Empty when it is not deleted. */
  deletedBy: z.string(),
  /** The revision of the quote when the comment was written. */
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
      /** '@Full Name' notifies that colleague, if they can see the quote. */
      text: CommentText,
      /** Shows it on the customer's page and, once the quote is sent, mails it to the customer. For quoting roles. */
      toCustomer: z.boolean(),
    }),
    Comments.extend({
      id: z.number().int(),
      /** The email addresses to which the comment is sent. */
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
