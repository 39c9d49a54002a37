// Runs after `npm ci`: removes the C headers that come with Node as a package. They are 67 MB, and nothing here compiles against them.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const packages = path.join(import.meta.dirname, '..', 'node_modules');
for (const name of readdirSync(packages)) {
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name)) {
    rmSync(path.join(packages, name, 'include'), { recursive: true, force: true });
  }
}
