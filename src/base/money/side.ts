/**
 * A side of our quote. `ask`: a taker pays dollars and we sell shillings at S(1 - ask). `bid`: a taker pays shillings
 * and we buy them for dollars at S(1 + bid). Source: the venue contract.
 */
export type Side = 'bid' | 'ask'

export const SIDES = ['bid', 'ask'] as const satisfies readonly Side[]

/** What the venue names of the taker of a fill; null = it names none. */
export type TakerTags = {
  /** Its address, in lower case. */
  readonly wallet: string | null
  /** The venue's channel, such as `app`, `ramp` or `waas`. */
  readonly source: string | null
  /** The id of the partner that brought the taker. */
  readonly partner: string | null
}
