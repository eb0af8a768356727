import { readFileSync } from 'node:fs'
import { encodeFunctionData, parseAbi, type LocalAccount } from 'viem'
import { err, ok, type Result } from '../../base/result.ts'
import { SECOND_MS, type Ms } from '../../base/time.ts'
import { leastSaltAt, timeOfSalt } from '../../rfq/build-order.ts'
import { EXCHANGE_ABI } from '../../rfq/exchange-abi.ts'
import { planSeal, SALTS_AHEAD_MS, sealFees, type SealPlan } from '../../rfq/sealed/plan-seal.ts'
import type { SealTerms, WalletNonces } from '../../rfq/sealed/plan-seal.ts'
import { encodeSealed, parseSealed, sealedGas, sealedPairs } from '../../rfq/sealed/sealed-cancels.ts'
import type { SealedCancels, SealedTransaction } from '../../rfq/sealed/sealed-cancels.ts'
import type { ChainSettings } from '../chain.ts'
import type { EndpointPool } from '../rpc/endpoint-pool.ts'
import { signVersion } from '../transactions/broadcast.ts'
import { weiOf } from '../transactions/prepare-transaction.ts'
import { keepFile } from '../keep-file.ts'
import { readWalletNonces } from './read-wallet-nonces.ts'

/** Keeps cancellations of every order signed and on disk, for whoever is there when this process is not. It sends none. */
export type Sealer = {
  /** Resolves once orders up to this salt are covered on disk: null, or why they are not. */
  readonly cover: (salt: bigint) => Promise<string | null>
  /** A transaction of the wallet is about to leave: what makes up for it is sealed before. */
  readonly beforeSend: (nonce: number) => Promise<void>
  readonly close: () => Promise<void>
}

export type SealingParts = {
  /** The file of the last seal. */
  readonly file: string
  /** The longest life of an order that it covers. */
  readonly maxLifeMs: Ms
  /** Hears of a seal that could not be renewed in the background, in a sentence. */
  readonly onTrouble: (words: string) => void
}

export type SealerParts = SealingParts & {
  readonly account: LocalAccount
  readonly settings: ChainSettings
  readonly pool: Pick<EndpointPool, 'first'>
  /** The nonces that our own transactions have. */
  readonly ownNonces: () => readonly number[]
  readonly now: () => Ms
}

/** How often the wallet is looked at: another program's transaction makes a seal void as well as ours. */
const LOOK_MS: Ms = 10 * SECOND_MS
const ABI = parseAbi(EXCHANGE_ABI)

export function createSealer(parts: SealerParts): Sealer {
  const { onTrouble } = parts
  const keeper = createKeeper(parts)
  /** The highest salt that had to be covered; null = no order was to be signed yet. */
  let covered: bigint | null = null
  let queue: Promise<unknown> = Promise.resolve()
  let isRenewing = false

  /** One after another: each seal goes on from the last. */
  function enqueue(work: () => Promise<string | null>): Promise<string | null> {
    const mine = queue.then(work)
    queue = mine
    return mine
  }

  async function renew(salt: bigint): Promise<void> {
    if (isRenewing) return
    isRenewing = true
    const failed = await enqueue(() => keeper.lookAndSeal(salt))
    if (failed !== null) onTrouble(failed)
    isRenewing = false
  }

  const timer = setInterval(() => {
    if (covered !== null) void renew(covered)
  }, LOOK_MS)
  timer.unref()

  return {
    async cover(salt) {
      if (covered === null || salt > covered) covered = salt
      const minimum = keeper.sound()
      if (minimum === null || minimum <= salt) return enqueue(() => keeper.lookAndSeal(salt))
      // Renewed before an order has to wait for it.
      const soon = salt + leastSaltAt(SALTS_AHEAD_MS / 2)
      if (minimum <= soon) void renew(soon)
      return null
    },
    async beforeSend(nonce) {
      if (covered === null) return
      const salt = covered
      const failed = await enqueue(() => keeper.sealBefore(nonce, salt))
      if (failed !== null) onTrouble(failed)
    },
    async close() {
      clearInterval(timer)
      await queue
    },
  }
}

/** The last seal and where the wallet is. Each function resolves to null, or to why there is no new seal. */
type Keeper = {
  /** The lowest salt that the seal leaves valid; null where nothing is sealed, or the last attempt failed. */
  readonly sound: () => bigint | null
  /** Seals orders up to this salt. Without an answer of the chain the nonces are the last ones, where there were any. */
  readonly lookAndSeal: (salt: bigint) => Promise<string | null>
  /** The same without asking the chain: a transaction of ours takes this nonce. */
  readonly sealBefore: (nonce: number, salt: bigint) => Promise<string | null>
}

function createKeeper(parts: SealerParts): Keeper {
  const { settings, pool, now } = parts
  const terms: SealTerms = {
    pairs: sealedPairs(settings.tokens),
    fees: sealFees(weiOf(settings.maxFeeGwei), weiOf(settings.tipGwei)),
  }
  let sealed = lastSeal(parts)
  let nonces: WalletNonces | null = null
  let problem: string | null = null

  async function seal(wallet: WalletNonces, salt: bigint): Promise<string | null> {
    const plan = planSeal(sealed, wallet, salt, now(), terms)
    const next = plan === null ? ok(sealed) : await signAndKeep(plan, terms, parts)
    if (next.ok) sealed = next.value
    problem = next.ok ? null : next.error
    return problem
  }

  return {
    sound: () => (nonces === null || problem !== null ? null : (sealed?.minValidSalt ?? null)),
    async lookAndSeal(salt) {
      const seen = await pool.first((endpoint) => readWalletNonces(endpoint, settings))
      if (seen.ok) {
        const { mined, next } = seen.value
        nonces = { mined, next: Math.max(next, ...parts.ownNonces().map((nonce) => nonce + 1)) }
      } else if (nonces === null) return seen.error.words
      return seal(nonces, salt)
    },
    sealBefore(nonce, salt) {
      const { mined = nonce, next = nonce } = nonces ?? {}
      nonces = { mined, next: Math.max(next, nonce + 1) }
      return seal(nonces, salt)
    },
  }
}

async function signAndKeep(
  plan: SealPlan,
  terms: SealTerms,
  parts: SealerParts,
): Promise<Result<SealedCancels, string>> {
  const signed = await signAll(plan, terms, parts)
  if (!signed.ok) return signed
  const next = sealOf(plan, signed.value, terms, parts)
  const written = await keepFile(parts.file, encodeSealed(next))
  return written.ok ? ok(next) : written
}

async function signAll(
  { unsigned, minValidSalt }: SealPlan,
  { pairs }: SealTerms,
  { account, settings, now }: SealerParts,
): Promise<Result<readonly SealedTransaction[], string>> {
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'batchCancelPairRfqOrders',
    args: [
      pairs.map(({ makerToken }) => makerToken),
      pairs.map(({ takerToken }) => takerToken),
      pairs.map(() => minValidSalt),
    ],
  })
  const signed: SealedTransaction[] = []
  for (const { nonce, level, ...fees } of unsigned) {
    const call = { nonce, to: settings.exchange, data, gas: sealedGas(pairs.length) }
    const version = await signVersion(call, fees, { account, settings, now })
    if (!version.ok) return err(version.error.words)
    signed.push({ nonce, level, ...fees, hash: version.value.hash, raw: version.value.raw })
  }
  return ok(signed)
}

function sealOf(
  { kept, minValidSalt }: SealPlan,
  signed: readonly SealedTransaction[],
  { pairs }: SealTerms,
  { settings: { chainId, exchange, maker }, maxLifeMs, now }: SealerParts,
): SealedCancels {
  return {
    chainId,
    exchange,
    maker,
    pairs,
    minValidSalt,
    sealedAt: now(),
    usefulUntil: timeOfSalt(minValidSalt) + maxLifeMs,
    transactions: [...kept, ...signed].toSorted((a, b) => a.nonce - b.nonce || a.level - b.level),
  }
}

/** The last seal on disk, if it is this wallet's: its salt is a minimum that may be on the chain by now. */
function lastSeal({ file, settings }: SealerParts): SealedCancels | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // There is none yet; one that cannot be read is replaced.
    return null
  }
  const last = parseSealed(text)
  const { chainId, exchange, maker } = settings
  const isOurs = last?.chainId === chainId && last.exchange === exchange && last.maker === maker
  return isOurs ? last : null
}
