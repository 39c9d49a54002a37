// The whole contract, call by call: no caller without a token, no unlisted role, no wrong type, and every call in the OpenAPI document.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, schemasOf } from '#platform/api/endpoint.ts';
import { LIVE_PATH } from '#platform/live/live.contract.ts';
import { Problem } from '#platform/api/http-error.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { aUser } from '../factories/people.server.ts';
import type { TestServer } from '../test-server.server.ts';
import { calls, type Company, from, placeOf, rolesFor } from './company.server.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
};
type Media = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: Media };
  responses: Record<string, { description: string; content: Media }>;
  security?: unknown[];
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export function walkContract(company: () => Company): void {
  let server: TestServer;
  let document: Document;
  let as: Company['as'];
  beforeAll(async () => {
    ({ server, as } = company());
    document = JSON.parse((await server.inject({ method: 'GET', url: '/openapi.json' })).text) as Document;
  });

  const documentPath = (endpoint: Endpoint) => endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
  const operationOf = (endpoint: Endpoint) => document.paths[documentPath(endpoint)]?.['post'];
  const aFile = { name: 'a.txt', bytes: Buffer.from('a') };

  function expectProblem(answer: { status: number; body: unknown; headers: Record<string, unknown> }, status: number) {
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/problem+json' } });
    const problem = Problem.parse(answer.body);
    expect(problem).toMatchObject({
      status,
      ExceptionMessage: problem.detail,
      requestId: expect.any(String) as string,
    });
    return problem;
  }

  describe.each(calls)('%s', (key, endpoint) => {
    it('is filed under the last segment of its path', () => {
      expect(endpoint.path.split('/').findLast((segment) => segment && !segment.startsWith(':'))).toBe(key);
      expect(endpoint.path).toMatch(/^(\/Token|\/o\/token\/|\/api\/\w+\/\w+(\/:\w+)*)$/);
    });

    it('answers 403 to every role that is not listed', async () => {
      for (const role of ROLES.filter((candidate) => !rolesFor(endpoint).includes(candidate))) {
        const answer = await server.call(endpoint, {}, { as: as(role), headers: from() });
        expect(expectProblem(answer, 403).detail).toBe('You do not have permission to do this.');
      }
    });

    // Sign-in calls have their own error shape.
    it.skipIf(endpoint.refusal)('refuses each field of a wrong type with 422 and its name', async () => {
      for (const [name, value] of wrongFields(endpoint)) {
        const { errors } = expectProblem(await callAs(endpoint, { [name]: value }), 422);
        expect(errors?.map(({ path }) => path.split('.')[0])).toContain(name);
      }
      if (placeOf(endpoint) === 'body')
        expectProblem(await callAs(endpoint, ['wrong'] as unknown as Record<string, unknown>), 422);
    });

    it('appears in the OpenAPI document with its place, its answer and its errors', () => {
      const operation = operationOf(endpoint);
      expect(operation?.operationId).toBe(key);
      expect(Boolean(operation?.security)).toBe(endpoint.access !== 'anyone');
      const places = operation?.requestBody
        ? Object.keys(operation.requestBody.content)
        : (operation?.parameters ?? []).map((parameter) => parameter.in);
      const place = {
        body: 'application/json',
        form: 'application/x-www-form-urlencoded',
        upload: 'multipart/form-data',
        query: 'query',
        path: 'path',
      }[placeOf(endpoint)];
      expect([...new Set(places)]).toEqual([place]);
      expect(Object.keys(operation?.responses['200']?.content ?? {})).toEqual([endpoint.file ?? 'application/json']);
      expect(Object.keys(operation?.responses['default']?.content ?? {})).toEqual(['application/problem+json']);
    });
  });

  describe('without a token or with a wrong one', () => {
    const ask = async (endpoint: Endpoint) => [
      await server.call(endpoint, {}, { headers: from() }),
      await server.call(endpoint, {}, { headers: { ...from(), authorization: 'Bearer e30.e30.x' } }),
    ];
    const isOpen = ([, { access }]: (typeof calls)[number]) => access === 'anyone';

    it.each(calls.filter((call) => !isOpen(call)))('%s answers 401', async (_key, endpoint) => {
      for (const answer of await ask(endpoint)) expect(expectProblem(answer, 401).detail).toMatch(/Sign in/);
    });

    // /o/token/ refuses a wrong client with 401 in its own error shape.
    it.each(calls.filter((call) => isOpen(call) && call[0] !== 'token'))('%s does not mind', async (_key, endpoint) => {
      for (const { status } of await ask(endpoint)) expect(status).not.toBe(401);
    });
  });

  describe('the OpenAPI document', () => {
    it('has the calls of the contract and no others', () => {
      expect(document.openapi).toMatch(/^3\.1\./);
      // A stream is no call: it goes on.
      const { [LIVE_PATH]: stream, ...ofCalls } = document.paths;
      expect(Object.keys(stream ?? {})).toEqual(['get']);
      expect(Object.keys(ofCalls).toSorted()).toEqual(calls.map(([, endpoint]) => documentPath(endpoint)).toSorted());
      expect(Object.values(ofCalls).flatMap((methods) => Object.keys(methods))).toEqual(calls.map(() => 'post'));
    });

    it('names each operation once and defines every schema it refers to', () => {
      const names = Object.values(document.paths).map((methods) => methods['post']?.operationId);
      expect(new Set(names).size).toBe(names.length);
      const text = JSON.stringify(document);
      for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
        expect(document.components.schemas).toHaveProperty([name]);
      }
      expect(text).not.toMatch(/"\$ref":"(?!#\/components\/schemas\/)/);
    });

    it('knows the types of the fields, so that the walk has something to get wrong', () => {
      expect(calls.flatMap(([, endpoint]) => wrongFields(endpoint)).length).toBeGreaterThan(2 * calls.length);
    });

    it('can be read as a page', async () => {
      const page = await server.inject({ method: 'GET', url: '/api/docs' });
      expect(page.headers['content-type']).toMatch(/^text\/html/);
      for (const [, endpoint] of calls) expect(page.text).toContain(`POST ${documentPath(endpoint)}`);
    });
  });

  it('knows no other paths, spelling and method included', async () => {
    for (const url of [
      '/api/QuoteEdit/AddQuoteAsOpportunity',
      '/api/quoteedit/savequoteitem',
      '/token',
      '/api',
      '/o/token',
    ]) {
      const { status, headers, text } = await server.inject({ method: 'POST', url, headers: from() });
      expectProblem({ status, headers, body: JSON.parse(text) }, 404);
    }
    const { status } = await server.inject({ method: 'GET', url: '/api/QuoteEdit/SaveQuoteItem', headers: from() });
    expect(status).toBe(404);
  });

  it.each(calls.filter(([, call]) => placeOf(call) === 'body' && schemasOf(call).input.safeParse({}).success))(
    '%s takes no body, null and {} for the same',
    async (_key, endpoint) => {
      const statuses: number[] = [];
      for (const payload of [undefined, '', 'null', '{}']) {
        const headers: Record<string, string> = from();
        if (payload !== undefined) headers['content-type'] = 'application/json';
        if (endpoint.access !== 'anyone') {
          const { id } = await aUser(server.db, { roles: [rolesFor(endpoint)[0] ?? 'csrep'] });
          headers['authorization'] = `Bearer ${await server.tokenOf(id)}`;
        }
        const request = { method: 'POST', url: endpoint.path, headers } as const;
        statuses.push((await server.inject(payload === undefined ? request : { ...request, payload })).status);
      }
      expect(new Set(statuses).size).toBe(1);
      expect([400, 415, 500]).not.toContain(statuses[0]);
    },
  );

  function callAs(endpoint: Endpoint, input: Record<string, unknown>) {
    const who = endpoint.access === 'anyone' ? {} : { as: as(rolesFor(endpoint)[0] ?? 'csrep') };
    const file = endpoint.in === 'upload' ? { file: aFile } : {};
    return server.call(endpoint, input, { ...who, ...file, headers: from() });
  }

  /** For each field a value of a type that it does not take. Outside a body all values are text, so only fields that are no text can be wrong. */
  function wrongFields(endpoint: Endpoint): [name: string, value: unknown][] {
    const operation = operationOf(endpoint);
    const body = Object.values(operation?.requestBody?.content ?? {})[0]?.schema;
    const fields = operation?.requestBody
      ? Object.entries(body?.properties ?? {})
      : (operation?.parameters ?? []).map(({ name, schema }) => [name, schema] as const);
    const values = placeOf(endpoint) === 'body' ? [{ wrong: true }, 'wrong', 1.5, true, ['wrong']] : ['wrong'];
    return fields.flatMap(([name, schema]) => {
      if (name === 'file') return [];
      const types = typesOf(schema);
      const wrong = values.find((value) => !types.has('any') && !types.has(typeOf(value)));
      return wrong === undefined ? [] : [[name, wrong] as [string, unknown]];
    });
  }

  const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

  function typesOf(schema: Schema): Set<string> {
    if (schema.$ref) return typesOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (parts) return new Set(parts.flatMap((part) => [...typesOf(part)]));
    const types = [schema.type ?? (schema.enum ?? [schema.const]).map(typeOf)].flat();
    if (schema.type === undefined && schema.enum === undefined && schema.const === undefined) return new Set(['any']);
    return new Set(types.map((type) => (type === 'integer' ? 'number' : type)));
  }
}
