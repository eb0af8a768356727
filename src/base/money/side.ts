/**
 * A side of our quote. `ask`: a taker pays dollars and we sell shillings at S(1 - ask). `bid`: a taker pays shillings
 * and we buy them for dollars at S(1 + bid). Source: the venue contract.
 */
export type Side = 'bid' | 'ask'

export const SIDES = ['bid', 'ask'] as const satisfies readonly Side[]
