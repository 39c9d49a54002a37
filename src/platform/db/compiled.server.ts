// Compiles a large statement once and sends it with other values at each call.
import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Db } from './database.server.ts';

/** The placeholder of a value in a compiled statement. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Returns a statement that is built and compiled only at its first call, because that takes longer than sending it. `build` receives a placeholder
 * for each value. It may use a placeholder only as a parameter of the statement, not in a condition.
 */
export function compiledOnce<Row, Values extends object>(
  build: (values: Values) => RawBuilder<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    compiled ??= build(standIns<Values>()).compile(db);
    const parameters = compiled.parameters.map((part) =>
      part instanceof Slot ? Reflect.get(values, part.name) : part,
    );
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(compiled.sql, parameters));
    return rows;
  };
}

function standIns<Values extends object>(): Values {
  return new Proxy({}, { get: (_target, name) => new Slot(String(name)) }) as Values;
}
