import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Starts the built program once for a run, so that end-to-end tests need not start it from its sources. */
const BUILT = 'test/support/build-daemon.ts'
/** Draws the cases of properties from MIZANI_PROPERTY_SEED if it is set. */
const SEEDED = 'test/support/property-seed.ts'
/** Ends the daemons that a test file leaves behind. */
const ENDS_DAEMONS = 'test/e2e/daemon/end-daemons.ts'

/**
 * Node loads the modules, as it does in production, and not Vite, which takes a quarter of the processor time of a run. A
 * file that replaces a module by `vi.mock` belongs in another tier: Node keeps what a process has loaded.
 */
const NATIVE = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const

/**
 * The folder of a test file decides its tier; docs/contributing.md explains the tiers.
 * Files of `unit` share a process and the modules that it has loaded, which saves a third of the time. A file that
 * evaluates a strategy, which freezes the globals of its process, belongs in `isolated`, whose files share other processes.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/{unit,golden,property,contract,tidy}/**/*.test.ts'],
          isolate: false,
          ...NATIVE,
          execArgv: ['--import', join(import.meta.dirname, 'test/support/load-tsx.ts')],
          setupFiles: ['test/support/shared-process.ts', SEEDED],
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['test/isolated/**/*.test.ts'],
          isolate: false,
          ...NATIVE,
          setupFiles: ['test/support/frozen-process.ts', SEEDED],
        },
      },
      {
        extends: true,
        test: {
          name: 'smoke',
          include: ['test/smoke/**/*.test.ts'],
          globalSetup: BUILT,
          setupFiles: ENDS_DAEMONS,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: BUILT,
          setupFiles: [SEEDED, ENDS_DAEMONS],
        },
      },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: ['test/nightly/**/*.test.ts'],
          globalSetup: BUILT,
          setupFiles: [SEEDED, ENDS_DAEMONS],
        },
      },
    ],
    globalSetup: 'test/support/own-temp-folder.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A worker of a busy machine may need longer than ten seconds to end.
    teardownTimeout: 60_000,
    // A page or a process on a busy machine has more to do than answer within the second of the default.
    expect: { poll: { timeout: 45_000 } },
    pool: 'forks',
    // Hundreds of processes are started from sources: what one has compiled the next one reads.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/mizani/compiled-tests') },
    // Two processors compute and one worker waits. A fourth loads every module once more, which costs more than it saves.
    maxWorkers: 3,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'strategies/**/*.ts'],
      // Only a browser runs the report's page: test/e2e/report looks at it in Chromium, which this cannot count.
      exclude: ['src/research/report/page/**'],
      reporter: ['text-summary', 'json-summary'],
      // A red run says as well what it covered.
      reportOnFailure: true,
      thresholds: { lines: 90 },
    },
  },
})
