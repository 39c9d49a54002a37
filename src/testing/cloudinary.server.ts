// A server on loopback that speaks Cloudinary's calls, checks their signatures by itself, and fails on command.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const [CLOUD, KEY, SECRET] = ['test-cloud', '1234567890', 'abc&d'] as const;

type Fault = 400 | 401 | 420 | 429 | 502 | 'hang' | 'break off before storing' | 'break off after storing' | 'no JSON';
type Stored = { bytes: Buffer; type: string; format: string };

export type TestCloudinary = {
  /** For CLOUDINARY_URL; gives up within a second. */
  url: string;
  /** The stored files, by public id. */
  files: Map<string, Stored>;
  /** The calls it received: the last part of the path and the parameters. */
  calls: { call: string; parameters: Record<string, string> }[];
  /** Makes the next calls fail, one fault per call; then the server works again. */
  failNext: (...faults: Fault[]) => void;
  close: () => Promise<void>;
};

/** Starts it on a free port. */
export async function startCloudinary(): Promise<TestCloudinary> {
  const files: TestCloudinary['files'] = new Map();
  const calls: TestCloudinary['calls'] = [];
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const refuse = (status: number, message: string) => answer(status, { error: { message } });
    const serve = async () => {
      const { call, parameters, file } = await read(request);
      calls.push({ call, parameters });
      const fault = faults.shift();
      if (fault === 'hang') return;
      if (fault === 502) return void response.writeHead(502).end('<html>Bad Gateway</html>');
      if (fault === 'no JSON') return void response.writeHead(200).end('<html>');
      if (fault === 'break off before storing') return void request.socket.destroy();
      if (typeof fault === 'number') return refuse(fault, 'Details of the fault');
      const work = () => handle(call, parameters, file);
      if (!isSigned(parameters)) return refuse(401, 'Invalid Signature');
      const done = work();
      if (fault === 'break off after storing') return void request.socket.destroy();
      answer(done.status, done.body);
    };
    serve().catch((error: Error) => refuse(500, error.message));
  });

  const handle = (call: string, overrides: Record<string, string>, file: Buffer | undefined) => {
    const id = overrides['public_id'] ?? '';
    if (call === 'upload') {
      if (!file || overrides['type'] !== 'authenticated' || overrides['overwrite'] !== 'false')
        return { status: 400, body: { error: { message: 'not as expected' } } };
      const existing = files.has(id);
      if (!existing) files.set(id, { bytes: file, type: 'authenticated', format: 'png' });
      return { status: 200, body: { public_id: id, existing } };
    }
    return { status: 200, body: { result: files.delete(id) ? 'ok' : 'not found' } };
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cloudinary: TestCloudinary = {
    url: `cloudinary://${KEY}:${encodeURIComponent(SECRET)}@${CLOUD}?upload_prefix=${encodeURIComponent(`http://127.0.0.1:${port}`)}&timeout=1`,
    files,
    calls,
    failNext: (...next) => void faults.push(...next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return cloudinary;
}

/** Repeats Cloudinary's rule independently: all parameters except these, in order, then the secret. */
function isSigned({ signature, ...params }: Record<string, string>): boolean {
  if (params['api_key'] !== KEY) return false;
  const names = Object.keys(params).filter((name) => name !== 'api_key');
  const text = names
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => `${name}=${params[name]}`)
    .join('&');
  return signature === createHash('sha1').update(`${text}${SECRET}`).digest('hex');
}

async function read(request: IncomingMessage) {
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  const call = url.pathname.split('/').at(-1) ?? '';
  const body = await buffer(request);
  const type = request.headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const parameters: Record<string, string> = {};
  let file: Buffer | undefined;
  for (const [name, value] of form) {
    if (typeof value === 'string') parameters[name] = value;
    else file = Buffer.from(await value.arrayBuffer());
  }
  return { call, parameters, file };
}
