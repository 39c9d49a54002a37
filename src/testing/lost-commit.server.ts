// A database whose connection breaks after each commit, before the answer arrives.
import type { Db } from '#platform/db/database.server.ts';

/** Every transaction of the result commits and then fails, as if the connection broke before the answer arrived. */
export function losingCommits(db: Db): Db {
  return new Proxy(db, {
    get: (target, name) => {
      if (name !== 'transaction') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return () => ({
        execute: async (work: (transaction: Db) => Promise<unknown>) => {
          await target.transaction().execute(work);
          throw new Error('Connection terminated unexpectedly');
        },
      });
    },
  });
}
