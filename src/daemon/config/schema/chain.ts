import { z } from 'zod'
import { isUrl } from '../../../base/http/api-address.ts'
import { ASSETS, STABLE_ASSETS, type StableAsset } from '../../../base/money/asset.ts'
import { checkedAddress, field, fieldReading, flag, perAsset, whole } from './field.ts'
import { SecretReference } from '../source/secret.ts'

/** The known chain of each dollar; on other chains (for tests) any dollar is allowed. */
export const CHAIN_OF: Readonly<Record<StableAsset, number>> = { USDC: 8_453, USDT: 8_453, 'USDT.bnb': 56 }

const RPC_URL = /^https?:\/\/[^\s@]+$/
const NO_URL =
  'not an RPC address; expected http(s)://host/path, or !env NAME or !file PATH where it holds a key'
const rpcUrl = z
  .union([z.string().regex(RPC_URL, NO_URL).refine(isUrl, NO_URL), z.instanceof(SecretReference)], {
    error: NO_URL,
  })
  .meta({ type: 'string' })
  .register(fieldReading, { as: 'possible secret' })

export const rpcUrls = z
  .array(rpcUrl)
  .min(1)
  .max(10)
  .describe(
    'JSON-RPC endpoints; the first that answers is used. Use `!env` or `!file` if the URL contains a key.',
  )

/** Pooled capital: the chain on which transfers out of the account's wallet are watched. Absent or null = not watched. */
export const chainSection = z
  .strictObject({
    chainId: whole(1, Number.MAX_SAFE_INTEGER).describe('8453 is Base, 56 is BNB.'),
    wallet: checkedAddress.describe('The wallet of the account, as the dashboard of the venue shows it.'),
    pools: z
      .array(checkedAddress)
      .min(1)
      .max(20)
      .describe(
        'The addresses that an activation sends tokens to. A transfer to any other address raises an alert unless it is a withdrawal of this daemon.',
      ),
    tokens: perAsset(() => checkedAddress).describe('The tokens on this chain whose transfers are watched.'),
    urls: rpcUrls,
    allowPlainHttp: flag('Allows http:// to another host for urls: anybody on the network can hide a theft.'),
    timeoutMs: whole(100, 60_000)
      .default(5_000)
      .describe('Deadline of a request; then the next endpoint is used.'),
    pollMs: field.intervalMs.min(500).default(4_000).describe('Interval between two reads of the chain.'),
  })
  .superRefine(({ wallet, pools, tokens, chainId }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    pools.forEach((pool, index) => {
      if (pool === wallet) refuse(['pools', index], 'the same address as wallet; use the address of the pool')
      else if (pools.indexOf(pool) !== index)
        refuse(['pools', index], 'the same address twice; leave one out')
    })
    const named = ASSETS.filter((asset) => tokens[asset] !== undefined)
    if (named.length === 0)
      refuse(['tokens'], 'no token is named; those that the wallet holds are needed here')
    for (const asset of named) {
      const address = tokens[asset]
      const twin = named.find((other) => other !== asset && tokens[other] === address)
      if (address === wallet || twin !== undefined)
        refuse(['tokens', asset], `the same address as ${twin ?? 'wallet'}; each needs its own address`)
    }
    const isKnownChain = Object.values(CHAIN_OF).includes(chainId)
    for (const asset of STABLE_ASSETS) {
      if (tokens[asset] === undefined || !isKnownChain || CHAIN_OF[asset] === chainId) continue
      const here = STABLE_ASSETS.filter((one) => CHAIN_OF[one] === chainId).join(' or ')
      refuse(['tokens', asset], `${asset} is not on chain ${chainId}; expected ${here}`)
    }
  })
