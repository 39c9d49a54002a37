// Carries out changes of a quote on the server, each on top of the stored state, and finds their reverse.
import { HttpError } from '#platform/api/http-error.ts';
import { type FacilityPart, FIELDS_OF_PART } from '#core/quoting/quote-edit/facility/facility-change.ts';
import type { LineEdit, QuoteItem, QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEditData, SavedQuote } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { clashes, seen } from '#core/quoting/quote-edit/settle/quote-merge.ts';
import { conflictOf, type Stored } from '#platform/shared/conflict.ts';
import { madeOf, newestOf } from './merge-replies.ts';
import { type BulkOperation, bulkBack, lineBack, type Operation, quoteChangeBack, sentLines } from './changes.ts';
import type { BoardCalls, HeldQuote } from './held-quote.ts';
import type { Change } from './save-queue.ts';

/** A completed change: its reverse, and the lines it added. */
export type Done = { back: Operation; added: readonly QuoteItem[] };

/** `returned` maps the id of a removed line to the id it got when it came back. */
export function carrying(quoteId: number, calls: BoardCalls, quote: HeldQuote, returned: Map<number, number>) {
  /** Saves one change over the stored record and returns the record after it. Changes by other users to other fields are kept. */
  const saveChange = async (change: Change): Promise<Stored> => {
    const { target, patch } = change;
    const recordNow = (): Stored | undefined =>
      target === 'quote' ? quote.now().quote : quote.now().items.find(({ id }) => id === target);
    let stored = recordNow();
    if (!stored) throw lineGone();
    let refusal = metAnother(quote.now(), stored);
    for (;;) {
      if (clashes(change, stored).length > 0) throw refusal;
      const version = stored['version'] as number;
      const sinceVersion = quote.version();
      try {
        if (target === 'quote') {
          const answer = await calls.saveQuote({ quote: { ...patch, id: quoteId, version }, sinceVersion });
          quote.receive(answer);
          return answer.quote;
        }
        const answer = await calls.saveLine({ ...patch, id: target, quoteId, version, sinceVersion });
        quote.receiveLine(answer);
        return answer.item;
      } catch (problem) {
        if (!(problem instanceof HttpError) || problem.status !== 409) throw problem;
        // Another user changed the record, moved the quote to another status, or removed the line. The board shows the new state.
        await quote.read();
        stored = recordNow();
        if (!conflictOf(problem) || !stored || stored['version'] === version) throw problem;
        refusal = problem;
      }
    }
  };

  const saveForm = async ({ id, patch, start }: LineEdit): Promise<Done> => {
    const item = quote.now().items.find((candidate) => candidate.id === id);
    await saveChange({ target: id, patch, base: seen(patch, start) });
    return { back: { kind: 'line', id, patch: item ? lineBack(item, Object.keys(patch)) : {} }, added: [] };
  };

  const addLine = async (line: QuoteItemInput): Promise<Done> => {
    const before = quote.now();
    const input = { ...line, id: 0, quoteId, sinceVersion: quote.version() };
    const answer = await calls.saveLine(input).catch((problem: unknown) => {
      // Perhaps only the response was lost. Reading shows the line before the user adds it a second time.
      void quote.read();
      throw problem;
    });
    quote.receiveLine(answer);
    return { back: bulkBack({ kind: 'lines', lines: [] }, before, [answer.item]), added: [answer.item] };
  };

  const carryOut = async (op: BulkOperation): Promise<Done> => {
    const before = quote.now();
    const { savedIds = [], ...answer } = await callOf(op, before).catch(async (problem: unknown) => {
      // The next attempt builds on the stored state, which the board then shows.
      if (problem instanceof HttpError && problem.status === 409) await quote.read();
      throw problem;
    });
    const added = op.kind === 'lines' ? madeOf(op.lines, savedIds, answer) : newestOf(answer, before, countAdded(op));
    const own = op.kind === 'lines' ? op.lines : op.kind === 'step' ? answer.items : [];
    quote.receive(answer, new Set([...added, ...own].map(({ id }) => id ?? 0)));
    if (op.kind === 'lines') {
      const newLines = op.lines.filter(({ id }) => !id);
      for (const [index, line] of added.entries()) {
        const was = newLines[index]?.was;
        if (was !== undefined) returned.set(was, line.id);
      }
    }
    return { back: bulkBack(op, before, added, answer.items), added };
  };
  /** Applies the changes made at the facility, or keeps the quote as it is. */
  const takeFromFacility = async (parts: readonly FacilityPart[], keep: boolean): Promise<Done> => {
    const before = quote.now();
    const answer = await calls
      .useFacilityValues({ quoteId, version: quote.version(), parts: [...parts], keep })
      .catch(async (problem: unknown) => {
        if (problem instanceof HttpError && problem.status === 409) await quote.read();
        throw problem;
      });
    quote.receive(answer);
    return {
      back: quoteChangeBack(
        before,
        parts.flatMap((part) => FIELDS_OF_PART[part]),
      ),
      added: [],
    };
  };

  const callOf = async (op: BulkOperation, { items }: QuoteEditData): Promise<SavedQuote> => {
    const sinceVersion = quote.version();
    if (op.kind === 'step') return op.step({ quoteId, version: sinceVersion });
    if (op.kind === 'template') {
      const { templateId, items: chosen } = op;
      return calls.addTemplate({ quoteId, templateId, ...(chosen ? { items: chosen } : {}) });
    }
    if (op.kind === 'promotion') {
      const version = items.find(({ id }) => id === op.id)?.version;
      if (version === undefined) throw lineGone();
      return calls.applyPromotion({ quoteItemId: op.id, promotionId: op.promotionId, version });
    }
    const there = new Set(items.map(({ id }) => id));
    const isGone = ({ id }: { id?: number | undefined }) => Boolean(id) && !there.has(id ?? 0);
    // Another user has already removed a line that this removes.
    const lines = op.lines.filter((line) => !(line.remove && isGone(line)));
    if (lines.some(isGone) || (lines.length === 0 && op.lines.length > 0 && !op.quote && !op.order)) throw lineGone();
    const fields = { id: quoteId, ...(op.quote ? { ...op.quote, version: sinceVersion } : {}) };
    return calls.saveQuote({ quote: fields, items: sentLines({ ...op, lines }, items), sinceVersion });
  };
  return { saveChange, saveForm, addLine, carryOut, takeFromFacility };
}

export function lineGone(): HttpError {
  return new HttpError(404, 'This line is no longer on the quote.');
}

/** The error for a change of a record that now contains another user's change. */
function metAnother({ events: [last] }: QuoteEditData, current: Stored): HttpError {
  return new HttpError(409, 'Another user changed this in the meantime.', {
    conflict: { changedBy: last?.actor ?? null, changedAt: last?.at ?? null, changes: [], current },
  });
}

/** The number of lines that a change adds when it does not list them. */
function countAdded(op: BulkOperation): number {
  if (op.kind === 'template') return op.count;
  // The server refuses this call if another user changed the quote, so all new lines are from this call.
  return op.kind === 'step' ? Number.MAX_SAFE_INTEGER : 0;
}
