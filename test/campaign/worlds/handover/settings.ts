import { z } from 'zod'
import type { CoreConfig } from '../../../../src/core/engine/model/config.ts'
import type { LastWriteConfig } from '../../../../src/daemon/runtime/effects/emergency-widen.ts'
import type { PostgresPlace } from '../../../../src/store/place.ts'
import { defineStrategy, type LoadedStrategy } from '../../../../src/core/strategy/define-strategy.ts'
import { coreConfig } from '../../../support/core-config.ts'

export const SAFE_BPS = 500
export const DESTINATION = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** A withdrawal is one of these many dollars, and a few base units that no other one has. */
export const WITHDRAWN_USDC = 2_000_000n

export const PLACE: PostgresPlace = {
  url: 'postgres://db.invalid/mizani',
  position: 'desk',
  folder: '/nowhere',
}

/** Another quote every few seconds, so that writes are under way at most moments. */
const drifting = defineStrategy({
  name: 'drifting',
  params: z.strictObject({}),
  init: () => ({}),
  quote({ now }) {
    const step = Math.floor(now / 4_000)
    return { bidBps: 30 + (step % 11), askBps: 30 + (step % 7), reasons: [`step ${step % 77}`] }
  },
})

export const STRATEGY: LoadedStrategy = {
  use: 'drifting',
  definition: drifting as LoadedStrategy['definition'],
  params: {},
  inner: {},
  sourceHash: 'world drifting',
}

const standard = coreConfig()

export const CORE: CoreConfig = {
  ...standard,
  name: 'desk',
  strategy: { use: STRATEGY.use, params: {}, sourceHash: STRATEGY.sourceHash },
  pacing: {
    ...standard.pacing,
    fillsIntervalMs: 8_000,
    rateIntervalMs: 20_000,
    publicRequestsPerMinute: 0,
    requestTimeoutMs: 35_000,
  },
  risk: { ...standard.risk, maxMidStepBps: null, maxMidAgeMs: null, onHalt: 'safe' },
  quote: { ...standard.quote, safeBps: SAFE_BPS, minRequoteIntervalMs: 2_000 },
  withdraw: { enabled: true, destinations: [DESTINATION], maxPerDay: { USDC: 10n ** 15n } },
}

/** As much of a configuration as the last write of a daemon without its journal looks at. */
export const CONFIG: LastWriteConfig = { core: CORE, store: { place: PLACE } }
