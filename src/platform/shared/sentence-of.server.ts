// Says in one line why something failed, for a person at a terminal.

/** The message of an error and of its causes. A refused connection has no message itself, only those of the addresses it tried. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reasons = error instanceof AggregateError ? error.errors.map(sentenceOf) : [error.message];
  if (error.cause) reasons.push(sentenceOf(error.cause));
  return [...new Set(reasons)].filter(Boolean).join(' ');
}
