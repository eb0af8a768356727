import { fileURLToPath } from 'node:url'

const SOURCES = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))

/**
 * What runs as the daemon: what `test/support/build-daemon.ts` has built for this run of the slow tier, or, where
 * something else than those tests starts it, the sources.
 */
export const PROGRAM = process.env['MIZANI_TEST_PROGRAM'] ?? SOURCES

/**
 * For the Node of a process that lives for seconds: most of its young memory is collected while it starts, and a larger
 * one makes a start an eighth cheaper.
 */
export const SHORT_LIFE = ['--min-semi-space-size=16', '--max-semi-space-size=32'] as const
