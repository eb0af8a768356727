import { decodeJson } from '../../../src/base/codec.ts'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainSettings } from '../../../src/custody/chain/chain.ts'
import { openChain } from '../../../src/custody/chain/open-chain.ts'
import type { Hex, OrderCancel } from '../../../src/core/rfq/rfq-order.ts'

/** What the process is notified on its command line. */
export type ChainCancelChild = {
  readonly settings: ChainSettings
  readonly key: Hex
  readonly cancel: OrderCancel
  readonly transactionsFile: string
}

const { settings, key, cancel, transactionsFile } = decodeJson(process.argv[2] ?? '') as ChainCancelChild
const account = privateKeyToAccount(key)
const chain = await openChain(settings, { account, now: Date.now, transactionsFile })
if (!chain.ok) throw new Error(chain.error)
console.log(JSON.stringify(await chain.value.cancel(cancel)))
await chain.value.close()
