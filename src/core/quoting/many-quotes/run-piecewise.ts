// Applies a step to many quotes in batches, and tracks the fate of each quote even when the connection fails. Pure.
import { HttpError } from '#platform/api/http-error.ts';
import { type Outcome, PIECE, type Was } from './many-quotes.contract.ts';

/** `unknown`: sent, but the response was lost. `left`: not sent. `back`: applied and undone. */
export type State = 'done' | 'refused' | 'unknown' | 'left' | 'back';
export type Fate = { state: State; message: string; version: number | null; was: Was | null };

type Step<Q> = {
  send: (piece: Q[]) => Promise<{ outcomes: readonly Outcome[] }>;
  /** Called after each batch. An outcome is undefined when the response was lost. */
  onPiece: (outcomes: ReadonlyMap<Q, Outcome | undefined>) => void;
  isStopped: () => boolean;
};

/** Sends the quotes until all are sent, a call fails, or the user stops. Returns the error, if any. */
export async function inPieces<Q extends { id: number }>(quotes: readonly Q[], step: Step<Q>): Promise<Error | null> {
  for (let at = 0; at < quotes.length && !step.isStopped(); at += PIECE) {
    const piece = quotes.slice(at, at + PIECE);
    try {
      const { outcomes } = await step.send(piece);
      const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
      step.onPiece(new Map(piece.map((quote) => [quote, byId.get(quote.id)])));
    } catch (error) {
      // A refusal of the whole call happens before its first quote, so no quote of this batch has changed.
      const isRefusal = error instanceof HttpError && error.status >= 400 && error.status < 500;
      if (!isRefusal) step.onPiece(new Map(piece.map((quote) => [quote, undefined])));
      return error instanceof Error ? error : new Error(String(error));
    }
  }
  return null;
}

const LOST: Fate = { state: 'unknown', message: 'No response from the server.', version: null, was: null };

/** `was` comes from the preceding check, because a step that is sent again no longer knows it. */
export function fateOf(outcome: Outcome | undefined, was: Was | null = null): Fate {
  if (!outcome) return LOST;
  const { done, message, version } = outcome;
  return { state: done ? 'done' : 'refused', message, version, was: done ? (outcome.was ?? was) : null };
}

/** The fate of an applied quote after an attempt to undo it. */
export function putBackFate(before: Fate, outcome: Outcome | undefined): Fate {
  if (!outcome) return { ...before, message: 'No response from the server. Undo it again to check.' };
  if (outcome.done) return { state: 'back', message: '', version: outcome.version, was: null };
  return { ...before, message: `Not undone: ${outcome.message}`, was: null };
}
