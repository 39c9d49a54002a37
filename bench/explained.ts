// Collects the plans of the statements that a database runs, as PostgreSQL reports them itself (auto_explain).
import { sql } from 'kysely';
import { type Database, type Db, openPostgres } from '#db/database.server.ts';

type Node = { 'Node Type': string; 'Relation Name'?: string; Plans?: Node[] };
export type Planned = { 'Query Text': string; Plan: Node };

/** Opens the database `db` at its address once more, with at most `connections`. Each statement on these adds its plan to `planned`. */
export async function explained(
  db: Db,
  address: string,
  connections: number,
): Promise<{ database: Database; planned: Planned[] }> {
  for (const setting of [
    "session_preload_libraries = 'auto_explain'",
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_nested_statements = on',
    "auto_explain.log_format = 'json'",
    "auto_explain.log_level = 'notice'",
  ])
    await sql`do ${sql.lit(`begin
      execute format('alter database %I set ${setting.replaceAll("'", "''")}', current_database());
    end`)}`.execute(db);
  const planned: Planned[] = [];
  const database = openPostgres(address, connections);
  database.pool.on('connect', (client) =>
    client.on('notice', ({ message }) => {
      const plan = /^duration: .*?plan:\n([\s\S]*)/.exec(message ?? '')?.[1];
      if (plan) planned.push(JSON.parse(plan) as Planned);
    }),
  );
  return { database, planned };
}

/** Those of the tables that a plan reads from end to end. */
export function wholeTables(node: Node, tables: readonly string[]): string[] {
  const table = node['Relation Name'] ?? '';
  const isWhole = node['Node Type'] === 'Seq Scan' && tables.includes(table);
  return [...(isWhole ? [table] : []), ...(node.Plans ?? []).flatMap((part) => wholeTables(part, tables))];
}
