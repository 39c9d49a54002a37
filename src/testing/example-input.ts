// Builds a request from the schema of a call, with every field filled in.
import { z } from 'zod';
import { type Endpoint, schemasOf } from '#platform/api/endpoint.ts';

type Schema = z.core.JSONSchema.JSONSchema;

/** Making the schema of a large call takes longer than making the call. */
const schemas = new WeakMap<Endpoint, Schema>();

/** `good` gives the values of fields by name, at any depth; other fields get the example of their schema, else the simplest value of their type. */
export function exampleInput(endpoint: Endpoint, good: Record<string, unknown> = {}): Record<string, unknown> {
  const known = schemas.get(endpoint);
  const schema = known ?? z.toJSONSchema(schemasOf(endpoint).input, { io: 'input', unrepresentable: 'any' });
  if (!known) schemas.set(endpoint, schema);
  return example(schema, schema, '', good) as Record<string, unknown>;
}

function example(schema: Schema, root: Schema, name: string, good: Record<string, unknown>): unknown {
  const first = resolved(schema, root);
  if (first.type === 'object') {
    return Object.fromEntries(
      Object.entries(first.properties ?? {}).map(([key, field]) => [key, example(field as Schema, root, key, good)]),
    );
  }
  if (name in good) return good[name];
  if (first.const !== undefined) return first.const;
  if (first.enum) return first.enum[0];
  if (first.type === 'array') return [example((first.items ?? {}) as Schema, root, name, good)];
  if (first.type === 'boolean') return false;
  if (first.examples) return first.examples[0];
  if (first.type === 'number' || first.type === 'integer') return Math.max(1, first.minimum ?? 1);
  return 'text';
}

function resolved(schema: Schema, root: Schema): Schema {
  if (schema.$ref) return resolved(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, root);
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  return first ? resolved(first, root) : schema;
}
