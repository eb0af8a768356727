import { z } from 'zod'
import { problemOf } from '../../http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { ActivationEvent } from '../../engine/model/event.ts'
import { ASSETS, type Asset } from '../../money/asset.ts'
import type { ReplyFacts } from '../call.ts'
import { type AnswerOf, type Endpoint, unknownFields, WRITE } from './endpoint.ts'
import { flag, statedFlag } from '../fields.ts'
import type { TokenRegistry } from './token-registry.ts'

export type ActivationAnswer = AnswerOf<ActivationEvent>

/** POST (also seen: PATCH) /activate. */
export const activate: Endpoint<[isActive: boolean], ActivationAnswer> =
  ({ settings: { prefix, activateMethod }, assetOf }) =>
  (isActive) => ({
    ...WRITE,
    isSlow: true,
    route: `${activateMethod} /activate`,
    method: activateMethod,
    path: `${prefix}/activate`,
    body: { isActive },
    translate: (body, facts) => translate(body, facts, assetOf),
  })

/** 207 adds `partial`, `returned`, `failed` and `error`; the last two are kept for people as unknown fields. */
const activateBody = z.looseObject({
  isActive: statedFlag,
  partial: flag,
  returned: z.unknown().optional(),
  walletAddress: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
})

/**
 * POST /activate. Also seen: 207 `{ isActive: true, partial: true, returned, failed, error }`. Tokens that
 * are none of ours have no place in the book and are left out of `returned`.
 */
function translate(
  body: unknown,
  { status, method }: ReplyFacts,
  assetOf: TokenRegistry,
): Result<ActivationAnswer, string> {
  const parsed = activateBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { isActive, partial, returned } = parsed.data
  const isPartial = status === 207 || partial === true
  return ok({
    type: 'activation',
    method,
    isActive,
    partial: isPartial,
    returned: isPartial ? returnedAssets(returned, assetOf) : [],
    ...unknownFields(parsed.data, activateBody),
  })
}

/** The layout of an entry is not described: a symbol, an address, or an object that names one. */
function returnedAssets(returned: unknown, assetOf: TokenRegistry): Asset[] {
  if (!Array.isArray(returned)) return []
  const found = new Set((returned as unknown[]).map((entry) => assetOfEntry(entry, assetOf)))
  return ASSETS.filter((asset) => found.has(asset))
}

function assetOfEntry(entry: unknown, assetOf: TokenRegistry): Asset | null {
  if (typeof entry !== 'object' || entry === null) return assetOf(entry)
  const { token, symbol, chain } = entry as Readonly<Record<string, unknown>>
  return assetOf(token, chain) ?? assetOf(symbol, chain)
}
