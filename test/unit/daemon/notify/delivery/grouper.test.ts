import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGrouper, type Group } from '../../../../../src/daemon/notify/delivery/grouper.ts'
import { exampleNotice, NOON } from '../example-message.ts'

const WINDOW_MS = 30_000

/** One code that comes and goes, and what people who ask for warnings are notified of it. */
class Desk {
  readonly told: string[] = []
  isKnown = false
  readonly #grouper = createGrouper(WINDOW_MS)
  readonly #severity: 'warning' | 'critical'
  #now = NOON

  constructor(severity: 'warning' | 'critical') {
    this.#severity = severity
  }

  hears(kind: 'raised' | 'lifted'): void {
    const isUrgent = kind === 'lifted' ? this.isKnown : this.#severity === 'critical'
    const severity = kind === 'lifted' ? 'info' : this.#severity
    this.#tell(this.#grouper.add(exampleNotice({ t: this.#now, kind, severity }), isUrgent, this.#now))
  }

  passes(ms: number): void {
    const until = this.#now + ms
    for (let next = this.#grouper.nextAt(); next <= until; next = this.#grouper.nextAt())
      this.#tell(this.#grouper.due(next))
    this.#now = until
  }

  #tell(groups: readonly Group[]): void {
    for (const { kind, severity, last } of groups) {
      if (kind === 'lifted' ? !this.isKnown : severity === 'info') continue
      this.isKnown = kind === 'raised'
      this.told.push(`${kind} ${(last.t - NOON) / 1_000}`)
    }
  }
}

test('a halt that comes back after two hasty resumes is the last word, not the end of the halt before', () => {
  const desk = new Desk('critical')
  desk.hears('raised')
  desk.passes(2_000)
  desk.hears('lifted')
  desk.passes(19_000)
  desk.hears('raised')
  desk.passes(2_000)
  desk.hears('lifted')
  desk.passes(4_000)
  desk.hears('raised')
  desk.passes(600_000)
  expect(desk.told).toEqual(['raised 0', 'lifted 2', 'raised 27'])
})

test('a warning that was sent, comes again unsent and lifts is reported as over', () => {
  const desk = new Desk('warning')
  desk.hears('raised')
  desk.passes(40_000)
  desk.hears('raised')
  desk.passes(10_000)
  desk.hears('lifted')
  desk.passes(600_000)
  expect(desk.told).toEqual(['raised 0', 'lifted 50'])
})

test('whatever comes and goes when, what people were told last is what is so', () => {
  const steps = fc.array(
    fc.record({ kind: fc.constantFrom('raised' as const, 'lifted' as const), afterMs: fc.nat(70_000) }),
    { minLength: 1, maxLength: 25 },
  )
  fc.assert(
    fc.property(fc.constantFrom('warning' as const, 'critical' as const), steps, (severity, all) => {
      const desk = new Desk(severity)
      for (const { kind, afterMs } of all) {
        desk.hears(kind)
        desk.passes(afterMs)
      }
      desk.passes(30 * 86_400_000)
      expect(desk.isKnown).toBe(all.at(-1)?.kind === 'raised')
    }),
  )
})
