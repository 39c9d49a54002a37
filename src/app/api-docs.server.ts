// The OpenAPI 3.1 document and a plain page to read it.
import type { FastifyInstance } from 'fastify';

type Operation = {
  operationId?: string;
  summary?: string;
  tags?: string[];
  requestBody?: unknown;
  responses?: unknown;
  parameters?: unknown;
};

export function serveApiDocs(app: FastifyInstance): void {
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) => {
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
        `<h2>${escape(group)}</h2>${calls
          .map(
            ({
              path,
              call,
            }) => `<details><summary><code>POST ${escape(path)}</code> ${escape(call.summary ?? '')}</summary>
<pre>${escape(JSON.stringify({ parameters: call.parameters, requestBody: call.requestBody, responses: call.responses }, null, 2))}</pre></details>`,
          )
          .join('')}`,
    );
    return reply.type('text/html').send(`<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escape(document.info.title)} API</title>
<style>body{font:15px/1.5 system-ui;max-width:70rem;margin:2rem auto;padding:0 1rem}summary{padding:.4rem 0;cursor:pointer}pre{overflow:auto;font-size:13px}</style>
<h1>${escape(document.info.title)} API ${escape(document.info.version)}</h1>
<p>Every call is a POST. The document behind this page: <a href="/openapi.json">/openapi.json</a>.</p>${sections.join('')}</html>`);
  });
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
