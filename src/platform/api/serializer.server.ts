// Turns answers into JSON with their compiled schemas, so that a field missing from the contract never leaves the server.
import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

/**
 * With `check`, an answer that does not match its contract is an error (tests). Without it, writing is fast and unchecked. A schema is compiled when
 * its call first answers: compiling all of them took a quarter of the startup time.
 */
export function serializer(check: boolean): FastifySerializerCompiler<z.ZodType> {
  return ({ schema }) => {
    if (!(schema instanceof z.ZodType)) return (data) => JSON.stringify(data);
    if (check) return (data) => JSON.stringify(schema.parse(data));
    let write: ((data: unknown) => string) | undefined;
    return (data) => (write ??= compile(schema))(data);
  };
}

function compile(schema: z.ZodType): (data: unknown) => string {
  const json = z.toJSONSchema(schema, {
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
    // Extra fields are left out in both cases. If the schema forbade them, a nullable record with an extra field would match nothing.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return fastJson(json as Parameters<typeof fastJson>[0]);
}
