import { describe, expect, it } from 'vitest'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import type { Outflow } from '../../../../../src/core/rfq/chain-reading.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { USDC } from '../../../../support/taker.ts'

const HOME: `0x${string}` = '0xabc0000000000000000000000000000000000001'
const TX = `0x${'c'.repeat(64)}` as const
const THEFT: Outflow = {
  key: `${TX}:1`,
  asset: 'USDC',
  amount: 400n * USDC,
  to: `0x${'7'.repeat(40)}`,
  block: 1n,
  txHash: TX,
}
const ORDER = {
  name: 'withdraw',
  asset: 'USDC',
  amount: 400n * USDC,
  toAddress: HOME,
  key: 'k1',
  by: 'anna',
} as const
const WITHDRAW: CoreConfig['withdraw'] = {
  approvalAboveUsd: null,
  enabled: true,
  destinations: [HOME],
  maxPerDay: { USDC: 1_000n * USDC },
}

function desk(change: Partial<CoreConfig> = {}): Harness {
  const { risk } = coreConfig()
  return runCore(20_000, { config: { risk: { ...risk, foreignWrites: 'latch' }, ...change } })
}

function show(one: Harness, outflows: readonly Outflow[], isFromBefore = false): void {
  one.give({ type: 'walletTransfers', t: one.now, outflows, isFromBefore })
  one.run(5_000)
}

const alerts = (one: Harness) =>
  one.observations.flatMap((told) => (told.type === 'alert' ? [`${told.severity} ${told.code}`] : []))
const rules = (one: Harness) => one.state().decision?.findings.map(({ rule }) => rule)

describe('a transfer out of the wallet of pooled capital', () => {
  it('that no one here asked for is reported with its transaction while the venue shows nothing, and latches until a person resumes', () => {
    const one = desk()
    show(one, [THEFT])
    expect(alerts(one)).toContain('critical foreign-write')
    const told = one.observations.find((seen) => seen.type === 'alert' && seen.code === 'foreign-write')
    expect(told).toMatchObject({ message: expect.stringMatching(new RegExp(`${TX} .*400 USDC`)) })
    expect(rules(one)).toContain('foreign-write')
    one.restart()
    one.run(60_000)
    expect(rules(one)).toContain('foreign-write')
    one.order({ name: 'resume' })
    one.run(10_000)
    expect(rules(one)).not.toContain('foreign-write')
  })

  it('refuses an activation until a resume, also after a foreign deactivation, which the resume leaves latched', () => {
    const one = desk()
    one.venue.isActive = false
    one.run(120_000)
    expect(Object.keys(one.state().latch.foreign)).toEqual(['deactivation'])
    show(one, [THEFT])
    const before = one.effects.length
    const answer = one.order({ name: 'activate' })
    expect(answer).toMatchObject({ accepted: false, answer: expect.stringMatching(/400 USDC.*resume/) })
    one.run(60_000)
    expect(rules(one)).toContain('foreign-write')
    expect(one.effects.slice(before).filter(({ type }) => type === 'activate')).toEqual([])
    one.order({ name: 'resume' })
    one.run(60_000)
    expect(Object.keys(one.state().latch.foreign)).toEqual(['deactivation'])
    expect(one.order({ name: 'activate' })).toMatchObject({ accepted: true })
    one.run(60_000)
    expect([one.state().activation.isActive, rules(one)]).toEqual([true, []])
  })

  it('is reported once, also where it is shown again after a restart', () => {
    const one = desk()
    show(one, [THEFT])
    one.restart()
    show(one, [THEFT], true)
    expect(alerts(one).filter((code) => code.includes('foreign-write'))).toEqual(['critical foreign-write'])
  })

  it('from before this process is a warning', () => {
    const one = desk()
    show(one, [THEFT], true)
    expect(alerts(one).filter((code) => code.includes('foreign-write'))).toEqual(['warning foreign-write'])
  })

  it('that carries out a withdrawal of this daemon is not foreign, however often it is shown', () => {
    const one = desk({ withdraw: WITHDRAW, activation: 'manual' })
    expect(one.order(ORDER)).toMatchObject({ accepted: true })
    show(one, [{ ...THEFT, to: HOME }])
    show(one, [{ ...THEFT, to: HOME }])
    expect(alerts(one).filter((code) => code.includes('foreign-write'))).toEqual([])
  })

  it.each([
    ['goes to another address', { key: `${TX}:2` }],
    ['is the second of its amount to the same address', { key: `${TX}:2`, to: HOME }],
  ])('of the amount of a withdrawal that %s is someone else', (_what, change) => {
    const one = desk({ withdraw: WITHDRAW, activation: 'manual' })
    one.order(ORDER)
    show(one, [
      { ...THEFT, to: HOME },
      { ...THEFT, ...change },
    ])
    expect(alerts(one).filter((code) => code.includes('foreign-write'))).toEqual(['critical foreign-write'])
  })
})
