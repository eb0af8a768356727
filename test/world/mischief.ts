import { DAY_MS, MINUTE_MS, type Ms } from '../../src/base/time.ts'
import { type Asset, ASSETS, formatTokens } from '../../src/base/money/asset.ts'
import { FaultsSchema } from '../../src/simulator/sandbox/faults.ts'
import type { Injection } from '../../src/simulator/sandbox/inject.ts'
import { createDice, type Dice } from './dice.ts'
import { LIES, type Liar } from './liar.ts'
import type { PeopleParts } from './people.ts'
import type { WorldOptions } from './world-options.ts'

export type MischiefKind = keyof WorldOptions['mischief']
/** How often each kind befell the venue. */
export type Befell = Partial<Record<MischiefKind, number>>

/** Schedules everything that befalls the venue from outside, and its end when the quiet begins. Returns what will have befallen it. */
export function planMischief(parts: PeopleParts, liar: Liar): Befell {
  const { options, model, scheduler, daemon, watch, tally, now, untilMs } = parts
  const { mischief } = options
  const befell: Befell = {}
  const dice = createDice(options.seed, 'mischief')

  function inject(injection: Injection): void {
    tally.mischief += 1
    watch.trouble(now())
    model.inject(injection)
  }

  function often(kind: MischiefKind, act: () => void): void {
    const perDay = mischief[kind]
    if (perDay <= 0) return
    let at = now() + dice.exponential(DAY_MS / perDay)
    for (; at < untilMs; at += dice.exponential(DAY_MS / perDay))
      scheduler.add(Math.round(at), () => {
        befell[kind] = (befell[kind] ?? 0) + 1
        act()
      })
  }

  /** Begins, and ends after a while or when the quiet begins, whichever is first. */
  function spell(kind: MischiefKind, meanMs: Ms, begin: () => void, end: () => void): void {
    often(kind, () => {
      begin()
      scheduler.add(Math.min(untilMs, Math.round(now() + dice.exponential(meanMs))), end)
    })
  }

  often('depositsPerDay', () => {
    const asset = dice.pick(ASSETS)
    inject({ externalTransfer: { asset, amount: formatTokens(drawAmount(dice, asset), asset) } })
  })
  often('theftsPerDay', () => {
    const asset = dice.pick(ASSETS)
    const from = dice.pick(['pool', 'wallet'] as const)
    const held = model.state.ours[from][asset]
    const amount = held / BigInt(dice.pick([3, 1_000, 1_000_000]))
    if (amount > 0n) inject({ steal: { asset, amount: formatTokens(amount, asset), from } })
  })
  often('midJumpsPerDay', () => inject({ jump: { bps: dice.between(-220, 220) } }))
  often('notQuotablePerDay', () =>
    inject({ notQuotable: { ms: Math.round(dice.exponential(20 * MINUTE_MS)) } }),
  )
  often('outagesPerDay', () => inject({ outage: { ms: Math.round(dice.exponential(8 * MINUTE_MS)) } }))
  let short: Asset = 'USDC'
  spell(
    'shortfallsPerDay',
    30 * MINUTE_MS,
    () => {
      short = dice.pick(ASSETS)
      inject({ poolShortfall: { asset: short, amount: '1' } })
    },
    () => ASSETS.forEach((asset) => inject({ poolShortfall: { asset, amount: '0' } })),
  )
  spell(
    'suspensionsPerDay',
    30 * MINUTE_MS,
    () => inject({ suspended: true }),
    () => inject({ suspended: false }),
  )
  spell(
    'revocationsPerDay',
    10 * MINUTE_MS,
    () => daemon.setRevoked(true),
    () => {
      watch.trouble(now())
      daemon.setRevoked(false)
    },
  )
  spell(
    'liesPerDay',
    40 * MINUTE_MS,
    () => {
      tally.lies += 1
      liar.begin(dice.pick(LIES), now())
    },
    () => liar.end(),
  )
  spell(
    'clockJumpsPerDay',
    60 * MINUTE_MS,
    () => {
      tally.clockJumps += 1
      daemon.setClockAhead(dice.pick([-1, 1]) * dice.pick([2, 90, 3_000]) * MINUTE_MS)
    },
    () => daemon.setClockAhead(0),
  )
  scheduler.add(untilMs, () => {
    inject({ faults: { ...FaultsSchema.parse({}) }, outage: { ms: 0 }, notQuotable: { ms: 0 } })
  })
  return befell
}

/** From dust to a fortune. */
function drawAmount(dice: Dice, asset: Asset): bigint {
  const digits = asset === 'NTZS' || asset === 'USDT.bnb' ? dice.between(1, 23) : dice.between(1, 10)
  return 10n ** BigInt(digits) + BigInt(dice.between(0, 999))
}
