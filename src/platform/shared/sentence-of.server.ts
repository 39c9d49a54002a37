// Explains in one line why something failed, for a user at a terminal.

/** Returns the message of an error and of its causes. A refused connection has no message of its own, only those of the addresses that were tried. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reasons = error instanceof AggregateError ? error.errors.map(sentenceOf) : [error.message];
  if (error.cause) reasons.push(sentenceOf(error.cause));
  return [...new Set(reasons)].filter(Boolean).join(' ');
}
