import type { Ms } from '../../../../../src/base/time.ts'
import type { StreamEvent } from '../../../../../src/simulator/sandbox/api/request.ts'
import type { SandboxOptionsInput } from '../../../../../src/simulator/sandbox/options.ts'
import { ASSETS } from '../../../../../src/base/money/asset.ts'
import { conservationGap } from '../../../../support/conservation-gap.ts'
import { createVenueModel, type VenueModel } from '../../../../../src/simulator/sandbox/model.ts'
import type { Partner } from '../../../../../src/simulator/sandbox/partner/model/partner.ts'
import { rival, scriptedWorld, START } from '../scripted-world.ts'

/** What the venue sends is outside input: a test says which part of it must be what. */
export type PartnerReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly delayMs: Ms
  readonly drop: string | null
  readonly json: Record<string, unknown>
  /** Of an answer that is a stream. */
  readonly events: readonly StreamEvent[]
}

export type PartnerClient = {
  readonly model: VenueModel
  readonly partner: Partner
  /** The id of the liquidity provider's own user. */
  readonly ownerId: string
  /** Below /v1, with the test key of the options unless `key` says another one. */
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    more?: {
      readonly key?: string | null
      readonly idempotencyKey?: string
      readonly source?: string
      readonly merchantId?: string
    },
  ) => PartnerReply
  readonly wait: (ms: Ms) => void
}

/** The bare model in virtual time, with rivals that quote, as a partner sees it. */
export function partnerClient(options: SandboxOptionsInput = {}): PartnerClient {
  const world = scriptedWorld([], [rival('near', 60, 60), rival('far', 300, 300)])
  const model = createVenueModel({ startMs: START, ...options }, world)
  const { apiKey } = model.options.partner
  const partner = model.partner.partners.get(apiKey) as Partner
  return {
    model,
    partner,
    ownerId: partner.ownerId as string,
    ask(method, target, body, { key = apiKey, idempotencyKey, source, merchantId } = {}) {
      const [path = '', search = ''] = target.split('?')
      const {
        status,
        headers,
        delayMs,
        drop,
        body: answered,
        stream = [],
      } = model.handle({
        method,
        path: path.startsWith('/api') || path.startsWith('/v1') ? path : `/v1${path}`,
        query: Object.fromEntries(new URLSearchParams(search)),
        body,
        authorization: key === null ? null : `Bearer ${key}`,
        now: model.state.now,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        ...(source === undefined ? {} : { source }),
        ...(merchantId === undefined ? {} : { merchantId }),
      })
      return { status, headers, delayMs, drop, json: answered as Record<string, unknown>, events: stream }
    },
    wait: (ms) => model.advanceTo(model.state.now + ms),
  }
}

/** Throws where a unit of any token was made or lost since the venue opened. */
export function mustConserve({ model }: Pick<PartnerClient, 'model'>): void {
  const gap = conservationGap(model.book())
  for (const asset of ASSETS) {
    if (gap[asset] !== 0n) throw new Error(`${gap[asset]} base units of ${asset} too many`)
  }
}
