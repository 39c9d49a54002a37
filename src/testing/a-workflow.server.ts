// Moves quotes through their workflow over HTTP: one user for each role that may act, quotes of the rep, and the steps.

import type { ActionName } from '#core/quoting/quotes/actions.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import type { Role } from '#platform/shared/roles.ts';
import { aRegion, aUser } from './factories/people.server.ts';
import { aPricedQuote } from './factories/quotes.server.ts';
import type { TestServer } from './test-server.server.ts';

type Person = Awaited<ReturnType<typeof aUser>>;
export type Office = Awaited<ReturnType<ReturnType<typeof aWorkflow>['office']>>;
export type Given = Parameters<typeof aPricedQuote>[1];

/** 12% off: above the 5% limit of an inside rep, below the manager's 15%. */
export const DISCOUNTED: Given = { statusId: 'Processing', lines: [{ qty: 10, systemPrice: 10, unitPrice: 8.8 }] };

/** `server` returns the test file's server, which exists once its tests run. */
export function aWorkflow(server: () => TestServer) {
  /** The people around a quote: its rep, their support, the manager of its region, one of each other role, and an unrelated rep. */
  async function office() {
    const { db } = server();
    const region = await aRegion(db);
    const rep = await aUser(db);
    const person = (role: Role) => aUser(db, { roles: [role] });
    return {
      region,
      rep,
      support: await aUser(db, { roles: ['salessupport'], supports: [rep.id] }),
      manager: await aUser(db, { roles: ['salesQuoteManager'], regionIds: [region.id] }),
      cs: await person('csrep'),
      inside: await person('insiderep'),
      salesadmin: await person('salesadmin'),
      contracts: await person('contractdept'),
      admin: await person('systemadmin'),
      stranger: await person('salesrep'),
    };
  }

  async function aQuoteOf(people: Office, overrides: Given = {}) {
    return aPricedQuote(server().db, { salesRepId: people.rep.id, regionId: people.region.id, ...overrides });
  }

  const rowOf = (id: number) =>
    server().db.selectFrom('quote').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const lastEvent = (id: number) =>
    server()
      .db.selectFrom('quote_event')
      .selectAll()
      .where('quote_id', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirst();
  /** Performs an action at the quote's current version. */
  async function act(quoteId: number, action: ActionName, as: Person, more: Record<string, unknown> = {}) {
    const { version } = await rowOf(quoteId);
    return server().call(QuoteWorkflow.PerformWorkflowAction, { quoteId, action, version, ...more }, { as });
  }
  async function send(quoteId: number, as: Person, more: Record<string, unknown> = {}) {
    const { version } = await rowOf(quoteId);
    const mail = { quoteId, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Here it is.', ...more };
    return server().call(QuoteWorkflow.SendEmail, mail, { as });
  }
  async function mailsSince(before: number) {
    await server().drain();
    return server().mails.slice(before);
  }

  return { office, aQuoteOf, rowOf, lastEvent, act, send, mailsSince };
}
