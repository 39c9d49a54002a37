// Measures what open streams of changes cost a server, and how soon they hear of a save:
// npm run bench -- live, or BOARDS=500 node node_modules/vitest/vitest.mjs run bench/live.test.ts
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { HttpError } from '#platform/api/http-error.ts';
import { keepLink, type LinkState } from '#platform/live/live-link.ts';
import { LIVE_PATH } from '#platform/live/live.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { aProcessHome, killProcesses, startServerProcess, tokensOf, until } from '#testing/server-process.server.ts';
import { memoryOfTree, processorOfTree } from './processor.ts';

/** 0: nothing is measured. */
const BOARDS = Number(process.env['BOARDS'] ?? 0);
/** A person has at most twenty. */
const OF_A_PERSON = 10;
const SAVES = 40;
const REST_MS = 20_000;
afterAll(killProcesses);

it.runIf(BOARDS > 0)('open boards have a price', { timeout: 600_000 }, async () => {
  const people: Record<string, { id: number }> = {};
  let quoteId = 0;
  const home = await aProcessHome(async ({ db }) => {
    for (let n = 0; n < Math.ceil(BOARDS / OF_A_PERSON); n++) people[n] = await aUser(db, { roles: ['csrep'] });
    quoteId = (await aPricedQuote(db, { ownerId: people[0]?.id ?? 0 })).id;
  });
  const environment = { ...home.environment, RATE_LIMIT: '1000000' };
  const tokens = await tokensOf(home, environment, people);
  const { child } = await startServerProcess(environment);
  const pid = child.pid ?? 0;
  const figures = () => ({ memory: memoryOfTree(pid), processor: processorOfTree(pid) });
  const resting = async () => {
    const { processor } = figures();
    await sleep(REST_MS);
    return ((figures().processor - processor) / REST_MS) * 100;
  };
  await sleep(5000);
  const before = { memory: figures().memory, percent: await resting() };

  /** When each stream heard what it heard last. */
  const heard: number[] = [];
  const agent = new http.Agent({ maxSockets: Infinity });
  for (let n = 0; n < BOARDS; n++) {
    const authorization = `Bearer ${tokens[n % Object.keys(people).length]}`;
    http.get(home.address + LIVE_PATH, { agent, headers: { authorization } }, (answer) =>
      answer.on('data', (part: Buffer) => {
        // Signs of life are no news.
        if (part.includes('event:')) heard[n] = performance.now();
      }),
    );
  }
  await until(() => heard.filter(Boolean).length === BOARDS, 120);
  const open = { memory: figures().memory, percent: await resting() };

  const took: number[] = [];
  const { processor } = figures();
  for (let save = 0; save < SAVES; save++) {
    const began = performance.now();
    const line = {
      quoteId,
      type: 'custom',
      itemNumber: `L-${save}`,
      description: 'Live',
      qty: 1,
      unit: 'EA',
      unitPrice: 1,
    };
    const answer = await fetch(home.address + QuoteEdit.SaveQuoteItem.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' },
      body: JSON.stringify(line),
    });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    await until(() => heard.every((at) => at > began), 30);
    took.push(...heard.map((at) => at - began));
  }
  const each = (figures().processor - processor) / SAVES;
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  console.log(
    `${BOARDS} streams: ${open.memory - before.memory} MB more, at rest ${before.percent.toFixed(1)} -> ${open.percent.toFixed(1)} % of a processor; ` +
      `a save reaches them after ${at(0.5)} ms, 95 % within ${at(0.95)}, all within ${at(1)}; a save and telling all takes ${each.toFixed(1)} ms of the server's processor`,
  );
  agent.destroy();

  // Browsers come back by themselves when the server was restarted.
  const over = new AbortController();
  const states: LinkState[] = [];
  const links = Array.from({ length: BOARDS }, (_, n) =>
    keepLink({
      open: async (signal) => {
        const headers = { authorization: `Bearer ${tokens[n % Object.keys(people).length]}` };
        const answer = await fetch(home.address + LIVE_PATH, { headers, signal }).catch(() => null);
        if (!answer?.ok || !answer.body) throw new HttpError(0, 'The server is away.');
        return answer.body;
      },
      news: () => {},
      here: () => {},
      state: (state) => (states[n] = state),
      signal: over.signal,
      wait: (ms) => sleep(ms, undefined, { signal: over.signal }).catch(() => {}),
      random: Math.random,
    }),
  );
  const areAll = (state: LinkState) => states.filter((candidate) => candidate === state).length === BOARDS;
  await until(() => areAll('live'), 60);
  child.kill();
  await until(() => areAll('away'), 30);
  const next = await startServerProcess(environment);
  const [at0, began] = [processorOfTree(next.child.pid ?? 0), performance.now()];
  await until(() => areAll('live'), 60);
  const [back, spent] = [performance.now() - began, processorOfTree(next.child.pid ?? 0) - at0];
  console.log(
    `restarted: all ${BOARDS} are back ${(back / 1000).toFixed(1)} s after it listens, which takes ${spent.toFixed(0)} ms of the server's processor`,
  );
  over.abort();
  await Promise.all(links);
  next.child.kill();
  await home.remove();
});
