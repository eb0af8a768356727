import { setTimeout as pause } from 'node:timers/promises'
import type { Ms } from '../../../../base/time.ts'
import { openTokenFinder, type TokenFinder } from '../../../../custody/chain/token-finder.ts'
import { formatDecimalText } from '../../../../base/money/decimal-text.ts'
import { subscriber } from '../named-resource.ts'
import type { PartnerClient } from '../../../../treasury/api/client.ts'
import type { EndpointName } from '../../../../treasury/api/endpoints.ts'
import type { PartnerOutcome } from '../../../../treasury/api/outcome.ts'
import type { RampSettlement } from '../../../../treasury/api/ramp/settlement.ts'
import { UNITS_PER_SHILLING } from '../../../../treasury/api/kit/read-answer.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'

type Params = Readonly<Record<string, unknown>>
type Hex = `0x${string}`

/** State that a payment would change, read before its first byte was sent. Null = not read, or unreadable. */
type Traces = {
  readonly settlements: readonly RampSettlement[] | null
  readonly balances: Readonly<Record<string, string>> | null
  readonly transfer: { readonly from: Hex; readonly to: Hex; readonly block: bigint } | null
}

export type Looked = {
  /** The matching payment: the answer named it, or it is the only new one; null = none, or more than one. */
  readonly found: { readonly status: string; readonly value: unknown } | null
  /** Result of each finder, a sentence each. */
  readonly lines: readonly string[]
}

type Search = {
  /** Reads the state before the payment is sent. */
  readonly before: () => Promise<void>
  /** Searches for a payment whose answer is inconclusive, and follows the match. Sends nothing. */
  readonly after: (outcome: PartnerOutcome<unknown>) => Promise<Looked>
  readonly close: () => Promise<void>
}

/** Times of the searches after a lost answer; a match is read at the same times until it has ended. */
export const LOOKS_MS: readonly Ms[] = [0, 2_000, 5_000, 10_000]

const READ_BY = {
  createDeposit: 'readDeposit',
  createWithdrawal: 'readWithdrawal',
  createSpend: 'readSpend',
  offramp: 'readSettlement',
  onramp: 'readSettlement',
} as const satisfies Partial<Record<EndpointName, keyof PartnerClient>>

/** The finders of one payment: the resource that an answer names, the ramp's list, balances, the chain's log. */
export function searchFor(
  client: PartnerClient,
  { config }: { readonly config: LoadedConfig | null },
  name: EndpointName,
  params: Params,
  looksMs: readonly Ms[],
): Search {
  const chain = name === 'createTransfer' ? finderOf(config) : null
  let traces: Traces = { settlements: null, balances: null, transfer: null }

  async function look(id: string | undefined): Promise<Looked> {
    const named = id === undefined ? null : await readNamed(client, name, id, params)
    if (named !== null && named.found !== null) return named
    const listed = isRamp(name) ? await findInList(client, traces.settlements, params) : null
    if (listed !== null && listed.found !== null) return listed
    const onChain = chain === null ? null : await findOnChain(chain, traces, params)
    return {
      found: onChain?.found ?? null,
      lines: [named, listed, onChain].flatMap((one) => one?.lines ?? []),
    }
  }

  return {
    async before() {
      traces = {
        settlements: isRamp(name) ? await settlementsOf(client) : null,
        balances: await balancesOf(client, name, params),
        transfer: chain === null ? null : await transferOf(client, chain, params),
      }
    },
    async after(outcome) {
      const id = outcome.kind === 'unknown' ? outcome.id : undefined
      let looked: Looked = { found: null, lines: [] }
      for (const [index, at] of looksMs.entries()) {
        await pause(at - (looksMs[index - 1] ?? 0))
        looked = await look(id)
        if (looked.found !== null && ENDS.test(looked.found.status)) break
      }
      const now = await balancesOf(client, name, params)
      return { ...looked, lines: [...looked.lines, ...balanceLines(traces.balances, now)] }
    },
    close: async () => chain?.close(),
  }
}

const ENDS = /^(completed|paid|failed|reverted)$/

function isRamp(name: EndpointName): boolean {
  return name === 'offramp' || name === 'onramp'
}

function finderOf(config: LoadedConfig | null): TokenFinder | null {
  if (config?.chain == null) return null
  const { chain } = config
  const finder = openTokenFinder({ ...chain, urls: chain.urls.map((url) => () => url.reveal()) }, Date.now)
  return finder.ok ? finder.value : null
}

async function readNamed(
  client: PartnerClient,
  name: EndpointName,
  id: string,
  params: Params,
): Promise<Looked> {
  if (!Object.hasOwn(READ_BY, name)) return nothing(`the answer names ${id}, which no route reads`)
  const reader = client[READ_BY[name as keyof typeof READ_BY]] as (of: {
    readonly id: string
  }) => Promise<PartnerOutcome<Params>>
  const read = await reader({ id })
  if (read.kind !== 'answered')
    return nothing(`the answer names ${id}, which could not be read: ${read.words}`)
  const not = whyAnother(params, read.value)
  if (not !== null) return nothing(`the answer names ${id}, and ${not}`)
  return found(`the answer names ${id}`, read.value)
}

/** Finds a new settlement of the ramp with our phone or address, unless another one matches too. */
async function findInList(
  client: PartnerClient,
  before: Traces['settlements'],
  params: Params,
): Promise<Looked> {
  const now = await settlementsOf(client)
  if (before === null || now === null)
    return nothing('GET /ramp/settlements could not be read before and after')
  const known = new Set(before.map(({ settlementId }) => settlementId))
  const fresh = now.filter((one) => !known.has(one.settlementId))
  const [one, ...more] = fresh.filter((row) => statesOurs(params, row))
  if (one === undefined || more.length > 0)
    return nothing(
      `GET /ramp/settlements lists ${fresh.length} new since it was sent, of which ${one === undefined ? 'none fits' : `${1 + more.length} fit`}; that proves nothing`,
    )
  const read = await client.readSettlement({ id: one.settlementId })
  return found(
    `GET /ramp/settlements lists one that fits and is new: ${one.settlementId}`,
    read.kind === 'answered' ? read.value : one,
  )
}

function statesOurs(params: Params, row: Params): boolean {
  const isStated = row['phoneNumber'] !== null || row['destinationAddress'] !== null
  return isStated && whyAnother(params, row) === null
}

/** Fields that an answer repeats from its request. */
const SAME = ['amount', 'toAddress', 'accountNumber', 'destinationAddress', 'userId', 'payerUserId'] as const
const AMOUNTS = ['amountTzs', 'receiveAmountTzs', 'principalTzs'] as const

/** Returns why an answer leaves the outcome of our payment open; null = it states our payment with a status of the contract. */
export function whyUnclear(params: Params, resource: Params): string | null {
  const status = [resource['status'], resource['payoutStatus']].find(
    (one): one is string => typeof one === 'string' && one.startsWith('other('),
  )
  return whyAnother(params, resource) ?? (status === undefined ? null : `its status is ${status}`)
}

/** Returns why a resource is not ours, by all fields that both have; null = no contradiction. */
function whyAnother(params: Params, resource: Params): string | null {
  const { amountTzs, phoneNumber } = params
  const amount = AMOUNTS.map((field) => resource[field]).find(
    (value) => value != null && typeof value !== 'string',
  )
  const pairs = [
    [amountTzs, amount],
    [subscriberOf(phoneNumber), subscriberOf(resource['phoneNumber'])],
    ...SAME.map((field) => [params[field], resource[field]]),
  ]
  const other = pairs.find(([ours, theirs]) => ours != null && theirs != null && !isSame(ours, theirs))
  return other === undefined ? null : `it has ${String(other[1])} where ours has ${String(other[0])}`
}

function isSame(ours: unknown, theirs: unknown): boolean {
  return String(ours).toLowerCase() === String(theirs).toLowerCase()
}

function subscriberOf(value: unknown): string | null {
  return typeof value === 'string' ? subscriber(value) : null
}

async function settlementsOf(client: PartnerClient): Promise<Traces['settlements']> {
  const list = await client.listSettlements({})
  return list.kind === 'answered' ? list.value.settlements : null
}

async function transferOf(
  client: PartnerClient,
  chain: TokenFinder,
  { fromUserId, toUserId, toAddress }: Params,
): Promise<Traces['transfer']> {
  const from = await walletOf(client, fromUserId)
  const to = typeof toAddress === 'string' ? toAddress : await walletOf(client, toUserId)
  const height = await chain.height()
  if (from === null || to === null || !height.ok) return null
  return { from: from as Hex, to: to as Hex, block: height.value }
}

async function walletOf(client: PartnerClient, id: unknown): Promise<string | null> {
  const user = typeof id === 'string' ? await client.readUser({ id }) : null
  return user?.kind === 'answered' ? user.value.walletAddress : null
}

/** Searches for a transfer of exactly the amount. A fee of the partner changes the amount, so that transfer is not found here. */
async function findOnChain(chain: TokenFinder, { transfer }: Traces, params: Params): Promise<Looked> {
  if (transfer === null) return nothing('the chain could not be read before it was sent')
  const { amountTzs, amount } = params
  const units = typeof amount === 'bigint' ? amount : (amountTzs as bigint) * UNITS_PER_SHILLING
  const { block: sinceBlock, from, to } = transfer
  const asset = typeof amount === 'bigint' ? 'USDC' : 'NTZS'
  const seen = await chain.transfers({ asset, from, to, least: units, most: units, sinceBlock })
  if (!seen.ok) return nothing(`the chain could not be read: ${seen.error.words}`)
  const [one, ...more] = seen.value
  if (one === undefined || more.length > 0)
    return nothing(
      `the chain has ${seen.value.length} transfers of exactly this amount since; that proves nothing`,
    )
  return found('the chain has one transfer of exactly this amount since', {
    status: 'completed',
    txHash: one.hash,
  })
}

const USER_OF: Readonly<Partial<Record<EndpointName, string>>> = {
  createTransfer: 'fromUserId',
  payMerchant: 'payerUserId',
}

/** Returns the paying balances by token; null = unknown, or unreadable. */
async function balancesOf(
  client: PartnerClient,
  name: EndpointName,
  params: Params,
): Promise<Traces['balances']> {
  if (isRamp(name)) {
    const float = await client.rampBalance({})
    return float.kind === 'answered'
      ? { 'USDC of the float': formatDecimalText(float.value.usdcBalance, 6) }
      : null
  }
  const id = params[USER_OF[name] ?? 'userId']
  const user = typeof id === 'string' ? await client.readUser({ id }) : null
  if (user?.kind !== 'answered') return null
  const { balanceTzs, balanceUsdc } = user.value
  return {
    ...(balanceTzs !== null && { TZS: balanceTzs.toString() }),
    ...(balanceUsdc !== null && { USDC: formatDecimalText(balanceUsdc, 6) }),
  }
}

function balanceLines(before: Traces['balances'], now: Traces['balances']): readonly string[] {
  if (before === null || now === null) return []
  return Object.entries(before).map(
    ([token, held]) => `balance in ${token}: ${held} before it was sent, ${now[token] ?? 'not stated'} now`,
  )
}

function nothing(line: string): Looked {
  return { found: null, lines: [line] }
}

function found(line: string, value: Params): Looked {
  return { found: { status: statusOf(value), value }, lines: [line] }
}

/** A payout has a status for its burn and one for its payment; the second decides once it is final. */
export function statusOf({ status, payoutStatus }: Params): string {
  const paid = typeof payoutStatus === 'string' && payoutStatus !== 'pending' ? payoutStatus : status
  return typeof paid === 'string' ? paid : 'not stated'
}
