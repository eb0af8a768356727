import { describe, expect, it } from 'vitest'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import { createNoticeMapper } from '../../../../../src/daemon/notify/notice.ts'
import { coreConfig, RARE_POLLS } from '../../../../support/core-config.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'
import { refused } from '../../../../support/answers.ts'

const { risk } = coreConfig()
const LATCH = { risk: { ...risk, foreignWrites: 'latch' as const } }
const MINUTE = 60_000

function desk(options: Parameters<typeof coreHarness>[0] = {}): Harness {
  const one = runCore(30_000, { ...options, config: { ...LATCH, ...options.config } })
  expect(one.venue.isActive).toBe(true)
  return one
}

const told = (one: Harness) => one.alerts('foreign-write')
const activations = (one: Harness) =>
  one.effects.filter((effect) => effect.type === 'activate' && effect.isActive)
const rules = (one: Harness) => one.state().decision?.findings.map(({ rule }) => rule)

describe('a foreign deactivation', () => {
  it('a foreign deactivation raises an alert with the answer that shows it, and only a person undoes it', () => {
    const one = desk({ config: { pacing: RARE_POLLS } })
    one.venue.isActive = false
    const audit = one.give({ type: 'account', t: one.now, request: 0, isActive: false, walletAddress: null })
    const notices = audit.observations.map(createNoticeMapper()).filter((notice) => notice !== null)
    expect(notices).toContainEqual(expect.objectContaining({ severity: 'critical', code: 'foreign-write' }))
    one.run(600 * MINUTE)
    expect(activations(one)).toHaveLength(1)
    expect(rules(one)).toEqual(['foreign-write'])
    expect(one.state().approvedTarget).toMatchObject({ bidBps: 500, askBps: 500 })
    expect(told(one)).toMatchObject([{ message: expect.stringContaining('was deactivated') }])
    one.order({ name: 'resume' })
    one.run(MINUTE)
    expect(rules(one)).toEqual(['foreign-write'])
    one.order({ name: 'activate' })
    one.run(MINUTE)
    expect(one.venue.isActive).toBe(true)
    expect(rules(one)).toEqual([])
  })

  it('is latched through a restart', () => {
    const one = desk()
    one.venue.isActive = false
    one.run(2 * MINUTE)
    one.restart()
    one.run(10 * MINUTE)
    expect(rules(one)).toEqual(['foreign-write'])
    expect(one.venue.isActive).toBe(false)
  })

  it('is latched also where a person had activated the position before', () => {
    const one = desk({ config: { activation: 'manual' }, venue: { isActive: true } })
    one.order({ name: 'activate' })
    one.run(MINUTE)
    const before = activations(one).length
    one.venue.isActive = false
    one.run(10 * MINUTE)
    expect(activations(one)).toHaveLength(before)
    expect(one.venue.isActive).toBe(false)
  })

  it('is seen within a second where the balances come from the wallet, whatever the pace of the account', () => {
    const { pacing } = coreConfig()
    const one = desk({ config: { pacing: { ...pacing, accountIntervalMs: 3_600_000 } } })
    one.venue.isActive = false
    one.give({
      type: 'balances',
      t: one.now,
      request: 0,
      sentAt: one.now,
      amounts: { ...one.venue.amounts },
      source: 'wallet',
    })
    one.run(1_000)
    expect(told(one)).toHaveLength(1)
  })

  it('is put back without asking where the setting is repair, or absent in an older journal', () => {
    for (const config of [{ risk: { ...risk, foreignWrites: 'repair' as const } }, { risk }]) {
      const one = desk({ config })
      one.venue.isActive = false
      one.run(2 * MINUTE)
      expect(one.venue.isActive).toBe(true)
      expect(told(one)).toEqual([])
    }
  })
})

describe('a deactivation that is ours', () => {
  it('by command is no foreign one', () => {
    const one = desk()
    one.order({ name: 'deactivate' })
    one.run(10 * MINUTE)
    expect(one.venue.isActive).toBe(false)
    expect(told(one)).toEqual([])
  })

  it('with an unknown outcome that takes effect half an hour later is no foreign one; two hours later it is', () => {
    for (const [minutes, count] of [
      [30, 0],
      [120, 1],
    ] as const) {
      const one = desk({ config: { pacing: RARE_POLLS } })
      let lost = 0
      one.venue.answers.activate = (effect) => {
        lost += 1
        if (lost === 1) return failureOf('timeout')
        const isActive = effect.type === 'activate' && effect.isActive
        one.venue.isActive = isActive
        return { type: 'activation', isActive, partial: false, returned: [] }
      }
      one.order({ name: 'deactivate' })
      one.run(200)
      one.order({ name: 'activate' })
      one.run(minutes * MINUTE)
      expect(one.state().activation.isActive).toBe(true)
      one.venue.isActive = false
      one.run(2 * MINUTE)
      expect(told(one)).toHaveLength(count)
    }
  })

  it('under way when the process died is no news to the next one', () => {
    const one = desk()
    one.venue.answers.activate = () => 'silence'
    one.order({ name: 'deactivate' })
    one.run(100)
    one.venue.isActive = false
    delete one.venue.answers.activate
    one.restart()
    one.run(2 * MINUTE)
    expect(told(one)).toEqual([])
  })
})

describe('a foreign spread', () => {
  const { pacing } = coreConfig()
  const QUICK: Partial<CoreConfig> = { pacing: { ...pacing, quoteCheckIntervalMs: 10_000 } }

  it('a foreign spread raises an alert at the read-back, and the safe quote stays until a person resumes', () => {
    const one = desk({ config: QUICK })
    one.venue.held = { ...one.venue.held, askBps: 12 }
    one.run(20_000)
    expect(told(one)).toMatchObject([
      { severity: 'critical', message: expect.stringMatching(/12 bps .* 60 were/) },
    ])
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    one.run(60 * MINUTE)
    expect(rules(one)).toEqual(['foreign-write'])
    one.order({ name: 'resume' })
    one.run(MINUTE)
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it('that is set again after the safe quote names another program with the key, once', () => {
    const one = desk({ config: QUICK })
    const shared = () => one.alerts('shared-key').map(({ message }) => message)
    one.venue.held = { ...one.venue.held, bidBps: 80, askBps: 90 }
    one.run(30_000)
    expect([told(one).length, shared()]).toEqual([1, []])
    for (let again = 0; again < 3; again += 1) {
      one.venue.held = { ...one.venue.held, bidBps: 80, askBps: 90 }
      one.run(30_000)
    }
    expect(shared()).toEqual([expect.stringMatching(/second daemon with its own store: .*80 bps on the bid/)])
    expect(told(one)).toHaveLength(1)
  })

  it('is not one that this key sent within the hour and that comes through late', () => {
    const wish = { bps: 60 }
    const strategy = testStrategy(() => ({ bidBps: wish.bps, askBps: wish.bps, reasons: ['a wish'] }))
    const one = desk({ config: QUICK, strategy })
    wish.bps = 90
    one.run(30 * MINUTE)
    expect(one.venue.held.askBps).toBe(90)
    one.venue.held = { ...one.venue.held, askBps: 60 }
    one.run(30_000)
    expect(told(one)).toEqual([])
    expect(one.venue.held.askBps).toBe(90)
  })

  it('found at a start is a warning, and is put right', () => {
    const one = desk()
    one.venue.held = { ...one.venue.held, askBps: 12 }
    one.restart()
    one.run(30_000)
    expect(told(one)).toMatchObject([{ severity: 'warning' }])
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  })
})

describe('two foreign writes', () => {
  const { pacing } = coreConfig()

  it('both alert; a resume acknowledges the spread, and the position stays out until an operator activates it', () => {
    const one = desk({ config: { pacing: { ...pacing, quoteCheckIntervalMs: 10_000 } } })
    one.venue.held = { ...one.venue.held, askBps: 12 }
    one.run(20_000)
    one.venue.isActive = false
    one.run(10 * MINUTE)
    expect(told(one).map(({ message }) => message)).toEqual([
      expect.stringContaining('12 bps'),
      expect.stringContaining('was deactivated'),
    ])
    const before = activations(one).length
    expect(one.order({ name: 'resume' }).answer).toMatch(
      /^lifted: .*12 bps.*; still latched, until `activate`: /,
    )
    one.run(60 * MINUTE)
    expect(activations(one)).toHaveLength(before)
    expect([one.venue.isActive, rules(one)]).toEqual([false, ['foreign-write']])
    one.order({ name: 'activate' })
    one.run(MINUTE)
    expect([one.venue.isActive, rules(one)]).toEqual([true, []])
  })

  it('an activation acknowledges the deactivation and leaves the spread latched', () => {
    const one = desk({ config: { pacing: { ...pacing, quoteCheckIntervalMs: 10_000 } } })
    one.venue.isActive = false
    one.run(10 * MINUTE)
    one.venue.held = { ...one.venue.held, askBps: 12 }
    one.run(MINUTE)
    expect(told(one)).toHaveLength(2)
    one.order({ name: 'activate' })
    one.run(MINUTE)
    expect(Object.keys(one.state().latch.foreign)).toEqual(['spread'])
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })
})

describe('a foreign custody switch', () => {
  it('a foreign custody switch raises its own alert when an activation is refused', () => {
    const one = desk()
    one.order({ name: 'deactivate' })
    one.run(MINUTE)
    one.venue.answers.activate = () => failureOf('refused', { status: 409, code: 'SELF_CUSTODY_ENABLED' })
    one.order({ name: 'activate' })
    one.run(5_000)
    expect(told(one)).toMatchObject([
      { severity: 'critical', message: expect.stringContaining('self-custody') },
    ])
    const tried = activations(one).length
    one.run(60 * MINUTE)
    // The wish of the person stands; the daemon continues trying it ever more slowly.
    expect(activations(one).length - tried).toBeLessThan(70)
    expect(rules(one)).toEqual(['foreign-write'])
  })
})

describe('what is found at a start', () => {
  it('a position that is inactive and was active is a warning, and goes to market again', () => {
    const one = desk()
    one.venue.isActive = false
    one.restart()
    one.run(MINUTE)
    expect(told(one)).toMatchObject([{ severity: 'warning' }])
    expect(one.venue.isActive).toBe(true)
  })

  it('as it was left is nothing to tell', () => {
    const one = desk()
    one.restart()
    one.run(10 * MINUTE)
    expect(told(one)).toEqual([])
  })
})

describe('the wallet of the account', () => {
  const named =
    (walletAddress: string, isActive = true) =>
    () =>
      ({ type: 'account', isActive, walletAddress }) as const

  it('that changes halts at once, names both, and is pinned anew only by a person', () => {
    const one = desk()
    one.venue.answers.readAccount = named('0xAAAA')
    one.run(2 * MINUTE)
    expect(one.state().latch.halted).toBeNull()
    one.venue.answers.readAccount = named('0xBBBB')
    one.run(61_000)
    expect(one.state().latch.halted).toMatchObject({ rule: 'wallet-changed' })
    expect(one.state().latch.halted?.why).toMatch(/0xbbbb .* 0xaaaa/)
    one.restart()
    one.run(MINUTE)
    expect(one.state().latch.halted).toMatchObject({ rule: 'wallet-changed' })
    one.order({ name: 'resume' })
    one.run(5 * MINUTE)
    expect(one.state().latch.halted).toBeNull()
    one.venue.answers.readAccount = named('0xAAAA')
    one.run(2 * MINUTE)
    expect(one.state().latch.halted).toMatchObject({ rule: 'wallet-changed' })
  })

  it('that changes is not where a halt sends the tokens: the safe quote stands instead, also when the daemon leaves', () => {
    const { quote } = coreConfig()
    const one = desk({ config: { quote: { ...quote, onExit: 'deactivate' } } })
    one.venue.answers.readAccount = named('0xAAAA')
    one.run(2 * MINUTE)
    one.venue.answers.readAccount = named('0xBBBB')
    one.run(2 * MINUTE)
    expect(one.state().latch.halted).toMatchObject({ rule: 'wallet-changed' })
    expect(one.order({ name: 'deactivate', insists: true })).toMatchObject(
      refused('`mizani deactivate --wallet 0xbbbb`'),
    )
    one.order({ name: 'shutdown' })
    one.run(MINUTE)
    expect(one.venue).toMatchObject({ isActive: true, held: { bidBps: 500, askBps: 500 } })
  })

  it('that is written in other letters, or is not named, is the same wallet', () => {
    const one = desk()
    one.venue.answers.readAccount = named('0xAbCd')
    one.run(2 * MINUTE)
    one.venue.answers.readAccount = named('0xaBcD')
    one.run(2 * MINUTE)
    delete one.venue.answers.readAccount
    one.run(2 * MINUTE)
    expect(one.state().latch.halted).toBeNull()
  })
})
