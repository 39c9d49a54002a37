// Allows the style elements of a page. No answer allows any other inline style (docs/decisions/0041).
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Returns the nonce for the style elements of this page, and adds it to the content policy of the page. */
export function styleNonce(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header('content-security-policy', policy.replace("style-src 'self'", `$& 'nonce-${nonce}'`));
  return nonce;
}
