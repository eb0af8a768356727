import { type Asset, ASSETS, TOKEN_UNIT } from '../../src/base/money/asset.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields with an amount by those that name its token: of a fill, a posting and the rows of a tape. */
const TOKEN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  amountIn: ['inAsset', 'from'],
  amountOut: ['outAsset', 'to'],
  fee: ['outAsset'],
  protocolFee: ['to'],
  amount: ['asset', 'from'],
}

/**
 * The first recordings count each token in its own units: the same with every book amount in these. An amount that is finer,
 * as the measured venue counts, stays as it is, so that nothing is rounded.
 */
export function inTokenUnits<Value>(value: Value): Value {
  return convert(value) as Value
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Fields
  // The observation that a fill was booked has its fee beside the fill.
  const isPosted = fields['type'] === 'fillPosted'
  const tokens = isPosted ? (fields['fill'] as Fields) : fields
  return Object.fromEntries(
    Object.entries(fields).map(([name, part]) => {
      const asset = typeof part === 'bigint' ? assetOf(name, tokens) : undefined
      return [name, asset === undefined ? convert(part) : tokenUnits(part as bigint, asset)]
    }),
  )
}

function assetOf(name: string, fields: Fields): Asset | undefined {
  const names = [name, ...(TOKEN_FIELDS[name] ?? []).map((field) => fields[field])]
  return ASSETS.find((asset) => names.includes(asset))
}

function tokenUnits(amount: bigint, asset: Asset): bigint {
  return amount % TOKEN_UNIT[asset] === 0n ? amount / TOKEN_UNIT[asset] : amount
}
