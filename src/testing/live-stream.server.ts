// Listens to the stream of changes as a browser does.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { EAR } from '#platform/live/live-hub.server.ts';
import { type Fact, type Here, LIVE_PATH } from '#platform/live/live.contract.ts';
import { until } from './server-process.server.ts';

export type LiveStream = {
  /** What came so far, in order. */
  events: { event: string; data: unknown }[];
  facts: () => Fact[];
  /** Who else has a quote open, by the last report. Undefined: no report came. */
  others: (quoteId: number) => Here['others'] | undefined;
  /** Waits until the server has ended the stream. */
  ended: Promise<void>;
  close: () => void;
};

/** Opens a stream at a listening server; `token` is an access token. Returns after `hello`; throws with the status when the server refuses. */
export async function listenTo(address: string, token: string): Promise<LiveStream> {
  const over = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(address + LIVE_PATH, { headers, signal: over.signal });
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${await answer.text()}`);
  const events: LiveStream['events'] = [];
  const read = async (body: ReadableStream<Uint8Array>) => {
    let text = '';
    for await (const part of body.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
      text += part;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (event) events.push({ event, data: JSON.parse(data ?? '') });
      }
    }
  };
  const ended = read(answer.body).catch(() => {});
  await until(() => events.length > 0, 20);
  return {
    events,
    facts: () => events.flatMap(({ event, data }) => (event === 'facts' ? (data as Fact[]) : [])),
    others: (quoteId) =>
      events
        .flatMap(({ event, data }) => (event === 'here' ? [data as Here] : []))
        .findLast((here) => here.quoteId === quoteId)?.others,
    ended,
    close: () => over.abort(),
  };
}

/** Cuts the connections on which servers hear of changes. */
export async function deafen(db: Db): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${EAR} and datname = current_database()`.execute(db);
}
