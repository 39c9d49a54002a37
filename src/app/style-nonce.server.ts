// Lets the style elements of one page apply. No answer allows any other style of its own (docs/decisions/0041).
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** The nonce that the style elements of this page carry; adds it to the page's content policy. */
export function styleNonce(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header('content-security-policy', policy.replace("style-src 'self'", `$& 'nonce-${nonce}'`));
  return nonce;
}
