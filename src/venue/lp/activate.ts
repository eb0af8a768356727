import { z } from 'zod'
import { read } from '../../base/http/reply.ts'
import { ok, type Result } from '../../base/result.ts'
import type { ActivationEvent } from '../../core/engine/model/event.ts'
import { type AnswerOf, type FailedReturn, NOTHING_TO_SWEEP } from '../../core/engine/model/venue-answer.ts'
import { ASSETS, type Asset, parseTokens, type TokenAmount } from '../../base/money/asset.ts'
import type { VenueReplyFacts } from '../call.ts'
import { TOKEN_NAMES } from '../wire/aliases.ts'
import { endpoint, unknownFields } from './endpoint.ts'
import { flag, notNegative, statedFlag } from '../fields.ts'
import { listedToken } from '../wire/activation.ts'
import type { TokenRegistry } from './token-registry.ts'

type ActivationAnswer = AnswerOf<ActivationEvent>

/** POST (also seen: PATCH) /activate. */
export const activate = endpoint(
  'POST /activate',
  ({ settings: { activateMethod }, assetOf }) =>
    (isActive: boolean) => {
      const method = activateMethod === 'auto' ? 'POST' : activateMethod
      return {
        paysOut: false,
        isSlow: true,
        route: `${method} /activate`,
        method,
        body: { isActive },
        codeOfRefusal,
        translate: read(activateBody, (body, facts: VenueReplyFacts) => translate(body, facts, assetOf)),
      }
    },
)

/** Measured: a sentence without a code, if the wallet is empty. */
function codeOfRefusal(status: number, { error }: Readonly<Record<string, unknown>>): string | null {
  return status === 400 && typeof error === 'string' && /no token balance/i.test(error)
    ? NOTHING_TO_SWEEP
    : null
}

/** 207 adds `partial`, `returned`, `failed` and `error`, the default reason of an entry. */
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

/** Also seen: 207 with `isActive: true`, `partial: true`, `failed` and `error`. `returned` has our tokens only. */
function translate(
  body: z.output<typeof activateBody>,
  { status, method }: VenueReplyFacts,
  assetOf: TokenRegistry,
): Result<ActivationAnswer, string> {
  const { isActive, partial, returned, swept, failed, error } = body
  const isPartial = status === 207 || partial === true
  return ok({
    type: 'activation',
    method,
    isActive,
    partial: isPartial,
    returned: isActive && !isPartial ? [] : returnedAssets(returned, assetOf),
    ...movedAmounts(isActive && !isPartial ? swept : returned, assetOf),
    ...(isPartial && Array.isArray(failed) ? { failed: failedReturns(failed, error, assetOf) } : {}),
    ...unknownFields(body, activateBody),
  })
}

/** The contract does not describe an entry: it may be a symbol, an address, or an object with one. */
function returnedAssets(returned: unknown, assetOf: TokenRegistry): Asset[] {
  if (!Array.isArray(returned)) return []
  const found = new Set((returned as unknown[]).map((entry) => assetOfEntry(entry, assetOf)))
  return ASSETS.filter((asset) => found.has(asset))
}

/** Returns the amounts of entries with one of our tokens; a token that is listed twice has none. */
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
