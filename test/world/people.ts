import { DAY_MS, MINUTE_MS, SECOND_MS, type Ms } from '../../src/base/time.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import type { OperatorCommand } from '../../src/core/engine/model/event.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../src/base/money/bps.ts'
import { activatePosition } from '../../src/simulator/sandbox/api/activate.ts'
import type { VenueModel } from '../../src/simulator/sandbox/model.ts'
import type { Scheduler } from './scheduler.ts'
import type { Daemon } from './daemon.ts'
import { createDice, type Dice } from './dice.ts'
import { DESTINATION, redrawConfig } from './draw-config.ts'
import type { Tally } from './tally.ts'
import type { VenueWatch } from './venue-watch.ts'
import type { WorldOptions } from './world-options.ts'

export type PeopleParts = {
  readonly options: WorldOptions
  readonly model: VenueModel
  readonly daemon: Daemon
  readonly scheduler: Scheduler
  readonly watch: VenueWatch
  readonly tally: Tally
  readonly now: () => Ms
  /** After this no one touches anything. */
  readonly untilMs: Ms
}

/** Everyone who commands, reloads, kills and starts the daemon, or goes behind its back in the dashboard. */
export type People = {
  /** Someone looks after a while when trading has stopped. */
  readonly notice: (state: EngineState) => void
}

export function createPeople(parts: PeopleParts): People {
  const { options, daemon, scheduler, tally, now, untilMs } = parts
  const { people, daemon: life } = options
  const dice = createDice(options.seed, 'people')
  let config = options.config
  let isLookedAfter = false

  function often(perDay: number, act: () => void): void {
    if (perDay <= 0) return
    const next = () => {
      const at = Math.round(now() + dice.exponential(DAY_MS / perDay))
      if (at >= untilMs) return
      scheduler.add(at, () => {
        act()
        next()
      })
    }
    next()
  }

  function die(): void {
    if (!daemon.isUp()) return
    tally.crashes += 1
    parts.watch.trouble(now())
    daemon.crash()
    // It is back before the quiet begins, or the quiet would find no one at home.
    const back = Math.round(now() + dice.exponential(life.downMeanMs))
    scheduler.add(Math.min(back, Math.max(now(), untilMs)), () => {
      parts.watch.trouble(now())
      daemon.start()
    })
  }

  function command(wanted: OperatorCommand, why: string): void {
    if (!daemon.isUp()) return
    tally.commands += 1
    daemon.command(wanted, why)
    if (wanted.name === 'deactivate' || wanted.name === 'halt' || wanted.name === 'activate') {
      parts.watch.trouble(now())
    }
    if (wanted.name === 'deactivate') {
      scheduler.add(now() + dice.between(1, 6) * MINUTE_MS, () =>
        command(drawWithdrawal(dice), 'once it is back'),
      )
    }
    if (wanted.name === 'shutdown') scheduler.add(now() + dice.between(1, 10) * SECOND_MS, die)
  }

  often(people.commandsPerDay, () => command(drawCommand(dice), 'drawn'))
  often(people.reloadsPerDay, () => {
    if (!daemon.isUp()) return
    tally.reloads += 1
    config = redrawConfig(dice, config)
    parts.watch.trouble(now())
    daemon.reload(config)
  })
  often(people.dashboardPerDay, () => useDashboard(parts, dice))
  often(life.crashesPerDay, die)

  function look(): void {
    isLookedAfter = false
    const state = daemon.state()
    if (state === null || now() >= untilMs) return
    if (state.authFailure !== null) {
      die()
      return
    }
    const isUnexplained = Object.values(state.reconciliation.unreconciled).some((amount) => amount !== 0n)
    const book = dice.pick(['adjustment', 'deposit', 'withdrawal'] as const)
    const { pending } = state.market
    const accepts = pending === null ? {} : { acceptMid: pending.mid }
    command({ name: 'resume', ...(isUnexplained && { book }), ...accepts }, 'looked after')
    if (state.activation.wanted === false) command({ name: 'activate' }, 'looked after')
  }

  return {
    notice({ latch, activation, market }) {
      if (isLookedAfter) return
      const waits = latch.halted !== null || latch.paused !== null || market.pending !== null
      if (!waits && activation.wanted !== false) return
      isLookedAfter = true
      scheduler.add(Math.round(now() + MINUTE_MS + dice.exponential(people.resumeAfterMeanMs)), look)
    },
  }
}

function drawCommand(dice: Dice): OperatorCommand {
  return dice.pick<OperatorCommand>([
    { name: 'pause' },
    { name: 'pause' },
    { name: 'resume' },
    { name: 'resume', book: 'adjustment' },
    { name: 'halt' },
    { name: 'activate' },
    { name: 'activate' },
    { name: 'deactivate', insists: true },
    { name: 'deactivate', insists: true },
    { name: 'shutdown' },
    drawWithdrawal(dice),
  ])
}

/** To the listed address and within the cap; or of another token, or to someone else. */
function drawWithdrawal(dice: Dice): OperatorCommand {
  const amount = BigInt(dice.between(1, 2_000)) * 1_000_000n + 1n
  const usdc = { name: 'withdraw', asset: 'USDC', amount, toAddress: DESTINATION } as const
  return dice.pick<OperatorCommand>([
    usdc,
    usdc,
    usdc,
    { ...usdc, asset: 'NTZS' },
    { ...usdc, toAddress: '0x000000000000000000000000000000000000dEaD' },
  ])
}

/** The same account from a browser: the daemon is not told. */
function useDashboard({ model, watch, tally, now }: PeopleParts, dice: Dice): void {
  tally.dashboard += 1
  watch.trouble(now())
  const { ours } = model.state
  if (dice.happens(0.4)) {
    activatePosition(model.state, !ours.isActive)
    return
  }
  const spread = {
    bidBps: dice.between(MIN_SPREAD_BPS, MAX_SPREAD_BPS),
    askBps: dice.between(MIN_SPREAD_BPS, MAX_SPREAD_BPS),
    quoteBid: true,
    quoteAsk: true,
    quotePairs: null,
  }
  watch.expect(spread)
  Object.assign(ours, spread)
  watch.look(now())
}
