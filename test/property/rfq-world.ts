import { encodeJson } from '../../src/base/codec.ts'
import type { Audit } from '../../src/core/engine/engine.ts'
import type { CoreConfig } from '../../src/core/engine/model/config.ts'
import type { Event } from '../../src/core/engine/model/event.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import { identityResidual } from '../../src/core/ledger/book/pnl.ts'
import { ASSETS, bookAmounts, zeroAmounts, type Asset, type BookAmount } from '../../src/base/money/asset.ts'
import type { PacingSettings } from '../../src/core/pacing/state.ts'
import { outstandingAmount, type OpenOrder } from '../../src/core/rfq/open-order.ts'
import type { RfqOrder } from '../../src/core/rfq/rfq-order.ts'
import type { RfqSettings } from '../../src/core/rfq/rfq-settings.ts'
import { coreConfig } from '../support/core-config.ts'
import { failureOf } from '../support/failure-of.ts'
import { orderHarness, rfqSettings, type OrderHarness, type Placing } from '../support/order-harness.ts'
import { violated } from '../world/step.ts'

export const CONFIRMATIONS = 3
const FACTOR = 0.9
export const TOKENS = ['NTZS', 'USDC', 'USDT'] as const
const WITHDRAW = {
  enabled: true,
  destinations: ['0xd'],
  maxPerDay: { NTZS: 10n ** 30n, USDC: 10n ** 15n, USDT: 10n ** 15n },
} as const

/** `lost`: no one ever learns of it again; it may have left the process or not. */
export type Fate =
  | 'placed'
  | 'refused'
  | 'unknown'
  | 'void'
  | 'unsure-signer'
  | 'lost-outside'
  | 'lost-inside'

export const RFQ = rfqSettings({ promiseFactor: FACTOR, confirmations: CONFIRMATIONS })
export const CONFIG = coreConfig({ rfq: RFQ, withdraw: WITHDRAW })

export type World = OrderHarness & {
  fate: Fate
  readonly config: CoreConfig
  readonly rfq: RfqSettings
  /** So many times slower than a chain with a block every two seconds, and the polls with it. */
  readonly pace: number
  /** Own withdrawals that the chain does not have yet, as submitted. */
  readonly withdrawals: Set<string>
  readonly audits: string[]
  /** Someone had the books explained while no one read the chain: what is found there later comes on top. */
  explainedBlind: boolean
}

export type WorldSettings = {
  readonly pace?: number
  /** Keeps what every event brought about, to compare a replay with it. */
  readonly keepsAudits?: boolean
  /** For those who want to see that it is found: what the core does wrong. */
  readonly bug?: CustodyBug
}

/** A bug in the place of the product's own ones. */
export type CustodyBug = {
  readonly audit?: (audit: Audit, state: EngineState) => Audit
  /** What the core works on where the journal has the event as it was. */
  readonly unjournalled?: (event: Event) => Event
  /** The settings that the core has, where the world holds it to its own. */
  readonly rfq?: (settings: RfqSettings) => RfqSettings
}

/** The settings of a chain that is so many times slower. */
function pacedRfq(pace: number): RfqSettings {
  const { expiryMs, refreshMs, pollMs, maxChainLagMs } = RFQ
  return {
    ...RFQ,
    expiryMs: pace * expiryMs,
    refreshMs: pace * refreshMs,
    pollMs: pace * pollMs,
    maxChainLagMs: pace * maxChainLagMs,
  }
}

const INTERVALS = [
  'fillsIntervalMs',
  'rateIntervalMs',
  'balancesIntervalMs',
  'accountIntervalMs',
  'quoteCheckIntervalMs',
] as const

/** The whole configuration where the chain is so many times slower, with every poll. */
function pacedConfig(pace: number): CoreConfig {
  const pacing: { -readonly [K in keyof PacingSettings]: PacingSettings[K] } = { ...CONFIG.pacing }
  for (const name of INTERVALS) pacing[name] *= pace
  pacing.publicRequestsPerMinute = Math.floor(pacing.publicRequestsPerMinute / pace)
  return { ...CONFIG, rfq: pacedRfq(pace), pacing }
}

/** The core in self-custody, up and quoting; every signature is checked against the chain's truth. */
export function createWorld({ pace = 1, keepsAudits = true, bug = {} }: WorldSettings = {}): World {
  const paced = pacedConfig(pace)
  const rfq = bug.rfq?.(pacedRfq(pace)) ?? pacedRfq(pace)
  const config = { ...paced, rfq }
  const base = orderHarness({
    rfq,
    config: { withdraw: WITHDRAW, pacing: paced.pacing },
    wishes: [],
    blockMs: 2_000 * pace,
  })
  const world: World = Object.assign(base, {
    fate: 'placed' as const,
    config,
    rfq,
    pace,
    withdrawals: new Set<string>(),
    audits: [] as string[],
    explainedBlind: false,
  })
  const { core, chain } = world
  const { give } = core
  Object.assign(core, {
    give(event: Event): Audit {
      const before = event.type === 'chainRead' ? { ...core.state()?.rfq.openOrders } : {}
      const given = give(bug.unjournalled?.(event) ?? event)
      core.journal[core.journal.length - 1] = event
      const audit = bug.audit?.(given, core.state()) ?? given
      if (keepsAudits) world.audits.push(encodeJson({ ...audit }))
      if (event.type === 'chainRead') expectFinal(world, event.reading.head.hash, audit, before)
      for (const effect of audit.effects) {
        if (effect.type === 'reserveOrder') expectWithinFactor(world, effect.reservation.makerAsset)
        if (effect.type === 'placeOrder') expectCovered(world)
        if (effect.type === 'activate') expectNothingOwed(world, effect.isActive)
      }
      return audit
    },
  })
  const { placeOrder } = core.venue.answers
  core.venue.answers.placeOrder = (effect) => {
    if (effect.type !== 'placeOrder' || !world.fate.startsWith('lost')) return placeOrder!(effect)
    if (world.fate === 'lost-outside') world.held.set(effect.order.salt, effect.order)
    return 'silence'
  }
  core.venue.answers.activate = () => failureOf('refused')
  core.venue.answers.readBalances = () => ({
    type: 'balances',
    sentAt: core.now,
    amounts: bookAmounts(chain.tip().after.balances),
    source: null,
  })
  core.venue.answers.withdraw = (effect) => {
    if (effect.type !== 'withdraw') return 'silence'
    const { asset, amount } = effect
    world.withdrawals.add(chain.submit({ kind: 'move', asset, amount: -amount }))
    return { type: 'withdrawn', asset, amount, txHash: null }
  }
  world.placing = (): Placing => {
    const hash = null
    if (world.fate === 'refused')
      return {
        hash,
        stage: 'submit',
        isVoid: false,
        failure: failureOf('refused', { code: 'CHAIN_UNAVAILABLE' }),
      }
    if (world.fate === 'unknown')
      return { hash, stage: 'submit', isVoid: false, failure: failureOf('timeout') }
    if (world.fate === 'void') return { hash, stage: 'sign', isVoid: true, failure: failureOf('refused') }
    if (world.fate === 'unsure-signer')
      return { hash, stage: 'sign', isVoid: false, failure: failureOf('timeout') }
    return 'placed'
  }
  // The first audits came before anybody listened; they are the same whatever happens later.
  world.run(10_000)
  return world
}

/** What is let go had ended `CONFIRMATIONS` blocks below the head that says so. */
function expectFinal(
  { chain }: World,
  head: string,
  { observations }: Audit,
  owed: Readonly<Record<string, OpenOrder>>,
): void {
  const resolved = observations.filter((one) => one.type === 'orderResolved' && one.how !== 'void')
  if (resolved.length === 0) return
  const at = chain.blocks.findLastIndex(({ hash }) => hash === head)
  // Told by a chain that is no more: what is true there no one knows any longer.
  if (at < CONFIRMATIONS) return
  for (const one of resolved) {
    if (one.type !== 'orderResolved') continue
    const { order } = owed[one.salt.toString()]!
    if (chain.status(order, chain.blocks[at - CONFIRMATIONS]) === 'FILLABLE')
      violated(`order ${order.salt} is let go, and ${CONFIRMATIONS} blocks below the head it can be filled`)
  }
}

function expectNothingOwed({ core }: World, isActive: boolean): void {
  const { rfq, config } = core.state()
  const open = Object.keys(rfq.openOrders).length
  if (isActive && (config.rfq !== null || open > 0))
    violated(`the pool is activated with ${open} orders outstanding`)
}

/** What is left of an order by the chain's word at the newest block, in the maker's token. */
function leftOf({ chain }: World, order: RfqOrder): bigint {
  if (chain.status(order) !== 'FILLABLE') return 0n
  const filled = chain.tip().after.filled[order.salt.toString()] ?? 0n
  const left = order.takerAmount - filled
  return (left * order.makerAmount) / order.takerAmount
}

/** At the moment of signing: all that anybody may hold is there, by the chain's truth as far as the core can know it. */
function expectCovered(world: World): void {
  const { chain, core, held, withdrawals } = world
  const seen = chain.blocks.findLastIndex(({ hash }) => hash === core.state().rfq.chain!.head.hash)
  const unseen = chain.blocks.slice(seen + 1).flatMap(({ transactions }) => transactions)
  const isKnown =
    seen >= 0 && unseen.every(({ action }) => action.kind === 'fill' || action.kind === 'cancel')
  if (!isKnown) return
  const orders = new Map(held)
  for (const { order } of world.owed()) orders.set(order.salt, order)
  const sums = zeroAmounts()
  for (const order of orders.values()) sums[assetOf(order)] += leftOf(world, order)
  const { balances, allowances } = chain.tip().after
  const staying = { ...balances }
  for (const { hash, action } of chain.pool)
    if (withdrawals.has(hash) && action.kind === 'move') staying[action.asset] += action.amount
  for (const asset of TOKENS) {
    const there = staying[asset] < allowances[asset] ? staying[asset] : allowances[asset]
    if (sums[asset] > 0n && sums[asset] > there)
      violated(`${sums[asset]} of ${asset} are promised, and ${there} are there`)
  }
}

/** And when it is decided: no more than the configured part of what the last reading showed. */
function expectWithinFactor(world: World, asset: Asset): void {
  const { balances, allowances } = world.core.state().rfq.chain!
  const [balance, allowance] = [balances[asset] ?? 0n, allowances[asset] ?? 0n]
  const covered = (balance < allowance ? balance : allowance) * BigInt(FACTOR * 100)
  if (promisedBy(world, asset) * 100n > covered)
    violated(`more of ${asset} is promised than the configured part of what was read`)
}

function promisedBy(world: World, asset: Asset): BookAmount {
  return world
    .owed()
    .filter(({ makerAsset }) => makerAsset === asset)
    .reduce((sum, owed) => sum + outstandingAmount(owed), 0n)
}

function assetOf(order: RfqOrder): Asset {
  return ASSETS.find((asset) => RFQ.tokens[asset] === order.makerToken)!
}

/** All that can be filled is owed, in sane amounts, and the PnL adds up. */
export function expectNothingForgotten(world: World): void {
  const { openOrders: owed } = world.core.state().rfq
  for (const order of world.held.values()) {
    const isForgotten = owed[order.salt.toString()] === undefined
    if (isForgotten && world.chain.status(order) === 'FILLABLE')
      violated(`order ${order.salt} can be filled and is not outstanding`)
  }
  for (const { order, takerFilled, makerFilled } of Object.values(owed)) {
    const isSane = takerFilled >= 0n && takerFilled <= order.takerAmount
    if (!isSane || makerFilled < 0n || makerFilled > order.makerAmount)
      violated(`of order ${order.salt} ${takerFilled} and ${makerFilled} are filled`)
  }
  const residual = identityResidual(world.core.state().book)
  if (residual !== null && (residual.tzs !== 0n || residual.usd !== 0n))
    violated(`the PnL identities are off by ${residual.tzs} and ${residual.usd}`)
}
