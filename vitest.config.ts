import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Processes, browsers, chains, simulated days, and what computes for longer than a person waits. */
const SLOW = [
  'test/e2e/**/*.test.ts',
  'test/world/**/*.test.ts',
  'test/unit/examples.test.ts',
  'test/unit/calibration/recovery.test.ts',
  'test/unit/commands/output/screen-pty.test.ts',
  'test/unit/grafana/alert-rules.test.ts',
  'test/unit/sandbox/chain/**/*.test.ts',
  'test/unit/tape/commands.test.ts',
  'test/unit/tape/recording.test.ts',
  'test/unit/venue/flood.test.ts',
]

/** Rooms without processes, timers or globals: their test files share a process, which halves their time. */
const PURE_ROOMS = 'base,engine,ledger,market,models,money,pacing,quoting,rfq,risk,strategy'
const PURE = [
  `test/unit/{${PURE_ROOMS}}/**/*.test.ts`,
  'test/property/{engine,ledger,market,models,money}/**/*.test.ts',
]

/** `npm test` runs the fast tier (pure and fast), `npm run test:all` the slow one too. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: [...PURE, ...SLOW] },
      },
      {
        extends: true,
        test: { name: 'slow', include: SLOW, globalSetup: 'test/support/build-daemon.ts' },
      },
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A page or a process on a busy machine has more to do than answer within the second of the default.
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    // Hundreds of processes are started from sources: what one has compiled the next one reads.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'mizani-e2e-code') },
    // End-to-end tests wait for processes more than they compute: three at a time also on two cores.
    maxWorkers: 3,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'strategies/**/*.ts'],
      // Only a browser runs the report's page: test/e2e/report looks at it in Chromium, which this cannot count.
      exclude: ['src/report/page/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 90 },
    },
  },
})
