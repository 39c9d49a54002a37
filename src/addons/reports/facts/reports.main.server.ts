// `npm run reports -- --rebuild`: recomputes the facts of reports and compares them with the stored ones.
import { openDatabase } from '#app/start.server.ts';
import { systemClock } from '#platform/outside/clock.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { rebuildFacts } from './rebuild.server.ts';

const USE = `npm run reports -- --rebuild

Recomputes the report facts from all quotes, lines and events, and compares them with the stored facts. Exits with 0 if all match,
or with 1 if some differ, after correcting them. The server can keep running. Uses the database in DATABASE_URL, or else the one in DATA_DIR.`;

const [command, ...more] = process.argv.slice(2);
if (command === '--rebuild' && more.length === 0) await rebuild();
else {
  console.error(USE);
  process.exitCode = 2;
}

async function rebuild(): Promise<void> {
  const database = await openDatabase(readConfig(process.env, 'tool'), { tool: true });
  try {
    let reported = 0;
    const { quotes, lines, differing, sums } = await rebuildFacts({ database, clock: systemClock }, (done) => {
      if (done < reported + 50_000) return;
      reported = done;
      console.log(`${countOf(done, 'quote')} compared`);
    });
    const all = `${countOf(quotes, 'quote')} and ${countOf(lines, 'line')}`;
    if (differing.length + sums === 0) console.log(`${all} recomputed. All match the stored facts.`);
    else {
      const ids = differing.length > 0 ? ` (ids ${differing.slice(0, 20).join(', ')})` : '';
      console.log(
        `${all} recomputed. ${countOf(differing.length, 'quote')}${ids} and ${countOf(sums, 'monthly sum', 'monthly sums')} differed and were corrected.`,
      );
      process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
}
