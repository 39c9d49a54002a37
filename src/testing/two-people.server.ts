// Scripts two people on one quote who type, add and remove lines, and lose the network. Nothing may be lost or doubled.
import type { Endpoint, InputOf, OutputOf } from '#platform/api/endpoint.ts';
import { HttpError, type Problem } from '#platform/api/http-error.ts';
import { type Random, seeded } from '#demo/random.server.ts';
import { type BoardStore, boardStore } from '#core/quoting/quote-board/state/board-store.ts';
import type { BoardCalls } from '#core/quoting/quote-board/state/held-quote.ts';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { clashes } from '#core/quoting/quote-edit/settle/quote-merge.ts';
import { conflictOf } from '#platform/shared/conflict.ts';
import { add } from '#platform/shared/money.ts';
import { anItem } from './factories/catalog.server.ts';
import { aSalesOffice } from './factories/people.server.ts';
import type { TestServer } from './test-server.server.ts';

/** The fate of a note that somebody typed. */
type Typed = {
  /** The field values that the person has seen, and so may replace knowingly. */
  known: Set<string>;
  /** The author kept the note when asked, so after a lost answer it may be saved again over somebody else's text. */
  kept?: boolean;
  fate: 'open' | 'replaced by its author' | 'given up when asked' | 'its line was removed';
};
type Who = { id: number; fullName: string };

export type TwoPeople = { steps: number; dropped: number; conflicts: number; saves: number; problems: string[] };

/**
 * Runs until `over` returns true, then brings both back to the network and lets everything arrive. Reports each broken rule: both boards
 * show what is stored, the totals add up, and every typed note is in the history of the quote unless its author gave it up.
 */
export async function twoPeople(
  server: TestServer,
  overrides: { lines: number; seed: number; over: (step: number) => boolean },
): Promise<TwoPeople> {
  const { db } = server;
  const office = await aSalesOffice(db);
  const item = await anItem(db, { number: 'TWO-1', price: 10 });
  const created = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: office.facility.id },
      items: Array.from({ length: overrides.lines }, () => ({ itemId: item.id, qty: 1 })),
    },
    { as: office.inside },
  );
  const quoteId = created.quote.id;
  const typed = new Map<string, Typed>();
  const figures: TwoPeople = { steps: 0, dropped: 0, conflicts: 0, saves: 0, problems: [] };
  const people = [office.inside, office.cs].map((who, at) => aPerson(who, seeded(overrides.seed + at)));

  function aPerson(who: Who, random: Random) {
    let isOnline = true;
    /** Makes a call over a network that fails before or after the call reaches the server. */
    async function ask<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
      if (!isOnline) throw new HttpError(0, 'no network');
      const { status, body } = await server.call(endpoint, input, { as: who });
      if (!isOnline || random.chance(0.02)) throw new HttpError(0, 'the answer was lost');
      const { detail = '', conflict } = body as Partial<Problem>;
      if (status !== 200) throw new HttpError(status, detail, conflict ? { conflict } : {});
      return body;
    }
    const calls: BoardCalls = {
      read: () => ask(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quoteId }),
      readChanges: (since) => ask(QuoteEdit.GetQuoteChanges, { quoteId, since, internal: true }),
      readActivity: () => ask(QuoteEdit.GetQuoteActivity, { quoteId, internal: true }),
      saveQuote: (input) => ask(QuoteEdit.SaveSalesRepQuote, input),
      saveLine: (input) => ask(QuoteEdit.SaveQuoteItem, input),
      applyPromotion: (input) => ask(QuoteEdit.ApplyPromotionToQuoteItem, input),
      addTemplate: (input) => ask(QuoteEdit.SaveQuoteTemplateForQuote, input),
      useFacilityValues: (input) => ask(QuoteEdit.UseFacilityValues, input),
    };
    const store = boardStore({ quoteId, view: 'internal', calls, keep: () => {}, onSaved: () => figures.saves++ });
    const board = () => store.snapshot().board;
    const lines = () => (board()?.items ?? []).filter(({ type }) => type === 'item');

    /** Types a note that nobody else types. */
    const type = (line: QuoteItem) => {
      const notes = `${who.id}.${typed.size}`;
      // One change may be in transit while another waits. The person has also seen the values that both replace.
      const waiting = store.queue.pending().filter(({ target }) => target === line.id);
      const earlier = waiting.flatMap((entry) => typed.get(noteOf(entry)) ?? []);
      typed.set(notes, { known: new Set([line.notes, ...earlier.flatMap(({ known }) => [...known])]), fate: 'open' });
      for (const entry of earlier) entry.fate = 'replaced by its author';
      store.changeLine(line, { notes });
    };
    /** Answers the board's questions about conflicts. */
    const choose = () => {
      for (const entry of store.queue.pending().filter(({ state }) => state === 'conflict')) {
        const current = conflictOf(entry.error)?.current;
        if (!current) continue;
        figures.conflicts++;
        const note = noteOf(entry);
        const conflicts = clashes(entry, current);
        const isMine = random.chance(0.5);
        const mine = typed.get(note);
        if (isMine && mine) {
          mine.known.add(String(current['notes']));
          mine.kept = true;
        }
        if (!isMine && mine && conflicts.includes('notes')) mine.fate = 'given up when asked';
        const keep = Object.keys(entry.patch).filter((field) => isMine || !conflicts.includes(field));
        store.queue.resolve(entry.target, keep, current);
      }
    };
    /** Drops changes that cannot be saved because their line is gone, as a person does after reading the message. */
    const letGo = () => {
      for (const entry of store.queue.pending()) {
        if (entry.state !== 'failed' || entry.target === 'quote') continue;
        if (board()?.data.items.some(({ id }) => id === entry.target)) continue;
        const note = typed.get(noteOf(entry));
        if (note) note.fate = 'its line was removed';
        store.queue.drop(entry.target);
      }
    };
    /** Adds a line, and retries with the same key until the server answers. */
    const addOne = async () => {
      const line = { itemId: item.id, qty: random.int(1, 9), clientKey: `two-people-${who.id}-${figures.steps}` };
      for (let tries = 0; tries < 50; tries++) {
        try {
          await store.addLine(line);
          return;
        } catch (error) {
          if (!(error instanceof HttpError) || error.status !== 0) throw error;
          // The network is back for the next try.
          isOnline = true;
        }
      }
    };
    const step = async () => {
      const visible = lines();
      // Half of the work happens on a few lines, so that the two people collide.
      const line = random.chance(0.5) ? visible[random.int(0, 4)] : random.pick(visible);
      const what = random.next();
      if (!isOnline && random.chance(0.3)) {
        isOnline = true;
        store.queue.retry();
      }
      if (!line) return;
      if (what < 0.45) type(line);
      else if (what < 0.6) store.changeLine(line, { qty: random.int(1, 50) });
      else if (what < 0.68) store.changeLine(line, { unitPrice: random.int(5, 9), priceReason: 'Match' });
      else if (what < 0.74)
        store.changeQuote(random.chance(0.5) ? { poNumber: `PO-${figures.steps}` } : { phone: `555-${figures.steps}` });
      else if (what < 0.79) await addOne();
      else if (what < 0.82) await store.saveLines([{ id: line.id, remove: true }], '1 removed').catch(ignoreRefusal);
      else if (what < 0.9) await store.catchUp().catch(ignoreRefusal);
      else {
        isOnline = false;
        figures.dropped++;
      }
      if (random.chance(0.5)) await store.queue.settled();
      choose();
      letGo();
    };
    return {
      who,
      store,
      run: async () => {
        await store.reload();
        while (!overrides.over(figures.steps)) {
          figures.steps++;
          await step();
        }
      },
      /** Returns to the network and stays until nothing waits. */
      comeBack: async () => {
        for (let turn = 0; turn < 100; turn++) {
          isOnline = true;
          await store.catchUp().catch(ignoreRefusal);
          store.queue.retry();
          await store.queue.settled();
          await store.reload();
          choose();
          letGo();
          await store.queue.settled();
          if (store.queue.pending().length === 0) break;
        }
        store.queue.dispose();
      },
    };
  }

  for (const { store } of people) await store.reload();
  await Promise.all(people.map(({ run }) => run()));
  // The people return one after the other, so that the second sees the first one's changes.
  for (const { comeBack } of people) await comeBack();
  for (const { comeBack } of people) await comeBack();
  figures.problems = await problemsOf(server, quoteId, people, typed);
  return figures;
}

/** The note that waits to be saved, if any. */
function noteOf({ patch }: { patch: Record<string, unknown> }): string {
  const { notes } = patch;
  return typeof notes === 'string' ? notes : '';
}

/** Ignores the refusal of a step on a line that somebody else has removed, or without a network. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof HttpError) || ![0, 404, 409].includes(error.status)) throw error;
}

async function problemsOf(
  { db }: TestServer,
  quoteId: number,
  people: { who: Who; store: BoardStore }[],
  typed: ReadonlyMap<string, Typed>,
): Promise<string[]> {
  const problems: string[] = [];
  const stored = await db
    .selectFrom('quote_item')
    .select(['id', 'line_no', 'qty', 'unit_price', 'line_total', 'notes'])
    .where('quote_id', '=', quoteId)
    .orderBy('line_no')
    .execute();
  const quote = await db
    .selectFrom('quote')
    .select(['subtotal', 'total_amount', 'po_number', 'phone', 'version'])
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow();
  const inWords = (values: readonly unknown[]) => values.map(String).join(' | ');
  const expected = [
    ...stored.map((line) => inWords([line.id, line.line_no, line.qty, line.unit_price, line.line_total, line.notes])),
    inWords([quote.subtotal, quote.total_amount, quote.po_number, quote.phone, quote.version]),
  ];
  for (const { who, store } of people) {
    const { board } = store.snapshot();
    if (!board) throw new Error('the board is open');
    const { quote: visible, items, pending } = board;
    const seen = [
      ...items.map((line) => inWords([line.id, line.lineNo, line.qty, line.unitPrice, line.lineTotal, line.notes])),
      inWords([visible.subtotal, visible.totalAmount, visible.poNumber, visible.phone, visible.version]),
    ];
    for (const [at, line] of expected.entries())
      if (seen[at] !== line) problems.push(`${who.fullName} sees ${seen[at]}, stored is ${line}`);
    if (seen.length !== expected.length) problems.push(`${who.fullName} sees ${seen.length} of ${expected.length}`);
    if (pending.length > 0) problems.push(`${who.fullName}: ${pending.length} changes still wait`);
  }
  const sum = stored.reduce((total, line) => add(total, line.line_total ?? 0), 0);
  if (sum !== quote.subtotal) problems.push(`the lines add up to ${sum}, the subtotal is ${quote.subtotal}`);
  if (stored.some((line, at) => line.line_no !== at + 1)) problems.push('the places of the lines have gaps');

  const events = await db
    .selectFrom('quote_event')
    .select(['user_id', 'changes'])
    .where('quote_id', '=', quoteId)
    .orderBy('id')
    .execute();
  const arrived = new Set<string>();
  for (const { changes } of events) {
    for (const { field, before, after } of changes as { field: string; before: string; after: string }[]) {
      if (!field.endsWith(': Notes')) continue;
      const mine = typed.get(after);
      if (arrived.has(after) && !mine?.kept) problems.push(`'${after}' was saved twice`);
      arrived.add(after);
      const isOwn = before.split('.')[0] === after.split('.')[0];
      if (before !== '' && !isOwn && !mine?.known.has(before))
        problems.push(`'${after}' replaced '${before}', which its author had not seen`);
    }
  }
  for (const [note, { fate }] of typed)
    if (fate === 'open' && !arrived.has(note)) problems.push(`'${note}' was typed and is lost`);
  return problems;
}
