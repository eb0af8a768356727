import type { Result } from '../base/result.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import type { LoadedRfq } from '../config/loaded-rfq.ts'
import type { RfqSettings } from '../rfq/rfq-settings.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import { openSigner } from '../signing/open-signer.ts'
import type { OrderSigner } from '../signing/order-signer.ts'

export type WalletSignerParts = {
  readonly mode: LoadedConfig['core']['mode']
  /** Where the key is. */
  readonly signer: LoadedRfq['signer']
  /** What it may sign for. */
  readonly settings: RfqSettings
  /** Whom orders may name; null = nobody has said yet, and no order is signed. */
  readonly solver: () => Hex | null
  /** Gets lines for people. */
  readonly warn: (line: string) => void
  readonly now: () => number
}

/** Opens the key of the configuration's wallet. The error is one line without key material. */
export function openWalletSigner(parts: WalletSignerParts): Promise<Result<OrderSigner, string>> {
  const { mode, signer, settings, solver, warn, now } = parts
  const { chainId, exchange, tokens, maker } = settings
  return openSigner(signer, {
    terms: { domain: { chainId, exchange }, tokens, solver, now },
    mode,
    maker,
    warn,
  })
}
