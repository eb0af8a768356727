import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/base/time.ts'
import { loadStrategy } from '../../src/daemon/config/strategy/load-strategy.ts'
import type { Event } from '../../src/core/engine/model/event.ts'
import { openStore } from '../../src/store/journal/open-store.ts'
import { coreConfig } from '../support/core-config.ts'
import { coreHarness } from '../support/core-harness.ts'
import { runHere } from './daemon/run-here.ts'
import type { Finished } from './daemon/run-mizani.ts'

// A journal that a strategy file of one's own wrote, and what parity makes of it when one of the two changed.

const folder = mkdtempSync(join(tmpdir(), 'mizani-parity-'))

const CONFIG = join(folder, 'mizani.yaml')
const STRATEGY = join(folder, 'minutes.ts')
const source = (stepBps: number) => `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'minutes',
  params: z.strictObject({}),
  init: () => ({}),
  quote: ({ now }) => ({
    bidBps: 60 + (Math.floor(now / ${MINUTE_MS}) % 3) * ${stepBps},
    askBps: 60,
    reasons: ['the minute'],
  }),
})
`

/** Ten minutes of a market that this strategy makes. */
async function madeJournal(): Promise<readonly Event[]> {
  writeFileSync(STRATEGY, source(10))
  const choice = { use: './minutes.ts', params: {} }
  const loaded = await loadStrategy(choice, { folder, baseFolder: folder })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  const { strategy } = loaded.value
  const { sourceHash } = strategy
  const harness = coreHarness({ config: coreConfig({ strategy: { ...choice, sourceHash } }), strategy })
  harness.run(10 * MINUTE_MS)
  return harness.journal
}

async function storeOf(name: string, journal: readonly Event[]): Promise<string> {
  const store = join(folder, name)
  const opened = await openStore(store)
  if (!opened.ok) throw new Error(opened.error.message)
  journal.forEach((event, index) => opened.value.append(index + 1, event))
  await opened.value.close()
  return store
}

const parity = (store: string, ...more: string[]): Promise<Finished> =>
  runHere(['parity', '--store', store, '--config', CONFIG, ...more])

describe('parity', { timeout: 60_000 }, async () => {
  const journal = await madeJournal()
  const firstStep = journal.findIndex((event) => event.type === 'quoteSet' && event.spread.bidBps !== 60)

  test('names the first decision that an edited strategy takes otherwise, and says that it was edited', async () => {
    const store = await storeOf('edited', journal)
    writeFileSync(STRATEGY, source(20))
    const { code, out } = await parity(store, '--json')
    expect(code).toBe(1)
    const data = JSON.parse(out) as {
      decisions: { differing: number; differences: { seq: number }[] }
      warnings: string[]
    }
    expect(data.decisions.differing).toBeGreaterThan(0)
    expect(data.decisions.differences[0]?.seq).toBe(firstStep + 1)
    expect(data.warnings.join()).toMatch(/minutes\.ts was edited/)
  })
})
