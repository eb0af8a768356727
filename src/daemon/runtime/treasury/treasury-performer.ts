import { setTimeout as pause } from 'node:timers/promises'
import { errorText } from '../../../base/result.ts'
import { modeOf } from '../../../treasury/api/testmode/testmode.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'
import { holdingsEvent, readRemote } from './holdings.ts'
import { SHILLING } from '../../../treasury/policy/units.ts'
import type { PerformedEffect } from './treasury-loop.ts'
import { findLeg, legOf, namePayee, prepareLeg, priceLeg, readLeg, transmitLeg } from './perform-legs.ts'
import type { Performing, PerformTreasuryParts } from './performer-parts.ts'
import { orderPosition } from './position-orders.ts'

/** Performs the effects of a treasury. Every outcome is an event; never throws and never sends twice. */
export function createTreasuryPerformer(
  parts: PerformTreasuryParts,
): (effect: PerformedEffect) => Promise<readonly TreasuryEvent[]> {
  let address: string | null = null
  let readAt = 0
  const performing: Performing = { ...parts, treasuryAddress: () => address, readAt: () => readAt }

  async function look(): Promise<readonly TreasuryEvent[]> {
    const { core, phone } = parts.config()
    await untilOpened(parts)
    const askedAt = parts.clock.now()
    const mode = parts.state()?.keys?.mode === null ? modeOf(await parts.client.testmode({})) : null
    const remote = await readRemote(parts.client, { userId: core.userId, usesRamp: phone !== null })
    address = remote.address ?? address
    readAt = Math.max(readAt, askedAt)
    const t = parts.clock.now()
    const flow = parts.flow.take()
    return [
      ...(mode === null ? [] : [{ type: 'modeSeen', t, isLive: mode === 'live' } as const]),
      ...(flow === null ? [] : [{ type: 'flowSeen', t, ...flow } as const]),
      ...remote.failed.map(({ rail, words }) => ({ type: 'railFailed', t, rail, words }) as const),
      holdingsEvent(t, remote, parts.position.state()),
    ]
  }

  return async (effect) => {
    try {
      if (effect.type === 'look') return await look()
      // Each function takes the effect of its own type.
      return await PERFORMERS[effect.type](performing, effect as never)
    } catch (error) {
      parts.log(`${effect.type} failed: ${errorText(error)}`)
      return []
    }
  }
}

const OPENING_LOOK_MS = 100
const OPENING_WITHIN_MS = 20_000

/** Waits for the opening balances and the mid of a new store, which arrive after a few polls and which a plan needs. */
async function untilOpened({ position, signal }: PerformTreasuryParts): Promise<void> {
  for (let waitedMs = 0; waitedMs < OPENING_WITHIN_MS; waitedMs += OPENING_LOOK_MS) {
    const { book, market } = position.state()
    if ((book.entries > 0 && market.mid !== null) || signal.aborted) return
    // An abort ends the wait, and with it the loop.
    await pause(OPENING_LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

type Effects = { readonly [Type in PerformedEffect['type']]: Extract<PerformedEffect, { type: Type }> }

/** Performs each effect except `look`, which keeps state. */
const PERFORMERS: {
  readonly [Type in Exclude<PerformedEffect['type'], 'look'>]: (
    parts: Performing,
    effect: Effects[Type],
  ) => Promise<readonly TreasuryEvent[]>
} = {
  async plan(parts) {
    const planned = parts.plan(parts.readAt())
    return planned === null ? [] : [planned]
  },
  namePayee,
  quote: priceLeg,
  prepare: prepareLeg,
  transmit: transmitLeg,
  read: readLeg,
  find: findLeg,
  async position(parts, effect) {
    const { order, intent, leg, n } = effect
    const found = legOf(parts, effect)
    return found === null ? [] : [await orderPosition(parts, { intent, leg, n }, order, found.intent)]
  },
  readSupply,
  reconcile,
}

/** Reads the supply of the token, converted from whole shillings, and the supply on chain if a chain is configured. */
async function readSupply({ client, clock, log, chain }: Performing): Promise<readonly TreasuryEvent[]> {
  const supply = await client.supply({})
  if (supply.kind !== 'answered') {
    log(`the supply could not be read: ${supply.words}`)
    return []
  }
  const counted = (await chain?.totalSupply('NTZS')) ?? null
  if (counted?.ok === false) log(`the supply on chain could not be read: ${counted.error.words}`)
  const onChain = counted?.ok === true ? counted.value : null
  return [{ type: 'supplySeen', t: clock.now(), supply: supply.value.supplyTzs * SHILLING, onChain }]
}

async function reconcile({ client, clock, log }: Performing): Promise<readonly TreasuryEvent[]> {
  const outcome = await client.reconcile({})
  if (outcome.kind !== 'answered') {
    log(`the venue's reconciliation could not be read: ${outcome.words}`)
    return []
  }
  const { difference, isReconciled } = outcome.value
  return [{ type: 'reconcileSeen', t: clock.now(), difference: difference * SHILLING, isReconciled }]
}
