// Tests that answers are written the same by a compiled schema (production) and with validation (tests), and that neither writes an unknown field.
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type Endpoint, schemasOf } from '#platform/api/endpoint.ts';
import { serializer } from '#platform/api/serializer.server.ts';
import { contract } from './contract.ts';

type Schema = z.core.JSONSchema.JSONSchema;
const MOST = 60;

const calls = Object.values(contract)
  .flatMap((group) => Object.entries<Endpoint>(group))
  .filter(([, endpoint]) => !endpoint.file);

/** Returns values of a schema in which each choice of each field occurs at least once. */
function samplesOf(schema: Schema, root: Schema): unknown[] {
  if (schema.$ref)
    return samplesOf((schema.$ref === '#' ? root : root.$defs?.[schema.$ref.split('/').at(-1) ?? '']) ?? {}, root);
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return schema.enum;
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts) return parts.flatMap((part) => samplesOf(part, root));
  if (schema.allOf) return samplesOf(Object.assign({}, ...schema.allOf) as Schema, root);
  const types: unknown = schema.type;
  if (Array.isArray(types)) return types.flatMap((type) => samplesOf({ ...schema, type: type as 'string' }, root));
  switch (schema.type) {
    case 'string':
      return [
        'Ä "quoted" \u2028 \\ text',
        '2026-11-21',
        '2026-11-21T10:00:00.000Z',
        'https://example.com',
        'a@example.com',
      ];
    case 'number':
      return within(schema, [0, -1.5, 1141.4, 99_999_999.9999]);
    case 'integer':
      return within(schema, [1, 0, 7]);
    case 'boolean':
      return [true, false];
    case 'null':
      return [null];
    case 'array': {
      const items = samplesOf((schema.items as Schema | undefined) ?? {}, root);
      return [[], items.slice(0, MOST)];
    }
    case 'object':
      return objectsOf(schema, root);
    default:
      return ['anything', { any: ['thing', 1, null] }];
  }
}

function within({ minimum = -Infinity, maximum = Infinity }: Schema, values: number[]): number[] {
  return values.filter((value) => value >= minimum && value <= maximum);
}

function objectsOf(schema: Schema, root: Schema): unknown[] {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    values: samplesOf(field as Schema, root),
  }));
  const more =
    typeof schema.additionalProperties === 'object' ? { any: samplesOf(schema.additionalProperties, root)[0] } : {};
  const base = { ...more, ...Object.fromEntries(fields.map(({ name, values }) => [name, values[0]])) };
  const others = fields.flatMap(({ name, values }) => values.slice(1).map((value) => ({ ...base, [name]: value })));
  const needed = Object.fromEntries(Object.entries(base).filter(([name]) => schema.required?.includes(name)));
  return [base, needed, ...others].slice(0, MOST);
}

/** Returns the value with an unknown field in every record, except in records that accept any field. */
function withSecret(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSecret);
  if (typeof value !== 'object' || value === null || 'any' in value) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withSecret(field)]);
  return { ...Object.fromEntries(fields), passwordHash: 'a hash that stays' };
}

it.each(calls)('%s', (_key, endpoint) => {
  const route = { schema: schemasOf(endpoint).output, method: 'POST', url: endpoint.path, httpStatus: '200' };
  const checked = serializer(true)(route);
  const written = serializer(false)(route);
  const schema = z.toJSONSchema(schemasOf(endpoint).output, { io: 'output', unrepresentable: 'any' });
  const samples = samplesOf(schema, schema).filter((value) => schemasOf(endpoint).output.safeParse(value).success);
  expect(samples.length).toBeGreaterThan(0);
  for (const sample of samples) {
    expect(JSON.parse(written(sample))).toEqual(JSON.parse(checked(sample)));
    const secret = withSecret(sample);
    expect(JSON.parse(written(secret))).toEqual(JSON.parse(checked(secret)));
    expect(written(secret)).not.toContain('a hash that stays');
  }
});
