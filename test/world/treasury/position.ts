import { createReconciliation } from '../../../src/core/ledger/reconciliation/state.ts'
import type { EngineState } from '../../../src/core/engine/model/state.ts'
import type { OperatorCommand } from '../../../src/core/engine/model/event.ts'
import { bookAmounts, formatTokens, type TokenAmounts } from '../../../src/base/money/asset.ts'
import type { OperatorAnswer } from '../../../src/daemon/console/position-port.ts'
import { activatePosition } from '../../../src/simulator/sandbox/api/activate.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../../../src/treasury/model/place.ts'
import type { Dice } from '../dice.ts'

type Held = Record<TreasuryAsset, bigint>
type Request = { readonly key: string; stage: 'done' | 'failed' | 'unknown'; readonly amount: bigint }

/**
 * The position beside the treasury: it carries its orders out at the venue at once, refuses some of them, and learns of a
 * deposit into its wallet only by a top-up. Its own ledger is the venue's truth less what it was not told of.
 */
export class SimulatedPosition {
  readonly #model: VenueModel
  readonly #dice: Dice
  readonly #opening: Held
  readonly #requests: Request[] = []
  readonly #topUps = new Map<string, Held>()
  #isBusy = false
  refusals = 0
  /** How often it did not do what it was ordered. */
  refused = 0

  constructor(model: VenueModel, dice: Dice, refusals: number) {
    this.#model = model
    this.#dice = dice
    this.refusals = refusals
    this.#opening = this.truth()
  }

  /** What pool and wallet really hold. */
  truth(): Held {
    const { pool, wallet } = this.#model.state.ours
    return heldOf((asset) => pool[asset] + wallet[asset])
  }

  /** What takers brought and took since the beginning. */
  traded(): Held {
    const moved = this.#moved()
    const now = this.truth()
    return heldOf((asset) => now[asset] - this.#opening[asset] - moved[asset])
  }

  /** What arrived in the wallet without a top-up. */
  untold(): Held {
    const arrived = this.#arrived()
    return heldOf((asset) =>
      [...this.#topUps.values()].reduce((left, told) => left - told[asset], arrived[asset]),
    )
  }

  state(): EngineState {
    const { ours, mid } = this.#model.state
    const pool: TokenAmounts = { ...ours.pool }
    const wallet: TokenAmounts = { ...ours.wallet }
    const untold = this.untold()
    for (const asset of TREASURY_ASSETS) {
      const fromWallet = untold[asset] < wallet[asset] ? untold[asset] : wallet[asset]
      wallet[asset] -= fromWallet
      pool[asset] -= untold[asset] - fromWallet
    }
    const { bidBps, askBps, isActive } = ours
    const confirmed = { bidBps, askBps, quoteBid: bidBps !== null, quoteAsk: askBps !== null }
    return {
      book: { entries: 1, accounts: { pool: bookAmounts(pool), wallet: bookAmounts(wallet) } },
      quoting: { confirmed, status: 'confirmed' },
      market: { mid },
      activation: { isActive, inFlight: null, wanted: isActive },
      reconciliation: createReconciliation(),
      latch: { halted: null },
      withdrawals: { requests: this.#requests },
    } as unknown as EngineState
  }

  readonly command = (command: OperatorCommand): OperatorAnswer => {
    if (command.name === 'topUp') {
      if (command.asset !== 'USDT.bnb')
        this.#topUps.set(command.key ?? '', { ...heldOf(() => 0n), [command.asset]: command.amount })
      if (!this.#refuses()) this.sweep()
      return { accepted: true, answer: 'booked' }
    }
    if (this.#isBusy || this.#refuses()) return { accepted: false, answer: 'another order is under way' }
    if (command.name === 'withdraw') return this.#withdraw(command)
    if (command.name !== 'activate' && command.name !== 'deactivate')
      return { accepted: false, answer: `${command.name} is no order of a treasury` }
    activatePosition(this.#model.state, command.name === 'activate')
    this.#model.advanceTo(this.#model.state.now)
    return { accepted: true, answer: command.name }
  }

  /** A person books what arrived without a word: `resume --book deposit`. */
  bookDeposit(asset: TreasuryAsset, amount: bigint, key: string): void {
    this.#topUps.set(key, { ...heldOf(() => 0n), [asset]: amount })
    this.sweep()
  }

  /** As the core does: what it was notified of and lies in the wallet of a position in the market goes into the pool. */
  sweep(): void {
    const { ours } = this.#model.state
    const untold = this.untold()
    const isTold = TREASURY_ASSETS.every((asset) => untold[asset] === 0n)
    if (!ours.isActive || !isTold || TREASURY_ASSETS.every((asset) => ours.wallet[asset] === 0n)) return
    activatePosition(this.#model.state, true)
    this.#model.advanceTo(this.#model.state.now)
  }

  #refuses(): boolean {
    const isRefused = this.#dice.happens(this.refusals)
    if (isRefused) this.refused += 1
    return isRefused
  }

  #withdraw(command: Extract<OperatorCommand, { name: 'withdraw' }>): OperatorAnswer {
    const { asset, amount, toAddress, key = '' } = command
    if (this.#requests.some((one) => one.key === key)) return { accepted: true, answer: 'known' }
    const { options, state } = this.#model
    const { drop, status } = this.#model.handle({
      method: 'POST',
      path: '/api/v1/mm/withdraw',
      query: {},
      body: { token: asset.toLowerCase(), amount: formatTokens(amount, asset), toAddress },
      authorization: `Bearer ${options.apiKey}`,
      now: state.now,
      limiterNow: this.#requests.length * 60_000,
    })
    const stage = drop !== null ? 'unknown' : status === 200 ? 'done' : 'failed'
    this.#requests.push({ key, stage, amount })
    return { accepted: true, answer: stage }
  }

  /** Net of what came into the wallet and what was paid out of it. */
  #moved(): Held {
    const sums = this.#arrived()
    for (const { kind, asset, amount } of this.#model.state.ours.transfers)
      if (kind === 'withdrawal' && asset !== 'USDT.bnb') sums[asset] -= amount
    return sums
  }

  #arrived(): Held {
    const sums = heldOf(() => 0n)
    for (const { kind, asset, amount } of this.#model.state.ours.transfers)
      if (kind === 'deposit' && asset !== 'USDT.bnb') sums[asset] += amount
    return sums
  }
}

export function heldOf(of: (asset: TreasuryAsset) => bigint): Held {
  return { NTZS: of('NTZS'), USDC: of('USDC'), USDT: of('USDT') }
}
