import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEndpoints } from '../../chain/open-chain.ts'
import { createEndpointPool } from '../../chain/rpc/endpoint-pool.ts'
import { readWalletNonces } from '../../chain/sealing/read-wallet-nonces.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { ASSETS } from '../../money/asset.ts'
import type { Hex } from '../../rfq/rfq-order.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import type { WalletNonces } from '../../rfq/sealed/plan-seal.ts'
import { parseSealed, SEALED_FILE, type SealedCancels } from '../../rfq/sealed/sealed-cancels.ts'
import { chainSettings } from '../../runtime/effects/custody.ts'
import { isoText, timeText } from '../../text/times.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { NO_SELF_CUSTODY } from './list.ts'

export type RfqSealedOptions = OutputFormat & { readonly config: string; readonly curl?: boolean }

const NONE_KEPT =
  'nothing is sealed: orders live 2 minutes at most, or rfq.maxLifeMs is not set. They end by themselves; `mizani rfq cancel-all` ends them sooner'

/** Shows what is sealed and whether it still fits the wallet, or the lines that send it. Sends nothing. */
export async function rfqSealed(options: RfqSealedOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const { rfq: settings } = config.core
  if (settings === null || config.rfq === null) return fail(options, EXIT_CODE.refused, NO_SELF_CUSTODY)
  const file = join(config.store.path, SEALED_FILE)
  const sealed = readSealed(file)
  if (typeof sealed === 'string')
    return fail(options, EXIT_CODE.failed, config.rfq.seals ? sealed : NONE_KEPT)
  const wallet = await walletNonces(config, settings)
  if (options.curl === true)
    return print(options, curlLines(sealed, wallet).join('\n'), { lines: curlLines(sealed, wallet) })
  const now = Date.now()
  print(
    options,
    sealedLines(sealed, wallet, { settings, now, file }).join('\n'),
    dataOf(sealed, wallet, file),
  )
  if (isVoid(sealed, wallet)) process.exitCode = EXIT_CODE.failed
}

function readSealed(file: string): SealedCancels | string {
  try {
    return parseSealed(readFileSync(file, 'utf8')) ?? `${file} is no file of sealed cancels`
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    return `${file} cannot be read (${code}): no order was signed yet`
  }
}

/** Where the wallet is on the chain, or why that is not known. */
async function walletNonces(config: LoadedConfig, settings: RfqSettings): Promise<WalletNonces | string> {
  const { maker, exchange } = settings
  const endpoints = openEndpoints(chainSettings(config, settings))
  if (!endpoints.ok) return endpoints.error
  const pool = createEndpointPool(endpoints.value, Date.now)
  const seen = await pool.first((endpoint) => readWalletNonces(endpoint, { maker, exchange }))
  await Promise.all(endpoints.value.map((endpoint) => endpoint.close()))
  return seen.ok ? seen.value : seen.error.words
}

function noncesOf({ transactions }: SealedCancels): readonly number[] {
  return [...new Set(transactions.map(({ nonce }) => nonce))]
}

/** Whether the wallet has used every nonce that is sealed; what is not known is not void. */
function isVoid(sealed: SealedCancels, wallet: WalletNonces | string): boolean {
  return typeof wallet !== 'string' && noncesOf(sealed).every((nonce) => nonce < wallet.mined)
}

type Shown = { readonly settings: Pick<RfqSettings, 'tokens'>; readonly now: number; readonly file: string }

/** For people: what it covers, until when that matters, and each nonce. */
export function sealedLines(
  sealed: SealedCancels,
  wallet: WalletNonces | string,
  { settings: { tokens }, now, file }: Shown,
): readonly string[] {
  const nameOf = (token: Hex) => ASSETS.find((asset) => tokens[asset]?.toLowerCase() === token) ?? token
  const pairs = sealed.pairs.map(
    ({ makerToken, takerToken }) => `${nameOf(makerToken)} for ${nameOf(takerToken)}`,
  )
  const useful =
    now > sealed.usefulUntil
      ? `every order that it covers ended by ${timeText(sealed.usefulUntil)}`
      : `the last order that it covers ends by ${timeText(sealed.usefulUntil)}`
  const where = typeof wallet === 'string' ? [`where the wallet is cannot be read: ${wallet}`] : []
  const verdict = isVoid(sealed, wallet)
    ? ['VOID: the wallet has sent other transactions since; a running daemon seals anew within ten seconds']
    : []
  return [
    `${file}, sealed ${timeText(sealed.sealedAt)}`,
    `cancels every order with a salt below ${sealed.minValidSalt} that gives ${pairs.join(', ')}`,
    useful,
    ...noncesOf(sealed).map((nonce) => nonceLine(sealed, nonce, wallet)),
    ...where,
    ...verdict,
  ]
}

function nonceLine({ transactions }: SealedCancels, nonce: number, wallet: WalletNonces | string): string {
  const fees = transactions
    .filter((one) => one.nonce === nonce)
    .map(({ maxFeePerGas }) => String(Number(maxFeePerGas) / 1e9))
  const state =
    typeof wallet === 'string'
      ? ''
      : nonce < wallet.mined
        ? ', void'
        : nonce === wallet.mined
          ? ', the next one of the wallet'
          : `, fits after ${nonce - wallet.mined} more of the wallet`
  return `nonce ${nonce}: at most ${fees.join(', ')} gwei a unit of gas${state}`
}

/** What sends each of them that is not void, from anywhere; $RPC is an endpoint of the chain. */
export function curlLines({ transactions }: SealedCancels, wallet: WalletNonces | string): readonly string[] {
  return transactions
    .filter(({ nonce }) => typeof wallet === 'string' || nonce >= wallet.mined)
    .map(({ raw }) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] })
      return `curl -sS -m 10 "$RPC" -H 'content-type: application/json' -d '${body}'`
    })
}

function dataOf(sealed: SealedCancels, wallet: WalletNonces | string, file: string): object {
  const { minValidSalt, sealedAt, usefulUntil, pairs, transactions } = sealed
  return {
    file,
    isVoid: isVoid(sealed, wallet),
    minValidSalt: minValidSalt.toString(),
    sealedAt: isoText(sealedAt),
    usefulUntil: isoText(usefulUntil),
    pairs,
    nonces: noncesOf(sealed),
    wallet: typeof wallet === 'string' ? null : wallet,
    transactions: transactions.map(({ nonce, level, hash, raw }) => ({ nonce, level, hash, raw })),
  }
}
