import { keccak256, toHex } from 'viem'
import {
  toBook,
  BOOK_DECIMALS,
  type Asset,
  type BookAmount,
  formatAmount,
  formatTokens,
  type TokenAmount,
} from '../../../base/money/asset.ts'
import type { VenueFill } from './provider.ts'
import { TOKENS } from './tokens.ts'
import { padDecimals } from '../../../base/money/decimal-text.ts'

export const LP_ID = '5b1f6a3e-7c1d-4f0a-9a43-0c2f7d6e8b11'
const PARTNER_ID = '9d3c2b1a-4e5f-4a6b-8c7d-1f2e3d4c5b6a'

/** Returns a fill in the form of GET /fills of the measured venue: `chain` is base even if the token's address is on another chain. */
export function measuredRow(fill: VenueFill): Readonly<Record<string, unknown>> {
  const { from, to, measured } = fill
  return {
    id: fill.id,
    lpId: LP_ID,
    chain: 'base',
    userAddress: /^0x[0-9a-fA-F]{40}$/.test(fill.taker)
      ? fill.taker
      : keccak256(toHex(fill.taker)).slice(0, 42),
    fromToken: TOKENS[from].address,
    toToken: TOKENS[to].address,
    amountIn: columnText(toBook(fill.amountIn, from)),
    amountOut: columnText(measured?.amountOut ?? toBook(fill.amountOut, to)),
    spreadEarned: columnText(measured?.earned ?? toBook(fill.earned, to)),
    protocolFeeEarned: columnText(measured?.fee ?? toBook(fill.fee, to)),
    inTxHash: fill.inTxHash,
    outTxHash: fill.outTxHash,
    source: measured?.source ?? 'waas',
    partnerId: measured?.source === 'app' ? null : PARTNER_ID,
    createdAt: new Date(fill.at).toISOString(),
  }
}

/** Formats a column of the venue's database, always with 18 decimals. */
export function columnText(amount: BookAmount): string {
  return padDecimals(formatAmount(amount), BOOK_DECIMALS)
}

/** Formats an amount read from the chain: the shortest text with at least one decimal. */
export function chainText(amount: TokenAmount, asset: Asset): string {
  const text = formatTokens(amount, asset)
  return text.includes('.') ? text : `${text}.0`
}
