import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../../../src/base/result.ts'
import type { LoadedConfig } from '../../../../src/config/load/loaded-config.ts'
import { createLearner } from '../../../../src/conformance/learn.ts'
import type { Profile } from '../../../../src/conformance/profile.ts'
import type { Topic } from '../../../../src/conformance/trait.ts'
import type { Notice } from '../../../../src/notify/notice.ts'
import { judgeConformance, reviewConformance } from '../../../../src/runtime/review/review-conformance.ts'
import { conformanceFile } from '../../../../src/runtime/review/stored-reviews.ts'
import { createMetrics } from '../../../../src/telemetry/metrics/metrics.ts'
import { until } from '../../../e2e/daemon/until.ts'

const START = Date.UTC(2026, 10, 20, 14)
const root = mkdtempSync(join(tmpdir(), 'mizani-conformance-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A day of a venue in which these were seen. */
function seen(values: Partial<Record<Topic, string>>, events = 100): Profile {
  const empty = createLearner().profile('desk-1', null)
  const traits = empty.traits.map((trait) => ({ ...trait, value: values[trait.topic] ?? null }))
  const fee = values['protocol-fee']
  const sandbox = { ...empty.sandbox, protocolFeeBps: fee === undefined ? null : Number.parseInt(fee) }
  return { ...empty, from: START, to: START + 1, events, traits, sandbox }
}

/** What each of these days changed, from the first on. */
function changesOf(days: readonly Result<Profile, string>[]): readonly string[] {
  let kept: Parameters<typeof judgeConformance>[0] = null
  return days.map((day, index) => {
    const { next, changes } = judgeConformance(kept, day, START + index)
    kept = next
    return changes.map(({ topic, before, after }) => `${topic}: ${before} -> ${after}`).join('; ')
  })
}

describe('what a venue does', () => {
  test('is learned on the first day, and each change is found once', () => {
    const [tenBps, fifteenBps] = [seen({ 'protocol-fee': '10 bps' }), seen({ 'protocol-fee': '15 bps' })]
    expect(changesOf([ok(tenBps), ok(tenBps), ok(fifteenBps), ok(fifteenBps), ok(tenBps)])).toEqual([
      '',
      '',
      'protocol-fee: 10 bps -> 15 bps',
      '',
      'protocol-fee: 15 bps -> 10 bps',
    ])
  })

  test('stays known over days that show nothing of it, and over days that cannot be read', () => {
    const fee = seen({ 'protocol-fee': '10 bps' })
    const { next } = judgeConformance(
      { at: START, known: fee, problem: null },
      err('the store is locked'),
      START + 1,
    )
    expect(next).toEqual({ at: START + 1, known: fee, problem: 'the store is locked' })
    expect(changesOf([ok(fee), ok(seen({})), err('none'), ok(seen({ 'protocol-fee': '12 bps' }))])).toEqual([
      '',
      '',
      '',
      'protocol-fee: 10 bps -> 12 bps',
    ])
    const kept = judgeConformance({ at: START, known: fee, problem: null }, ok(seen({})), START + 1)
    expect(kept.next.known?.sandbox.protocolFeeBps).toBe(10)
  })

  test('changes with an undocumented field that comes, and not with one that a day does not show', () => {
    const [one, two] = [
      seen({ 'undocumented-fields': 'fills.maker' }),
      seen({ 'undocumented-fields': 'fills.hint' }),
    ]
    expect(changesOf([ok(seen({})), ok(one), ok(seen({})), ok(two), ok(one)])).toEqual([
      '',
      'undocumented-fields: none -> fills.maker',
      '',
      'undocumented-fields: fills.maker -> fills.hint, fills.maker',
      '',
    ])
  })
})

describe('the daemon', () => {
  test('learns from the last day of its journal, alerts with before and after, and remembers over a restart', async () => {
    const folder = mkdtempSync(join(root, 'store-'))
    const answers: Result<Profile, string>[] = [
      ok(seen({ dialect: 'the contract’s' })),
      err('the disk is gone'),
    ]
    const asked: unknown[] = []
    const notices: Notice[] = []
    const logged: string[] = []
    const metrics = createMetrics('desk-1')
    const log = (_line: object, text: string) => void logged.push(text)
    const config = {
      core: { name: 'desk-1' },
      store: { path: folder, place: folder },
    } as unknown as LoadedConfig
    const open = () =>
      reviewConformance({
        config: () => config,
        now: () => START,
        threads: {
          run: (_worker, job) => {
            asked.push(job)
            const answer = answers.shift()
            // What a day is not given for has not been learned when the review is closed.
            return (answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer)) as never
          },
        },
        log: { info: log, warn: log } as never,
        metrics,
        notify: (notice) => notices.push(notice),
        everyMs: 5,
        firstAfterMs: 1,
      })
    const first = open()
    await until('two days are learned', () => conformanceFile(folder).read()?.problem === 'the disk is gone')
    first.close()
    expect(asked[0]).toEqual({ store: folder, position: 'desk-1', from: START - 86_400_000 })
    expect(logged).toEqual(['what the venue does is not known: the disk is gone'])
    expect(notices).toEqual([])
    answers.push(ok(seen({ dialect: 'the other one' })))
    const second = open()
    await until('the change is reported', () => notices.length > 0)
    second.close()
    expect(notices).toEqual([
      expect.objectContaining({
        kind: 'raised',
        code: 'conformance',
        severity: 'warning',
        text: 'the venue does otherwise than before: dialect of the answers: the contract’s before, the other one now',
      }),
    ])
    const counted = await metrics.alerts.get()
    expect(counted.values.find(({ labels }) => labels.code === 'conformance')?.value).toBe(1)
  })
})
