import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { replayStore } from '../daemon/replay-store.ts'
import { runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { longestPauseMs, startsOf } from './journal-of.ts'
import { manyPositions } from './many-positions.ts'

/** The sources and not the bundle: the core's file has to be found to be broken. */
const SOURCES = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const THROWING_CORE = new URL('./throwing-core.ts', import.meta.url).href
/** Rates and fills are asked for twice a second each; the rest is what a busy machine takes. */
const NO_PAUSE_MS = 3_000

test(
  'a position whose core throws restarts alone from its journal, and the five that share its worker take no pause',
  { timeout: 180_000 },
  async () => {
    const many = await manyPositions(6, () => ({ log: { level: 'info' } }))
    const stores = many.configs.map(({ store }) => store.path)
    const [culprit = '', ...neighbours] = many.names
    const [broken = '', ...others] = stores
    const flag = join(many.folder, 'throws')
    const daemon = runDaemon({
      configs: many.configs.map(({ file }) => file),
      program: SOURCES,
      env: { NODE_OPTIONS: `--import=${THROWING_CORE}`, MIZANI_TEST_THROWS: flag },
    })
    const seqs = () => Promise.all(neighbours.map(async (name) => (await daemon.state(name)).lastSeq))
    await daemon.url()
    await until('all quote', () => many.names.every((name) => many.quoteOf(name)[0] === 60))

    const brokenAt = Date.now()
    const before = await seqs()
    writeFileSync(flag, culprit)
    await until('the core throws', () => daemon.output().includes('the event that this test breaks'))
    const after = await seqs()
    await until('it is back', () => startsOf(broken) === 2)
    await until('the neighbours are well past the throw', async () =>
      (await seqs()).every((seq, index) => seq > (after[index] ?? 0) + 10),
    )
    expect(after.every((seq, index) => seq >= (before[index] ?? 0))).toBe(true)
    expect((await daemon.state(culprit)).strategy.suspended).toBeNull()
    await daemon.kill('SIGTERM')

    expect(startsOf(broken)).toBe(2)
    for (const store of others) {
      expect(longestPauseMs(store, brokenAt)).toBeLessThan(NO_PAUSE_MS)
      expect(startsOf(store)).toBe(1)
    }
    for (const { file } of many.configs) expect(await replayStore(file)).toMatchObject({ equal: true })
  },
)
