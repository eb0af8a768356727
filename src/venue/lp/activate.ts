import { z } from 'zod'
import { problemOf } from '../../base/http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { ActivationEvent } from '../../core/engine/model/event.ts'
import { type FailedReturn, NOTHING_TO_SWEEP } from '../../core/engine/model/venue-answer.ts'
import { ASSETS, type Asset, parseTokens, type TokenAmount } from '../../base/money/asset.ts'
import type { ReplyFacts } from '../call.ts'
import { TOKEN_NAMES } from '../wire/aliases.ts'
import { type AnswerOf, type Endpoint, unknownFields, WRITE } from './endpoint.ts'
import { flag, notNegative, statedFlag } from '../fields.ts'
import { listedToken } from '../wire/activation.ts'
import type { TokenRegistry } from './token-registry.ts'

type ActivationAnswer = AnswerOf<ActivationEvent>

/** POST (also seen: PATCH) /activate. */
export const activate: Endpoint<[isActive: boolean], ActivationAnswer> =
  ({ settings: { prefix, activateMethod }, assetOf }) =>
  (isActive) => {
    const method = activateMethod === 'auto' ? 'POST' : activateMethod
    return {
      ...WRITE,
      isSlow: true,
      route: `${method} /activate`,
      method,
      path: `${prefix}/activate`,
      body: { isActive },
      codeOfRefusal,
      translate: (body, facts) => translate(body, facts, assetOf),
    }
  }

/** Measured: a sentence without a code, where the wallet is empty. */
function codeOfRefusal(status: number, { error }: Readonly<Record<string, unknown>>): string | null {
  return status === 400 && typeof error === 'string' && /no token balance/i.test(error)
    ? NOTHING_TO_SWEEP
    : null
}

/** 207 adds `partial`, `returned`, `failed` and `error`, which is the reason of an entry that names none. */
const activateBody = z.looseObject({
  isActive: statedFlag,
  partial: flag,
  returned: z.unknown().optional(),
  swept: z.unknown().optional(),
  failed: z.unknown().optional(),
  error: z.unknown().optional(),
  walletAddress: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
})

/**
 * POST /activate. Also seen: 207 `{ isActive: true, partial: true, returned, failed, error }`. Tokens that
 * are not ours have no place in the book and are left out of `returned`.
 */
function translate(
  body: unknown,
  { status, method }: ReplyFacts,
  assetOf: TokenRegistry,
): Result<ActivationAnswer, string> {
  const parsed = activateBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { isActive, partial, returned, swept, failed, error } = parsed.data
  const isPartial = status === 207 || partial === true
  return ok({
    type: 'activation',
    method,
    isActive,
    partial: isPartial,
    returned: isActive && !isPartial ? [] : returnedAssets(returned, assetOf),
    ...movedAmounts(isActive && !isPartial ? swept : returned, assetOf),
    ...(isPartial && Array.isArray(failed) ? { failed: failedReturns(failed, error, assetOf) } : {}),
    ...unknownFields(parsed.data, activateBody),
  })
}

/** The layout of an entry is not described: a symbol, an address, or an object that names one. */
function returnedAssets(returned: unknown, assetOf: TokenRegistry): Asset[] {
  if (!Array.isArray(returned)) return []
  const found = new Set((returned as unknown[]).map((entry) => assetOfEntry(entry, assetOf)))
  return ASSETS.filter((asset) => found.has(asset))
}

/** Of entries that name a token of ours and an amount in whole units of it; a token that is listed twice has none. */
function movedAmounts(listed: unknown, assetOf: TokenRegistry): Pick<ActivationAnswer, 'amounts'> {
  if (!Array.isArray(listed)) return {}
  const amounts: Partial<Record<Asset, TokenAmount>> = {}
  const seen = new Set<Asset>()
  for (const entry of listed as unknown[]) {
    const asset = assetOfEntry(entry, assetOf)
    const fields = typeof entry === 'object' && entry !== null ? (entry as { amount?: unknown }) : {}
    const parsed =
      asset === null || typeof fields.amount !== 'string'
        ? null
        : notNegative(fields.amount, parseTokens(fields.amount, asset))
    if (asset === null || parsed?.ok !== true) continue
    if (seen.has(asset)) delete amounts[asset]
    else amounts[asset] = parsed.value
    seen.add(asset)
  }
  return Object.keys(amounts).length === 0 ? {} : { amounts }
}

function assetOfEntry(entry: unknown, assetOf: TokenRegistry): Asset | null {
  if (typeof entry !== 'object' || entry === null) return assetOf(entry)
  const fields = entry as Readonly<Record<string, unknown>>
  const found = TOKEN_NAMES.map((name) => assetOf(fields[name], fields['chain']))
  return found.find((asset) => asset !== null) ?? null
}

function failedReturns(
  failed: readonly unknown[],
  error: unknown,
  assetOf: TokenRegistry,
): readonly FailedReturn[] {
  return failed.map((entry) => {
    const asset = assetOfEntry(entry, assetOf)
    const { token, amount, reason } = listedToken(entry, error)
    const parsed = amount === null || asset === null ? null : notNegative(amount, parseTokens(amount, asset))
    return { token, asset, amount: parsed?.ok === true ? parsed.value : null, reason }
  })
}
