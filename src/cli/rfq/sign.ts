import { hashRfqOrder } from '../../custody/signing/order-hash.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { parseAddress, readOrderFile } from '../../custody/signing/order-file.ts'
import { fail, print, type OutputFormat, printWarning } from '../output/print.ts'
import { toOrderSignature } from '../../custody/signing/create-order-signer.ts'
import { readKeystore } from '../../custody/signing/keystore/keystore-file.ts'
import { referenceSignHash } from '../../custody/signing/local/local-signer.ts'

type RfqHashOptions = OutputFormat & {
  readonly order: string
  readonly chainId: number
  readonly exchange: string
}

/** Prints the two hashes of an order: of its struct, and the one that is signed. */
export async function rfqHash(options: RfqHashOptions): Promise<void> {
  const exchange = parseAddress(options.exchange)
  if (!exchange.ok) return fail(options, EXIT_CODE.usage, `--exchange ${exchange.error}`)
  const order = await readOrderFile(options.order)
  if (!order.ok) return fail(options, EXIT_CODE.usage, order.error)
  const hashes = hashRfqOrder(order.value, { chainId: options.chainId, exchange: exchange.value })
  print(options, `struct hash  ${hashes.structHash}\norder hash   ${hashes.orderHash}`, hashes)
}

type RfqSignOptions = RfqHashOptions & { readonly keystore: string; readonly passwordFile: string }

/** Signs an order by hand, only with its maker's key: any other signature would be invalid. */
export async function rfqSign(options: RfqSignOptions): Promise<void> {
  const exchange = parseAddress(options.exchange)
  if (!exchange.ok) return fail(options, EXIT_CODE.usage, `--exchange ${exchange.error}`)
  const order = await readOrderFile(options.order)
  if (!order.ok) return fail(options, EXIT_CODE.usage, order.error)
  const place = { file: options.keystore, passwordFile: options.passwordFile }
  const opened = await readKeystore(place, printWarning)
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
    print(
      options,
      `order hash  ${orderHash}\nsigner      ${address}\nv           ${v}\nr           ${r}\ns           ${s}`,
      signature,
    )
  } finally {
    key.wipe()
  }
}
