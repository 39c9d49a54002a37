// Tests rules and answers in Node. Playwright tests screens in a real browser (playwright.config.ts), so nothing imitates one here.
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begins with the long files, which start and kill whole programs, so that no worker ends alone with one of them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await BaseSequencer.prototype.sort.call(this, files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/src/app/');
    return [...rest.filter(isLong), ...rest.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'tools/*.test.ts', 'bench/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A test file takes half the time when the program is already loaded. No module keeps the state of one database or server.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 120_000,
    globalSetup: 'src/testing/test-postgres.server.ts',
  },
});
