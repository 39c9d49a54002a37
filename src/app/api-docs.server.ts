// Serves the OpenAPI 3.1 document and a plain page that shows it.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenAPIV3_1 } from 'openapi-types';
import { z } from 'zod';
import type { Endpoint } from '#platform/api/endpoint.ts';
import { Problem } from '#platform/api/http-error.ts';
import { originOf } from '#platform/api/origin.server.ts';
import { escapeMarkup } from '#platform/shared/escape-markup.ts';
import { contract } from './contract.ts';
import { styleNonce } from './style-nonce.server.ts';

type Operation = {
  operationId?: string;
  summary?: string;
  tags?: string[];
  requestBody?: unknown;
  responses?: unknown;
  parameters?: unknown;
};

const FILE = { type: 'string', format: 'binary' } as const;

/** Adds what the schemas cannot express: files beside the input, files as answers, and the common error format. */
export const completeDocument: NonNullable<FastifyDynamicSwaggerOptions['transformObject']> = (input) => {
  const document = ('openapiObject' in input ? input.openapiObject : {}) as OpenAPIV3_1.Document;
  const schemas = { ...document.components?.schemas, Problem: z.toJSONSchema(Problem) as OpenAPIV3_1.SchemaObject };
  document.components = { ...document.components, schemas };
  for (const calls of Object.values(contract)) {
    for (const endpoint of Object.values<Endpoint>(calls)) {
      const operation = document.paths?.[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.post;
      if (!operation) continue;
      const answer = operation.responses?.['200'] as OpenAPIV3_1.ResponseObject;
      const file = { description: 'The file', content: { [endpoint.file ?? '']: { schema: FILE } } };
      const error = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
      operation.responses = {
        200: endpoint.file ? file : { ...answer, description: 'The response' },
        ...(endpoint.mayWait ? { 202: { ...answer, description: 'The work continues after this response' } } : {}),
        default: { description: 'An error', content: error },
      } as NonNullable<typeof operation.responses>;
      if (endpoint.in !== 'upload') continue;
      const body = operation.requestBody as OpenAPIV3_1.RequestBodyObject;
      const form = body.content['multipart/form-data']?.schema as OpenAPIV3_1.SchemaObject;
      form.properties = { ...form.properties, file: FILE };
      form.required = [...(form.required ?? []), 'file'];
    }
  }
  return document;
};

/** Serves them to signed-in users, or to everyone if the configuration allows it. */
export function serveApiDocs(app: FastifyInstance): void {
  const { services } = app;
  const open = services.config.apiDocsOpen;
  const onRequest = async (request: FastifyRequest) => {
    const call = { path: request.routeOptions.url ?? '', group: '', changing: false, peopleOnly: true };
    if (!open) await app.authenticate(services, request.headers.authorization, call, originOf(request));
  };
  app.get('/openapi.json', { schema: { hide: true }, onRequest }, () => app.swagger());
  app.get('/api/docs', { schema: { hide: true }, onRequest }, async (_request, reply) => {
    const document = app.swagger() as {
      info: { title: string; version: string };
      paths?: Record<string, { post?: Operation }>;
    };
    const groups = Map.groupBy(
      Object.entries(document.paths ?? {}).flatMap(([path, item]) => (item.post ? [{ path, call: item.post }] : [])),
      ({ call }) => call.tags?.[0] ?? '',
    );
    const sections = [...groups].map(
      ([group, calls]) =>
        `<h2>${escapeMarkup(group)}</h2>${calls
          .map(
            ({
              path,
              call,
            }) => `<details><summary><code>POST ${escapeMarkup(path)}</code> ${escapeMarkup(call.summary ?? '')}</summary>
<pre>${escapeMarkup(JSON.stringify({ parameters: call.parameters, requestBody: call.requestBody, responses: call.responses }, null, 2))}</pre></details>`,
          )
          .join('')}`,
    );
    return reply.type('text/html').send(`<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeMarkup(document.info.title)} API</title>
<style nonce="${styleNonce(reply)}">body{font:15px/1.5 system-ui;max-width:70rem;margin:2rem auto;padding:0 1rem}summary{padding:.4rem 0;cursor:pointer}pre{overflow:auto;font-size:13px}</style>
<h1>${escapeMarkup(document.info.title)} API ${escapeMarkup(document.info.version)}</h1>
<p>Every call is a POST.${open ? ' The document behind this page: <a href="/openapi.json">/openapi.json</a>.' : ''}</p>${sections.join('')}</html>`);
  });
}
