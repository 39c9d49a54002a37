// Takes away a test server's file folder, as a failing disk would, until the test restores it.
import fs from 'node:fs';
import type { Config } from '#platform/outside/config.server.ts';

/** Makes every store and read fail. Returns a function that restores the folder with its contents. */
export function breakFileStore({ storageUrl }: Pick<Config, 'storageUrl'>): () => void {
  const folder = storageUrl.slice('file:'.length);
  const away = `${folder}.away`;
  fs.mkdirSync(folder, { recursive: true });
  fs.renameSync(folder, away);
  // A file in its place keeps the server from creating the folder again.
  fs.writeFileSync(folder, '');
  return () => {
    fs.rmSync(folder);
    fs.renameSync(away, folder);
  };
}
