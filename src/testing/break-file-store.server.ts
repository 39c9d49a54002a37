// Takes a test server's file folder away, as a disk that fails does, until it is put back.
import fs from 'node:fs';
import type { Config } from '#outside/config.server.ts';

/** From now on nothing can be stored or read. Answers what brings the folder back with all that was in it. */
export function breakFileStore({ storageUrl }: Pick<Config, 'storageUrl'>): () => void {
  const folder = storageUrl.slice('file:'.length);
  const away = `${folder}.away`;
  fs.mkdirSync(folder, { recursive: true });
  fs.renameSync(folder, away);
  // A file in its place, so that the folder is not simply made anew.
  fs.writeFileSync(folder, '');
  return () => {
    fs.rmSync(folder);
    fs.renameSync(away, folder);
  };
}
