import { hashRfqOrder } from '../signing/rfq-typed-data.ts'
import { EXIT_CODE } from './exit-code.ts'
import { parseAddress, readOrderFile } from './read-order-file.ts'
import { fail, say, type Voice } from './say.ts'

export type RfqHashOptions = Voice & {
  readonly order: string
  readonly chainId: number
  readonly exchange: string
}

/** Says the two hashes of an order: of its struct, and the one that is signed. */
export async function rfqHash(options: RfqHashOptions): Promise<void> {
  const exchange = parseAddress(options.exchange)
  if (!exchange.ok) return fail(options, EXIT_CODE.usage, `--exchange ${exchange.error}`)
  const order = await readOrderFile(options.order)
  if (!order.ok) return fail(options, EXIT_CODE.usage, order.error)
  const hashes = hashRfqOrder(order.value, { chainId: options.chainId, exchange: exchange.value })
  say(options, `struct hash  ${hashes.structHash}\norder hash   ${hashes.orderHash}`, hashes)
}
