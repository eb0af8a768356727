import type { Fill } from '../../../../../src/core/ledger/fills/fill.ts'

/** Ten dollars for shillings at 2,500 with 60 bps of spread, as the venue reports them. */
export function makeFill(id: string, rest: Partial<Fill> = {}): Fill {
  return {
    id,
    side: 'ask',
    inAsset: 'USDC',
    amountIn: 10n * 10n ** 18n,
    outAsset: 'NTZS',
    amountOut: 24_850n * 10n ** 18n,
    fee: 25n * 10n ** 18n,
    earnedText: '150.00',
    txHash: `0x${id}`,
    createdAt: null,
    raw: '{}',
    ...rest,
  }
}
