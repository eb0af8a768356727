import { z } from 'zod'
import { between, checkedAddress, field, flag, money, orNull, perAsset, whole } from './field.ts'
import { CHAIN_OF, rpcUrls } from './chain.ts'
import { type Asset, STABLE_ASSETS, TOKEN_DECIMALS } from '../../../base/money/asset.ts'

const KINDS = ['keystore', 'envKey', 'web3signer'] as const

/** The key's location: exactly one of a keystore with its password, a variable (for tests), a remote signer. */
const signerSection = z
  .strictObject({
    keystore: field.text.optional().describe('A geth V3 file, relative to this file.'),
    password: field.secret
      .optional()
      .describe('The password of the keystore: !file PATH; its first line is read.'),
    envKey: field.secret.optional().describe('32 bytes of hex, for tests: !env NAME.'),
    allowInLive: flag('Lets `envKey` sign in mode live.'),
    web3signer: field.url.optional().describe('A Web3Signer that keeps the key of `maker`.'),
    allowPlainHttp: flag(
      'Allows http:// to another host for web3signer: anybody on the network can send it orders to sign.',
    ),
  })
  .superRefine((signer, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    const given = KINDS.filter((kind) => signer[kind] !== undefined)
    if (given.length !== 1) {
      const found =
        given.length === 0 ? 'no key is named' : `${given.join(' and ')} are two places for one key`
      refuse([], `${found}; one of keystore, envKey and web3signer is needed here`)
    }
    if (signer.keystore !== undefined && signer.password === undefined)
      refuse([], 'the keystore has no password; password: !file PATH is needed here')
    if (signer.keystore === undefined && signer.password !== undefined)
      refuse(['password'], 'a password without a keystore; leave it out, or name the keystore')
    if (signer.password?.kind === 'env')
      refuse(['password'], 'a variable is seen by every child process; use !file PATH')
    if (signer.envKey?.kind === 'file')
      refuse(['envKey'], 'a key must not be stored in a plain-text file; use !env NAME or a keystore')
  })

/** The venue accepts orders of this life; the remainder on arrival counts. */
const VENUE_LIFE_MS = { min: 60_000 }
/** The signer signs no longer life, whatever is configured. */
const SIGNER_LIFE_MS = 900_000
/** With a guard, orders expire soon enough that it need not act on chain. */
export const GUARDED_LIFE_MS = 120_000
/** A generous bound for signing, sending and a queue at the venue. */
const LATENCY_MS = 10_000
const LEAST_MARGIN_MS = 15_000
/** An order must be live for at least this long between refreshes. */
const STANDS_MS = 20_000
const rpcSection = z
  .strictObject({
    urls: rpcUrls,
    allowPlainHttp: flag(
      'Allows http:// to another host for urls: anybody on the network can forge answers of the chain.',
    ),
    quorum: whole(1, 10).default(1).describe('Number of endpoints that must agree on the states of orders.'),
    timeoutMs: whole(100, 60_000)
      .default(5_000)
      .describe('Deadline of a request; then the next endpoint is used.'),
  })
  .refine(({ urls, quorum }) => quorum <= urls.length, {
    path: ['quorum'],
    message: 'more endpoints must agree than are listed; must be at most the number of urls',
  })

const gasSection = z
  .strictObject({
    maxFeeGwei: z
      .number()
      .positive()
      .max(10_000)
      .default(5)
      .describe('Highest gas fee of a transaction; the signer refuses a higher one.'),
    tipGwei: between(0, 10_000).default(0.01).describe('Priority fee of a transaction.'),
    replaceAfterMs: field.intervalMs
      .default(30_000)
      .describe('A transaction that is not in a block by then is replaced with a higher fee.'),
  })
  .refine(({ maxFeeGwei, tipGwei }) => tipGwei <= maxFeeGwei, {
    path: ['tipGwei'],
    message: 'a tip above the whole fee; must be at most maxFeeGwei',
  })

const cancelSection = z.strictObject({
  policy: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe('auto: cancel where a fill is expected to cost more than the gas.'),
  usdPerEth: z.number().positive().max(1_000_000).default(3_000).describe('USD per ETH, to value gas.'),
  pickOffsPerMinute: between(0, 1_000)
    .default(0.5)
    .describe('Expected rate at which mispriced orders are picked off.'),
})

const section = z.strictObject({
  chainId: whole(1, Number.MAX_SAFE_INTEGER).describe('8453 is Base, 56 is BNB.'),
  exchange: checkedAddress
    .prefault('0xdef1c0ded9bec7f1a1670819833240f027b25eff')
    .describe('The exchange proxy that fills orders.'),
  maker: checkedAddress.describe('Our wallet, whose tokens orders commit.'),
  solver: orNull(
    checkedAddress,
    'The address that may fill orders. null = the address that the venue names; if set, the venue must name the same one.',
  ),
  tokens: perAsset(() => checkedAddress).describe('The tokens on this chain: NTZS and at least one dollar.'),
  rpc: rpcSection,
  signer: signerSection,
  expiryMs: field.durationMs
    .default(120_000)
    .describe('Lifetime of an order. A short lifetime is the first defence against being picked off.'),
  maxLifeMs: orNull(
    whole(VENUE_LIFE_MS.min, SIGNER_LIFE_MS),
    'Longest life of any order, and the cap of the signer: after the death of the daemon every order ends within it. Changes by restart only. null = 2 minutes where a guard may watch (guard is not null), otherwise 15 minutes.',
  ),
  refreshMs: field.durationMs.default(45_000).describe('An order with less than this left is replaced.'),
  replaceThresholdBps: field.bps
    .default(5)
    .describe('An order whose price is further than this from its target is replaced.'),
  promiseFactor: field.share
    .positive()
    .default(1)
    .describe('Orders commit at most this share of balance and allowance.'),
  maxOrders: whole(1, 1_000).default(40).describe('Maximum number of open orders.'),
  minOrderUsd: z.number().positive().max(1_000_000).default(1).describe('Smaller orders are not signed.'),
  minEdgeBps: field.bps.default(10).describe('Minimum distance of an order from the mid.'),
  confirmations: whole(0, 10_000).default(12).describe('Number of blocks after which a block is final.'),
  pollMs: field.intervalMs.default(2_000).describe('Interval between two reads of the chain.'),
  maxChainLagMs: field.intervalMs
    .default(30_000)
    .describe('No new order is signed while the newest block is older than this.'),
  maxClockOffsetMs: field.intervalMs
    .max(60_000)
    .default(5_000)
    .describe(
      'No new order is signed while the clocks (ours, the venue, the chain) differ by more than this.',
    ),
  cancel: cancelSection.prefault({}),
  gas: gasSection.prefault({}),
  approve: perAsset((asset) => money(TOKEN_DECIMALS[asset]))
    .default({})
    .describe('Allowance of the exchange after `mizani custody enable`, in tokens; never unlimited.'),
  maxOrderUsd: money(18)
    .prefault('1000')
    .describe('The signer refuses a larger order. Like the limits below it changes by restart only.'),
  maxOutstandingUsd: money(18)
    .prefault('5000')
    .describe('Limit of the unfilled amount of all live signatures.'),
  maxAtRiskUsdPerHour: orNull(
    money(18),
    'Limit of live signatures plus fills of the last hour, which bounds the cost of a wrong price. null: twice maxOutstandingUsd.',
  ),
  maxAtRiskUsdPerDay: orNull(money(18), 'The same for 24 hours. null: five times maxOutstandingUsd.'),
  maxSignaturesPerMinute: whole(1, 600).default(60).describe('Maximum number of orders signed in a minute.'),
})

type Rfq = z.output<typeof section>
type Refuse = (path: readonly string[], message: string) => void

/** Self-custody: the chain, the wallet and the orders. Absent or null = off. */
export const rfqSection = section.superRefine((rfq, context) => {
  const refuse: Refuse = (path, message) => context.addIssue({ code: 'custom', path: [...path], message })
  checkTokens(rfq, refuse)
  checkAddresses(rfq, refuse)
  checkLives(rfq, refuse)
  checkLimits(rfq, refuse)
})

function checkTokens({ tokens, chainId, approve }: Rfq, refuse: Refuse): void {
  if (tokens.NTZS === undefined)
    refuse(['tokens'], 'the shilling is missing; NTZS and at least one dollar are needed here')
  if (!STABLE_ASSETS.some((asset) => tokens[asset] !== undefined))
    refuse(['tokens'], 'no dollar among them; NTZS and at least one dollar are needed here')
  const isKnownChain = Object.values(CHAIN_OF).includes(chainId)
  for (const asset of STABLE_ASSETS) {
    if (tokens[asset] === undefined || !isKnownChain || CHAIN_OF[asset] === chainId) continue
    const here = STABLE_ASSETS.filter((one) => CHAIN_OF[one] === chainId).join(' or ')
    refuse(['tokens', asset], `${asset} is not on chain ${chainId}; expected ${here}`)
  }
  for (const asset of Object.keys(approve) as Asset[]) {
    if (approve[asset] !== undefined && tokens[asset] === undefined)
      refuse(['approve', asset], `tokens does not name ${asset}; approve only listed tokens`)
  }
}

/** The same address in two places is a copying mistake, and money would follow it. */
function checkAddresses({ exchange, maker, solver, tokens }: Rfq, refuse: Refuse): void {
  const seen = new Map<string, string>([[exchange, 'exchange']])
  const rest: [string[], string | null | undefined][] = [
    [['maker'], maker],
    [['solver'], solver],
    ...Object.entries(tokens).map(([asset, of]): [string[], string | undefined] => [['tokens', asset], of]),
  ]
  for (const [path, address] of rest) {
    if (address === null || address === undefined) continue
    const other = seen.get(address)
    if (other !== undefined) refuse(path, `the same address as ${other}; each needs its own address`)
    seen.set(address, path.join('.'))
  }
}

function checkLives({ expiryMs, maxLifeMs, refreshMs, maxClockOffsetMs }: Rfq, refuse: Refuse): void {
  const margin = Math.max(LEAST_MARGIN_MS, maxClockOffsetMs + LATENCY_MS)
  const [min, max] = [VENUE_LIFE_MS.min + margin, maxLifeMs ?? SIGNER_LIFE_MS]
  if (max < min) {
    const why = 'the venue takes orders of 60 s and more, and clock offset and latency come on top'
    return refuse(['maxLifeMs'], `${why}; must be from ${min} to ${SIGNER_LIFE_MS}`)
  }
  if (expiryMs < min || expiryMs > max) {
    const longest = maxLifeMs === null ? 'the signer signs for 15 minutes' : `rfq.maxLifeMs is ${maxLifeMs}`
    const why = `the venue takes 60 s and more, clock offset and latency on top, and ${longest} at most`
    return refuse(['expiryMs'], `${why}; must be from ${min} to ${max}`)
  }
  if (refreshMs > expiryMs - STANDS_MS) {
    const limit = expiryMs - STANDS_MS
    refuse(['refreshMs'], `an order would be replaced as soon as it is live; must be at most ${limit}`)
  }
}

/** The longest life of any order: without an explicit null, a guard may watch. */
export function longestLifeMs({ maxLifeMs }: Pick<Rfq, 'maxLifeMs'>, hasGuard: boolean): number {
  return maxLifeMs ?? (hasGuard ? GUARDED_LIFE_MS : SIGNER_LIFE_MS)
}

/** Each limit must contain the previous one, or it would never bind. */
function checkLimits(rfq: Rfq, refuse: Refuse): void {
  const { minOrderUsd, maxOutstandingUsd } = rfq
  const given = [
    ['minOrderUsd', BigInt(Math.round(minOrderUsd * 1e6)) * 10n ** 12n],
    ['maxOrderUsd', rfq.maxOrderUsd],
    ['maxOutstandingUsd', maxOutstandingUsd],
    ['maxAtRiskUsdPerHour', rfq.maxAtRiskUsdPerHour ?? 2n * maxOutstandingUsd],
    ['maxAtRiskUsdPerDay', rfq.maxAtRiskUsdPerDay ?? 5n * maxOutstandingUsd],
  ] as const
  for (let index = 1; index < given.length; index++) {
    const [smaller, largerOne] = [given[index - 1], given[index]]
    if (smaller === undefined || largerOne === undefined || smaller[1] <= largerOne[1]) continue
    refuse([largerOne[0]], `below rfq.${smaller[0]}; must be at least that`)
  }
}
