// Collects the plans of the statements that a database runs, as PostgreSQL reports them itself (auto_explain).
import { sql } from 'kysely';
import { openPostgres } from '#platform/db/database.server.ts';
import { addressOf, type freshDatabase } from './base-database.server.ts';
import { startTestServer, type TestServer } from './test-server.server.ts';

type Node = { 'Node Type': string; 'Relation Name'?: string; Plans?: Node[] };
export type Planned = { 'Query Text': string; Plan: Node };

/** Starts a server on a filled database, which ends with it. Each statement of the server adds its plan to `planned`. */
export async function explainedServer(
  filled: Awaited<ReturnType<typeof freshDatabase>>,
): Promise<{ server: TestServer; planned: Planned[] }> {
  for (const setting of [
    "session_preload_libraries = 'auto_explain'",
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_nested_statements = on',
    "auto_explain.log_format = 'json'",
    "auto_explain.log_level = 'notice'",
  ])
    await sql`do ${sql.lit(`begin
      execute format('alter database %I set ${setting.replaceAll("'", "''")}', current_database());
    end`)}`.execute(filled.db);
  const planned: Planned[] = [];
  const database = openPostgres(addressOf(filled), 8);
  database.pool.on('connect', (client) =>
    client.on('notice', ({ message }) => {
      const plan = /^duration: .*?plan:\n([\s\S]*)/.exec(message ?? '')?.[1];
      if (plan) planned.push(JSON.parse(plan) as Planned);
    }),
  );
  const close = async () => {
    await database.close();
    await filled.close();
  };
  return { server: await startTestServer({ database: { ...database, close } }), planned };
}

/** Those of the tables that a plan reads from end to end. */
export function wholeTables(node: Node, tables: readonly string[]): string[] {
  const table = node['Relation Name'] ?? '';
  const isWhole = node['Node Type'] === 'Seq Scan' && tables.includes(table);
  return [...(isWhole ? [table] : []), ...(node.Plans ?? []).flatMap((part) => wholeTables(part, tables))];
}

/** All tables that a plan reads. */
export function tablesOf({ 'Relation Name': table, Plans = [] }: Node): string[] {
  return [...(table === undefined ? [] : [table]), ...Plans.flatMap(tablesOf)];
}
