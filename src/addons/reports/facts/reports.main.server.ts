// `npm run reports -- --rebuild`: computes the facts of reports anew and proves that the kept ones were equal.
import { openDatabase } from '#app/start.server.ts';
import { systemClock } from '#platform/outside/clock.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { rebuildFacts } from './rebuild.server.ts';

const USE = `npm run reports -- --rebuild

Computes what reports add up anew from all quotes, lines and events, and compares it with what was kept. Ends with 0 when all was equal,
with 1 when facts differed; those are mended. The server may run meanwhile. The database is DATABASE_URL, else the one in DATA_DIR.`;

const [command, ...more] = process.argv.slice(2);
if (command === '--rebuild' && more.length === 0) await rebuild();
else {
  console.error(USE);
  process.exitCode = 2;
}

async function rebuild(): Promise<void> {
  const database = await openDatabase(readConfig(process.env, 'tool'), { tool: true });
  try {
    let told = 0;
    const { quotes, lines, differing, sums } = await rebuildFacts({ database, clock: systemClock }, (done) => {
      if (done < told + 50_000) return;
      told = done;
      console.log(`${countOf(done, 'quote')} compared`);
    });
    const all = `${countOf(quotes, 'quote')} and ${countOf(lines, 'line')}`;
    if (differing.length + sums === 0) console.log(`${all} computed anew: all equal to what was kept.`);
    else {
      const ids = differing.length > 0 ? ` (ids ${differing.slice(0, 20).join(', ')})` : '';
      console.log(
        `${all} computed anew: ${countOf(differing.length, 'quote')}${ids} and ${countOf(sums, 'sum of a month', 'sums of months')} differed. All is mended.`,
      );
      process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
}
