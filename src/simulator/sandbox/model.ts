import type { Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { Asset } from '../../base/money/asset.ts'
import { readScenario } from '../../research/jobs/read-scenarios.ts'
import { handleRequest } from './handle-request.ts'
import type { SimulatedRequest, VenueResponse } from './api/request.ts'
import { inject, type Injection } from './inject.ts'
import { readBook, type VenueBook } from './market/book.ts'
import { DEFAULT_SLIPPAGE_BPS, executeSwap, type SwapRefusal } from './market/execute-swap.ts'
import { pricedPairOf } from './market/price.ts'
import type { VenueFill } from './market/provider.ts'
import type { FillSource } from './market/measured-price.ts'
import { createPartnerWorld } from './partner/create.ts'
import { handlePartner } from './partner/handle.ts'
import type { PartnerWorld } from './partner/model/partner.ts'
import { SandboxOptionsSchema, type SandboxOptions, type SandboxOptionsInput } from './options.ts'
import { createVenueState, DEFAULT_START_MS, type VenueState } from './state.ts'
import { createWorld } from './world/create-world.ts'
import { runWorld } from './world/run-world.ts'
import type { World } from './world/world.ts'

/**
 * The whole venue in virtual time, without timers, promises or text. Equal options and equal calls give equal
 * answers, so a simulated month runs at full speed and is reproducible from its seed.
 */
export type VenueModel = {
  readonly options: SandboxOptions
  /** Read-only; only this room changes it. */
  readonly state: Readonly<VenueState>
  /** The partner API of the same venue; read-only. */
  readonly partner: PartnerWorld
  /** Advances the world to that time: publications, takers, competitors, activations, late rows. Never goes back. */
  advanceTo(now: Ms): void
  /** Handles one request at `request.now`, after advancing to it. Never throws for invalid requests. */
  handle(request: SimulatedRequest): VenueResponse
  /** Executes a taker's swap now, without a stream. */
  swap(wish: {
    taker?: string
    from: Asset
    to: Asset
    amountIn: bigint
    /** For the measured venue. Default: the partner API's swap, and the venue's default slippage. */
    source?: FillSource
    slippageBps?: number
  }): Result<VenueFill, SwapRefusal | 'no-pair'>
  /** Injects faults and one-off events. Throws if the injection is invalid. */
  inject(injection: Injection): void
  /** Returns the venue's own record of all our fills and transfers. */
  book(): VenueBook
}

/** `world` replaces the seeded world of the scenario, for tests that script every step. Throws if the scenario does not exist. */
export function createVenueModel(input: SandboxOptionsInput = {}, world?: World): VenueModel {
  const options = SandboxOptionsSchema.parse(input)
  const start = options.startMs ?? DEFAULT_START_MS
  const venue = createVenueState(options, world ?? worldOf(options, start))
  const advanceTo = (now: Ms) => runWorld(venue, now)
  const partner = createPartnerWorld(venue)
  advanceTo(start)
  return {
    options,
    state: venue,
    partner,
    advanceTo,
    handle(request) {
      advanceTo(request.now)
      return handlePartner(partner, request) ?? handleRequest(venue, request)
    },
    swap({ taker = 'control', from, to, amountIn, source = 'waas', slippageBps = DEFAULT_SLIPPAGE_BPS }) {
      const pair = pricedPairOf(from, to)
      if (pair === null || amountIn <= 0n) return { ok: false, error: 'no-pair' }
      const wish = {
        taker,
        pair,
        amountIn,
        slippageBps,
        source,
        maxSpreadBps: null,
        minOutput: null,
      }
      const done = executeSwap(venue, wish)
      return done.ok ? { ok: true, value: done.value.fill } : done
    },
    inject: (injection) => inject(venue, injection),
    book: () => readBook(venue),
  }
}

function worldOf(options: SandboxOptions, start: Ms): World {
  const { seed, retailFactor, restocking } = options
  const scenario = readScenario(options.scenario)
  if (!scenario.ok) throw new Error(`scenario: ${scenario.error}`)
  return createWorld({ scenario: scenario.value, seed, start, retailFactor, restocking })
}
