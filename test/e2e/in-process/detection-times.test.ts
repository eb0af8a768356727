import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { CoreConfig } from '../../../src/core/engine/model/config.ts'
import { coreHarness, type ToyVenue } from '../../support/core-harness.ts'
import { testStrategy } from '../../support/test-strategy.ts'
import { load, VALID } from '../../unit/daemon/config/config-fixture.ts'

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const SETTLED_MS = 180_000
const LONGEST_MS = 200_000
const RATE_UNIT = 10n ** 15n

type Fault = 'foreign spread' | 'foreign deactivation' | 'theft'
const FAULTS: Readonly<Record<Fault, (venue: ToyVenue) => void>> = {
  'foreign spread': (venue) => void (venue.held = { ...venue.held, bidBps: 20, askBps: 20 }),
  'foreign deactivation': (venue) => void (venue.isActive = false),
  theft: (venue) => void (venue.amounts = { ...venue.amounts, USDC: venue.amounts.USDC / 2n }),
}

async function defaults(): Promise<CoreConfig> {
  const loaded = await load(VALID)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value.core
}

/** How long the fault stands until a critical alert or a write of ours ends it, in ms. */
function standsFor(core: CoreConfig, requoteEveryMs: number, phaseMs: number, fault: Fault): number {
  let bps = 60
  const strategy = testStrategy(() => ({ bidBps: bps, askBps: bps, reasons: ['in turn'] }))
  const { venue, observations, effects, run, ...harness } = coreHarness({ config: core, strategy })
  const clock = () => harness.journal.at(-1)?.t ?? 0
  const pass = (ms: number, until: () => boolean = () => false) => {
    for (let left = ms; left > 0 && !until(); left -= 1_000) {
      if (Math.floor(left / requoteEveryMs) !== Math.floor((left - 1_000) / requoteEveryMs)) {
        bps = bps === 60 ? 66 : 60
        venue.mid += RATE_UNIT
      }
      run(1_000)
    }
  }
  pass(SETTLED_MS + phaseMs)
  const [at, seen, sent] = [clock(), observations.length, effects.length]
  FAULTS[fault](venue)
  const found = () =>
    observations
      .slice(seen)
      .flatMap((one) => (one.type === 'alert' && one.severity === 'critical' ? [one.t] : []))[0]
  // A requote of ours replaces a foreign spread, and nothing else.
  const isReplaced = () =>
    fault === 'foreign spread' && effects.slice(sent).some(({ type }) => type === 'setQuote')
  pass(LONGEST_MS, () => found() !== undefined || isReplaced())
  return (found() ?? (isReplaced() ? clock() : Infinity)) - at
}

test.each<[Fault, number]>([
  ['foreign spread', Infinity],
  ['foreign spread', 12_000],
  ['foreign deactivation', Infinity],
  ['foreign deactivation', 12_000],
  ['theft', Infinity],
  ['theft', 12_000],
])(
  'a %s is found within what README says, with a requote every %d ms, whenever it begins',
  async (fault, every) => {
    const promised = new RegExp(`\\b${fault} within (\\d+) s`).exec(README)?.[1]
    const core = await defaults()
    const times = Array.from({ length: 60 }, (_, second) => standsFor(core, every, second * 1_000, fault))
    expect(Math.max(...times)).toBeLessThanOrEqual(Number(promised) * 1_000)
  },
)
