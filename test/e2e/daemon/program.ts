import { fileURLToPath } from 'node:url'

const SOURCES = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))

/**
 * What runs as the daemon: what `test/support/build-daemon.ts` has built for this run of the slow tier, or, where
 * something else than those tests starts it, the sources.
 */
export const PROGRAM = process.env['MIZANI_TEST_PROGRAM'] ?? SOURCES
