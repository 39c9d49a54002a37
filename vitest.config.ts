// Tests rules and answers in Node. Playwright tests screens in a real browser (playwright.config.ts), so nothing imitates one here.
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The long files start and kill whole programs. */
const LONG = ['/src/app/killed-', '/src/app/signals.slow.', '/src/app/'];

/** Begins with the long files, so that no worker ends alone with one of them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((part) => moduleId.includes(part));
      return place < 0 ? LONG.length : place;
    };
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'tools/*.test.ts', 'bench/*.test.ts'],
    pool: 'forks',
    // Tests wait for the database, for timers and for processes: a third worker uses what two leave of two processors.
    maxWorkers: 3,
    // A test file takes half the time when the program is already loaded. No module keeps the state of one database or server.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Generous, so that a busy machine fails no test.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Tests read these files without importing them.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/database/migrations/**', '**/*.typ'],
    globalSetup: 'src/testing/test-postgres.server.ts',
  },
});
