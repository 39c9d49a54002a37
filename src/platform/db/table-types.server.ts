// Writes the tables of a migrated database as TypeScript types.
import { sql } from 'kysely';
import type { Db } from './database.server.ts';

type Column = {
  table_name: string;
  column_name: string;
  udt_name: string;
  is_nullable: string;
  has_default: boolean;
  is_fixed: boolean;
};

const TYPES: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  text: 'string',
  tsvector: 'string',
  uuid: 'string',
  date: 'string',
  bool: 'boolean',
  timestamptz: 'Instant',
  jsonb: 'Json',
  _text: 'string[]',
  _int4: 'number[]',
  bytea: 'Uint8Array',
  xid8: 'string',
};

/** Returns the text of tables.ts. Throws for a column type without a mapping here. */
export async function tableTypes(db: Db): Promise<string> {
  const { rows } = await sql<Column>`
    select table_name, column_name, udt_name, is_nullable,
           column_default is not null or is_identity = 'YES' as has_default,
           is_generated = 'ALWAYS' or identity_generation = 'ALWAYS' as is_fixed
    from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migration'
    order by table_name, ordinal_position`.execute(db);

  const tables = Map.groupBy(rows, (row) => row.table_name);
  const lines = [
    '// The tables as types. Generated from database/migrations by src/platform/db/generate-tables.main.server.ts: do not edit.',
    "import type { ColumnType, Generated, GeneratedAlways } from 'kysely';",
    '',
    '/** Read as ISO text, written as ISO text or Date. */',
    'type Instant = ColumnType<string, string | Date, string | Date>;',
    '/** Read as the parsed value, written as JSON text. */',
    'type Json = ColumnType<unknown, string, string>;',
    '',
  ];
  for (const [table, columns] of tables) {
    lines.push(`export type ${pascal(table)} = {`);
    for (const column of columns) {
      const base = TYPES[column.udt_name];
      if (!base) throw new Error(`no type for ${table}.${column.column_name} ${column.udt_name}`);
      const type = column.is_nullable === 'YES' ? `${base} | null` : base;
      const wrapped = column.is_fixed
        ? `GeneratedAlways<${type}>`
        : column.has_default
          ? base === 'Json'
            ? 'ColumnType<unknown, string | undefined, string>'
            : base === 'Instant'
              ? 'ColumnType<string, string | Date | undefined, string | Date>'
              : `Generated<${type}>`
          : base === 'Json' && column.is_nullable === 'YES'
            ? 'ColumnType<unknown, string | null | undefined, string | null>'
            : base === 'Instant' && column.is_nullable === 'YES'
              ? 'ColumnType<string | null, string | Date | null | undefined, string | Date | null>'
              : type;
      lines.push(`  ${column.column_name}: ${wrapped};`);
    }
    lines.push('};', '');
  }
  lines.push('export type Tables = {', ...[...tables.keys()].map((table) => `  ${table}: ${pascal(table)};`), '};', '');
  return lines.join('\n');
}

function pascal(name: string): string {
  return name.replace(/(^|_)(.)/g, (_match, _lead, letter: string) => letter.toUpperCase());
}
