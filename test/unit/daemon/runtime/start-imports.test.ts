import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'

/** The files that a new process loads when it imports `entry`, by their path in the checkout. */
function loadedBy(entry: string): readonly string[] {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import('./${entry}')
    console.log(JSON.stringify(loaded))
    process.exit()`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  const root = `file://${process.cwd()}/`
  return (JSON.parse(run.stdout) as string[])
    .filter((url) => url.startsWith(root))
    .map((url) => url.slice(root.length))
}

/**
 * Packages and rooms that other commands need: each of them costs every start and every thread megabytes. The names of the
 * fill models and the horizons of markouts are keys of the configuration.
 */
const FOR_OTHERS = [
  /^node_modules\/(@clack|cli-progress|cli-truncate|string-width|wrap-ansi)\//,
  /^node_modules\/(csv-parse|graphile-worker|pg|hyparquet|hyparquet-writer|uplot|preact|esbuild|ses)\//,
  /^node_modules\/viem\//,
  /^src\/(research\/(backtest\/(?!fill-models\/fill-model\.ts|metrics\/horizons\.ts)|(calibration|report|sweep)\/)|simulator\/|custody\/chain\/|base\/charts\/)/,
]

describe('the start of a daemon loads nothing that only other commands need', () => {
  test.each([
    ['in its main thread', 'src/cli/daemon/run.ts', 'src/daemon/runtime/host/run-host.ts'],
    [
      'in the thread of a position',
      'src/daemon/runtime/worker/launch-position.ts',
      'src/core/engine/engine.ts',
    ],
  ])('%s', (_, entry, needed) => {
    const loaded = loadedBy(entry)
    expect(loaded).toContain(needed)
    expect(loaded.filter((file) => FOR_OTHERS.some((pattern) => pattern.test(file)))).toEqual([])
  })
})
