import { finding } from './environment.ts'
import { err } from '../../../base/result.ts'
import type { Chain } from '../../../custody/chain/chain.ts'
import { openChain } from '../../../custody/chain/open-chain.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { solverProblem } from '../../../core/engine/orders/on-solver-info.ts'
import { ASSETS, formatTokens } from '../../../base/money/asset.ts'
import type { RfqSettings } from '../../../core/rfq/rfq-settings.ts'
import { chainSettings } from '../../../daemon/runtime/effects/custody.ts'
import {
  inMemoryPolicyStore,
  longLifeWarning,
  openWalletSigner,
  type WalletConfig,
} from '../../../daemon/runtime/effects/wallet-signer.ts'
import { selfCustodyOf } from '../../../daemon/runtime/effects/connect-venue.ts'
import type { VenuePort } from '../../../venue/port.ts'
import type { CheckResult } from '../../../venue/check-result.ts'

/** Checks key, solver, chain, balances and allowances for self-custody. Signs and sends nothing. */
export async function* checkCustody(
  config: LoadedConfig,
  client: Pick<VenuePort, 'selfCustody'>,
): AsyncGenerator<CheckResult, void, undefined> {
  const { core, rfq } = config
  const { rfq: settings } = core
  if (settings === null || rfq === null) return
  yield await signerFinding({ config, rfq, settings })
  yield await solverFinding(client, settings)
  const longLife = longLifeWarning(rfq.limits)
  if (longLife !== null) yield finding('orders', 'warn', longLife)
  const chain = await openChain(chainSettings(config, settings), {
    account: null,
    now: () => Date.now(),
    transactionsFile: null,
  })
  if (!chain.ok) {
    yield finding(
      'chain',
      'fail',
      chain.error,
      'compare rfq with the chain; no order is signed until they agree',
    )
    return
  }
  const detail = `chain ${settings.chainId} answers, exchange and tokens exist with the right decimals`
  yield finding('chain', 'ok', detail)
  try {
    yield* walletFindings(chain.value, settings)
  } finally {
    await chain.value.close()
  }
}

async function signerFinding(wallet: WalletConfig): Promise<CheckResult> {
  const warnings: string[] = []
  const signer = await openWalletSigner({
    ...wallet,
    store: inMemoryPolicyStore(wallet.settings),
    readOrders: () => Promise.resolve(err('check signs nothing')),
    warn: (line) => warnings.push(line),
    now: () => Date.now(),
  })
  if (!signer.ok) return finding('signer', 'fail', signer.error, 'see docs/keys.md')
  const detail = `opens and is the wallet ${signer.value.address}`
  return warnings.length === 0
    ? finding('signer', 'ok', detail)
    : finding('signer', 'warn', detail, warnings.join('; '))
}

async function solverFinding(
  client: Pick<VenuePort, 'selfCustody'>,
  settings: RfqSettings,
): Promise<CheckResult> {
  const selfCustody = selfCustodyOf(client)
  if (!selfCustody.ok) return finding('solver', 'fail', selfCustody.error)
  const info = await selfCustody.value.rfqInfo()
  if (!info.ok) return finding('solver', 'fail', info.error.message)
  const problem = solverProblem(settings, info.value)
  if (problem !== null) return finding('solver', 'fail', problem)
  return finding('solver', 'ok', `orders name ${settings.solver ?? info.value.solverWallet}`)
}

async function* walletFindings(
  chain: Chain,
  settings: RfqSettings,
): AsyncGenerator<CheckResult, void, undefined> {
  const wallet = await chain.wallet()
  if (!wallet.ok) {
    yield finding('wallet', 'fail', wallet.error.message)
    return
  }
  const { balances, allowances } = wallet.value
  for (const asset of ASSETS) {
    if (settings.tokens[asset] === undefined) continue
    const held = balances[asset] ?? 0n
    const allowed = allowances[asset] ?? 0n
    const detail = `${formatTokens(held, asset)} ${asset}, the exchange may take ${formatTokens(allowed, asset)}`
    if (held > 0n && allowed === 0n) {
      yield finding('wallet', 'warn', detail, '`mizani custody enable` approves the amounts in rfq.approve')
    } else yield finding('wallet', 'ok', detail)
  }
}
