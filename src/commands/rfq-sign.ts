import { toOrderSignature } from '../signing/order-signature.ts'
import { readKeystore } from '../signing/read-keystore.ts'
import { hashRfqOrder } from '../signing/rfq-typed-data.ts'
import { referenceSignHash } from '../signing/sign-hash.ts'
import { EXIT_CODE } from './exit-code.ts'
import { parseAddress, readOrderFile } from './read-order-file.ts'
import type { RfqHashOptions } from './rfq-hash.ts'
import { fail, say } from './say.ts'
import { warnOnStderr } from './warn-on-stderr.ts'

export type RfqSignOptions = RfqHashOptions & { readonly keystore: string; readonly passwordFile: string }

/** Signs an order by hand. Only with the key of its maker: no other signature is good for anything. */
export async function rfqSign(options: RfqSignOptions): Promise<void> {
  const exchange = parseAddress(options.exchange)
  if (!exchange.ok) return fail(options, EXIT_CODE.usage, `--exchange ${exchange.error}`)
  const order = await readOrderFile(options.order)
  if (!order.ok) return fail(options, EXIT_CODE.usage, order.error)
  const place = { file: options.keystore, passwordFile: options.passwordFile }
  const opened = await readKeystore(place, warnOnStderr)
  if (!opened.ok) return fail(options, EXIT_CODE.usage, opened.error)
  const { key, address } = opened.value
  try {
    if (order.value.maker !== address) {
      const message = `the order's maker is ${order.value.maker}, but ${options.keystore} is the key of ${address}; nothing was signed`
      return fail(options, EXIT_CODE.refused, message)
    }
    const { orderHash } = hashRfqOrder(order.value, { chainId: options.chainId, exchange: exchange.value })
    const signature = toOrderSignature(referenceSignHash(key)(Buffer.from(orderHash.slice(2), 'hex')))
    const { v, r, s } = signature
    say(
      options,
      `order hash  ${orderHash}\nsigner      ${address}\nv           ${v}\nr           ${r}\ns           ${s}`,
      signature,
    )
  } finally {
    key.wipe()
  }
}
