import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page or a process on a busy machine has more to do than answer within the second of the default.
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    // Hundreds of processes are started from sources: what one has compiled the next one reads.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'mizani-e2e-code') },
    // End-to-end tests wait for processes more than they compute: two at a time also on two cores.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'strategies/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 90 },
    },
  },
})
