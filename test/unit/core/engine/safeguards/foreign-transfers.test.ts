import { describe, expect, it } from 'vitest'
import type { Outflow } from '../../../../../src/core/rfq/chain-reading.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { rfqSettings, type OrderHarness, runOrders } from '../../../../support/order-harness.ts'

const { risk } = coreConfig()
const TX = `0x${'c'.repeat(64)}` as const
const THEFT: Outflow = {
  key: `${TX}:1`,
  asset: 'USDC',
  amount: 500n * 10n ** 6n,
  to: `0x${'7'.repeat(40)}`,
  block: 1n,
  txHash: TX,
}

function desk(): OrderHarness {
  return runOrders(20_000, {
    config: { risk: { ...risk, foreignWrites: 'latch' }, rfq: rfqSettings() },
  })
}

/** From now on every reading has these transfers, and the balances are what they leave. */
function leave(world: OrderHarness, outflows: readonly Outflow[], isTaken = true): void {
  world.reading = (orders, from) => {
    const reading = world.chain.read(orders, from)
    const balances = { ...reading.balances }
    if (isTaken) for (const { asset, amount } of outflows) balances[asset] = (balances[asset] ?? 0n) - amount
    return { ...reading, balances, outflows }
  }
}

describe('a foreign transfer out of the wallet', () => {
  it('a foreign transfer raises an alert within four seconds without a report of the venue, and stops all signing', () => {
    const world = desk()
    leave(world, [THEFT])
    world.run(4_000)
    const [alert] = world.alerts('foreign-write')
    expect(alert).toMatchObject({ severity: 'critical' })
    expect(alert?.message).toMatch(new RegExp(`${TX} .*500 USDC.* ${THEFT.to}`))
    expect(world.core.state().approvedTarget?.orders).toEqual([])
    const placed = world.core.effects.filter(({ type }) => type === 'placeOrder').length
    world.run(600_000)
    expect(world.core.effects.filter(({ type }) => type === 'placeOrder')).toHaveLength(placed)
  })

  it('a foreign transfer raises one alert per transaction, even with repeated readings and after a restart', () => {
    const world = desk()
    leave(world, [THEFT])
    world.run(30_000)
    leave(world, [THEFT, { ...THEFT, key: `${TX}:2` }])
    world.run(30_000)
    expect(world.alerts('foreign-write')).toHaveLength(2)
    world.core.restart()
    world.run(30_000)
    expect(world.alerts('foreign-write')).toHaveLength(2)
  })

  it('is latched until a person resumes', () => {
    const world = desk()
    leave(world, [THEFT], false)
    world.run(10_000)
    world.core.restart()
    world.run(60_000)
    expect(world.core.state().decision?.findings.map(({ rule }) => rule)).toContain('foreign-write')
    world.core.order({ name: 'resume' })
    world.run(10_000)
    expect(world.core.state().decision?.findings.map(({ rule }) => rule)).not.toContain('foreign-write')
  })
})

it('a transfer that was there before the first reading of a process is a warning', () => {
  const world = desk()
  world.core.restart()
  leave(world, [THEFT], false)
  world.run(30_000)
  expect(world.alerts('foreign-write')).toMatchObject([{ severity: 'warning' }])
})
