import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

/** What is slow and runs the program in the test's own process, where a coverage report can see it. */
const HERE = [
  'test/e2e/{commands,custody,daemon-here,keys,looping-strategy,scorecard}.test.ts',
  'test/e2e/fleet/fleet.test.ts',
  'test/e2e/**/*-in-process.test.ts',
  'test/e2e/host/shared-worker.test.ts',
]
/** Simulated days, and what computes for longer than a person waits: no program is built for them. */
const COMPUTED = [
  'test/world/**/*.test.ts',
  'test/campaign/**/*.test.ts',
  'test/golden/stale-quote-at-the-venue.test.ts',
  'test/unit/calibration/coverage.test.ts',
  'test/unit/calibration/recovery.test.ts',
  'test/unit/grafana/alert-rules.test.ts',
  'test/unit/models/fair-value/fit-rate-model.test.ts',
]
/** Processes, browsers and chains too. */
const SLOW = [
  ...COMPUTED,
  'test/e2e/**/*.test.ts',
  'test/unit/examples.test.ts',
  'test/unit/commands/output/screen-pty.test.ts',
  'test/unit/sandbox/chain/**/*.test.ts',
  'test/unit/tape/commands.test.ts',
  'test/unit/tape/recording.test.ts',
  'test/unit/venue/flood.test.ts',
]

/**
 * Tests that change nothing that all modules share (the environment, the exit code, globals, mocks of modules; a strategy that
 * is evaluated freezes the globals): their files share a process and what it has loaded, which halves their time.
 */
const SHARED_ROOMS =
  'alerts,assistant,backtest,backtest-trail,base,bench,calibration,catalogue,chain,close,commands,conformance,console,drills,engine,' +
  'feeds,files,grafana,guard,http,lease,ledger,lock,market,models,money,mutation,notify,pacing,quoting,report,rfq,risk,runtime,' +
  'sandbox,scenarios,signing,store,strategies,strategy,sweep,tape,telemetry,text,threads,tournament,treasury,venue,view'
/** Files of those rooms that need a process of their own. */
const ALONE = [
  'test/contract/store/*.test.ts',
  'test/unit/backtest/memory.test.ts',
  'test/unit/calibration/watch-fair-value.test.ts',
  'test/unit/commands/backup/*.test.ts',
  'test/unit/commands/close/close.test.ts',
  'test/unit/commands/daemon/run.test.ts',
  'test/unit/commands/guard/{ask,run}.test.ts',
  'test/unit/commands/inspect/**/*.test.ts',
  'test/unit/commands/operator/daemon-client.test.ts',
  'test/unit/commands/output/print.test.ts',
  'test/unit/commands/partner/{partner-program,perform}.test.ts',
  'test/unit/commands/research/sweep/join.test.ts',
  'test/unit/notify/delivery/notifier.test.ts',
  'test/unit/report/render-report.test.ts',
  'test/unit/runtime/fleet/{judge,watch}-limits.test.ts',
  'test/unit/runtime/host/{host-renewals,keep-private}.test.ts',
  'test/unit/runtime/worker/{preview-changes,relay,reloader,waiting-config}.test.ts',
  'test/unit/sweep/{sweep-command,sweep-folder}.test.ts',
  'test/unit/tape/parquet/own-files.test.ts',
  'test/unit/tournament/core/*.test.ts',
  'test/unit/treasury/webhooks/listener.test.ts',
  'test/property/config/*.test.ts',
]
const SHARED = globSync(
  [`test/unit/{${SHARED_ROOMS}}/**/*.test.ts`, 'test/{contract,property}/**/*.test.ts'],
  {
    cwd: import.meta.dirname,
    exclude: [...ALONE, ...SLOW],
  },
)
/** These by name: a project that excludes files by itself does not hear of `--exclude`. */
const FAST = globSync('test/**/*.test.ts', { cwd: import.meta.dirname, exclude: [...SHARED, ...SLOW] })
/** End-to-end files that need a process of their own: they evaluate a strategy in it, or change its environment. */
const E2E_ALONE = [
  'test/e2e/{accept-mid,backtest-custody,calibrate,campaign-queue,challenger,conformance,docs-strategy,notify,open-alerts,overrides,parity,replay,sandbox-options}.test.ts',
  'test/e2e/chain/venue-command.test.ts',
  'test/e2e/custody/{check-custody,open-custody}.test.ts',
  'test/e2e/drills/{drill,rail-stuck}.test.ts',
  'test/e2e/guard/{fleet,ladder-at-the-venue,open-alerts}.test.ts',
  'test/e2e/host/{add-and-remove,core-throws,kill-many}.test.ts',
  'test/e2e/standby/older-tables.test.ts',
  'test/e2e/store/commands-on-postgres.test.ts',
  'test/e2e/sweep/search.test.ts',
  'test/e2e/treasury/{demo,refill,swap-and-ramp,webhooks}.test.ts',
]
const TOGETHER = globSync('test/e2e/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: [...HERE, ...E2E_ALONE],
})
const ELSEWHERE = globSync(SLOW, {
  cwd: import.meta.dirname,
  exclude: [...HERE, ...COMPUTED, ...TOGETHER],
})
/** Fails a file that breaks this. */
const UNCHANGED = 'test/support/shared-process.ts'
const SEEDED = 'test/support/property-seed.ts'
const BUILT = 'test/support/build-daemon.ts'

/**
 * `npm test` runs the fast tier (shared and fast), `npm run test:all` the slow one too (here, computed, together and elsewhere).
 * `npm run coverage` measures what runs in the processes of the tests (shared, fast and here): of others it sees nothing. It has
 * a run of its own, because code that is measured takes half as long again, and because for its sake Vitest forbids all processes
 * that are started from a test the compiled code that they would share.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: SHARED, isolate: false, setupFiles: [UNCHANGED, SEEDED] },
      },
      {
        extends: true,
        test: { name: 'fast', include: FAST, setupFiles: SEEDED },
      },
      {
        extends: true,
        test: { name: 'here', include: HERE, globalSetup: BUILT },
      },
      {
        extends: true,
        test: { name: 'computed', include: globSync(COMPUTED, { cwd: import.meta.dirname }) },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: TOGETHER,
          isolate: false,
          globalSetup: BUILT,
          setupFiles: UNCHANGED,
        },
      },
      {
        extends: true,
        test: { name: 'elsewhere', include: ELSEWHERE, globalSetup: BUILT },
      },
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A page or a process on a busy machine has more to do than answer within the second of the default.
    expect: { poll: { timeout: 45_000 } },
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Hundreds of processes are started from sources: what one has compiled the next one reads.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'mizani-e2e-code') },
    // End-to-end tests wait for processes more than they compute: four at a time also on two cores.
    maxWorkers: 4,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'strategies/**/*.ts'],
      // Only a browser runs the report's page: test/e2e/report looks at it in Chromium, which this cannot count.
      exclude: ['src/report/page/**'],
      reporter: ['text-summary', 'json-summary'],
      // A red run says as well what it covered.
      reportOnFailure: true,
      thresholds: { lines: 90 },
    },
  },
})
