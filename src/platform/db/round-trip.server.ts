// Sends statements to PostgreSQL. A connection parses and describes each statement once, and statements that belong together share one round.
import type { Connection, FieldDef, QueryResult, Submittable } from 'pg';
import pg from 'pg';
import utils from 'pg/lib/utils.js';

/** A statement that a connection stores under a name. Its text determines its columns, so they are requested once. */
export class Prepared {
  readonly name: string;
  readonly text: string;
  /** Whether the connection knows the name. 'unsure' after a round that failed before this statement ended. */
  known: 'no' | 'yes' | 'unsure' = 'no';
  /** PostgreSQL refuses to run the statement if it would now return other columns. */
  columns: Columns | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }
}

/** Makes the connection parse the statement again, because its tables have changed. */
export function forget(statement: Prepared): void {
  statement.known = 'unsure';
  statement.columns = undefined;
}

type Columns = { fields: FieldDef[]; parsers: ((text: string) => unknown)[]; empty: Record<string, unknown> };
type Row = Record<string, unknown>;

/** A prepared statement with its values. */
export type Call = { statement: Prepared; values: readonly unknown[] };

/** The `query` function of the connection's client. */
type Send = (query: Submittable) => unknown;

/** Runs the calls one after the other in one round and returns their results. After the first failure the database skips the rest. */
export function sendRound(send: Send, calls: readonly Call[]): Promise<QueryResult<Row>[]> {
  return new Promise((resolve, reject) => {
    send(new Round(calls, (error, results) => (error ? reject(error) : resolve(results ?? []))));
  });
}

type Callback = (error: Error | null, results?: QueryResult<Row>[]) => void;

/** The interface that the client calls while it sends a query and reads its answer. */
class Round implements Submittable {
  callback: Callback;
  readonly #calls: readonly Call[];
  readonly #results: QueryResult<Row>[] = [];
  #rows: Row[] = [];
  #error: Error | undefined;

  constructor(calls: readonly Call[], callback: Callback) {
    this.#calls = calls;
    this.callback = callback;
  }

  submit(connection: Connection): Error | null {
    let prepared: ReturnType<typeof utils.prepareValue>[][];
    try {
      prepared = this.#calls.map(({ values }) => values.map(utils.prepareValue));
    } catch (error) {
      return error as Error;
    }
    const { stream } = connection;
    stream.cork();
    for (const [index, { statement }] of this.#calls.entries()) {
      const { name, text, known } = statement;
      if (known === 'unsure') connection.close({ type: 'S', name }, true);
      if (known !== 'yes') {
        connection.parse({ name, text, types: [] }, true);
        // Until the statement has ended, a failure does not show whether it was parsed.
        statement.known = 'unsure';
      }
      connection.bind({ statement: name, values: prepared[index] ?? [] }, true);
      if (!statement.columns) connection.describe({ type: 'P', name: '' }, true);
      connection.execute({ portal: '' }, true);
    }
    connection.sync();
    stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const call = this.#calls[this.#results.length];
    if (call) call.statement.columns = resultColumns(fields);
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    const columns = this.#calls[this.#results.length]?.statement.columns;
    if (!columns || this.#error) return;
    try {
      const row = { ...columns.empty };
      for (let index = 0; index < values.length; index++) {
        const [value, field] = [values[index], columns.fields[index]];
        if (field && value !== null && value !== undefined) row[field.name] = columns.parsers[index]?.(value);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#error = error as Error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const statement = this.#calls[this.#results.length]?.statement;
    if (!statement) return;
    statement.known = 'yes';
    statement.columns ??= resultColumns([]);
    const [command = ''] = text.split(' ');
    const count = text.slice(text.lastIndexOf(' ') + 1);
    const { fields } = statement.columns;
    this.#results.push({
      command,
      rowCount: /^\d+$/.test(count) ? Number(count) : null,
      oid: 0,
      fields,
      rows: this.#rows,
    });
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: Error): void {
    this.callback(this.#error ?? error);
  }

  handleReadyForQuery(): void {
    if (this.#error) this.callback(this.#error);
    else this.callback(null, this.#results);
  }
}

const parserOf: (type: number, format: 'text') => (text: string) => unknown = pg.types.getTypeParser;

function resultColumns(fields: FieldDef[]): Columns {
  return {
    fields,
    parsers: fields.map(({ dataTypeID }) => parserOf(dataTypeID, 'text')),
    empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
  };
}
