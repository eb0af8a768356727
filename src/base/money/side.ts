/**
 * A side of our quote. `ask`: a taker brings dollars and we SELL shillings at S(1 - ask). `bid`: a taker
 * brings shillings and we BUY shillings, selling dollars, at S(1 + bid). Source: the venue contract.
 */
export type Side = 'bid' | 'ask'

export const SIDES = ['bid', 'ask'] as const satisfies readonly Side[]
