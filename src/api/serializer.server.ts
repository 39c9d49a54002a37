// Turns answers into JSON by their compiled schemas, so that a field the contract does not name never leaves.
import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

/** With `check`, an answer that does not match its contract is an error (tests); without, writing is fast and unchecked. */
export function serializer(check: boolean): FastifySerializerCompiler<z.ZodType> {
  return ({ schema }) => {
    if (!(schema instanceof z.ZodType)) return (data) => JSON.stringify(data);
    if (check) return (data) => JSON.stringify(schema.parse(data));
    const json = z.toJSONSchema(schema, {
      io: 'output',
      target: 'draft-7',
      unrepresentable: 'any',
      // What is not named is left out either way. Forbidden, it would make a record that may also be null match neither.
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    return fastJson(json as Parameters<typeof fastJson>[0]);
  };
}
