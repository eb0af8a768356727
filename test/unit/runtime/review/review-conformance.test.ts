import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

const START = Date.UTC(2026, 10, 20, 14)
const root = mkdtempSync(join(tmpdir(), 'mizani-conformance-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Seen = Partial<Record<Topic, string>> & {
  readonly evidence?: Partial<Profile['evidence']>
  readonly limit?: number
}

/** A day of a venue in which these were seen. */
function seen({ evidence, limit, ...values }: Seen): Profile {
  const empty = createLearner().profile('desk-1', null)
  const traits = empty.traits.map((trait) => ({ ...trait, value: values[trait.topic] ?? null }))
  const fee = values['protocol-fee']
  const sandbox = {
    ...empty.sandbox,
    protocolFeeBps: fee === undefined ? null : Number.parseInt(fee),
    requestsPerMinute: limit ?? null,
  }
  const all = { ...empty.evidence, ...evidence }
  return { ...empty, from: START, to: START + 1, events: 100, traits, sandbox, evidence: all }
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
    const day = (...fields: string[]) => ok(seen({ evidence: { fields, kinds: ['fills'] } }))
    expect(changesOf([day(), day('fills.maker'), day(), day('fills.hint'), day('fills.maker')])).toEqual([
      '',
      'undocumented-fields: none -> fills.maker',
      '',
      'undocumented-fields: fills.maker -> fills.hint, fills.maker',
      '',
    ])
  })

  test('is not otherwise when the first fill of a new position shows the fields of its rows', () => {
    const quiet = seen({ evidence: { kinds: ['balances', 'rate'] } })
    const first = seen({ evidence: { fields: ['fills.source'], kinds: ['fills', 'rate'] } })
    const later = seen({ evidence: { fields: ['fills.source', 'fills.tier'], kinds: ['fills'] } })
    expect(changesOf([ok(quiet), ok(first), ok(first), ok(later)])).toEqual([
      '',
      '',
      '',
      'undocumented-fields: fills.source -> fills.source, fills.tier',
    ])
  })

  test('changes with a tolerance of rotation that leaves no room for what was known, not with narrower bounds', () => {
    const day = (atLeast: number | null, below: number | null) =>
      ok(seen({ evidence: { rotation: { atLeast, below } } }))
    expect(changesOf([day(4, null), day(12, null), day(null, 20), day(null, 8), day(5, null)])).toEqual([
      '',
      '',
      '',
      'rotation-tolerance: at least 12 bps, less than 20 bps -> less than 8 bps',
      '',
    ])
  })

  test('changes with a publication at another time of day, or on a day of the week without one, once more are known', () => {
    const day = 86_400_000
    const at = (days: number, minutes = 0) => Date.UTC(2026, 2, 2, 9) + days * day + minutes * 60_000
    const on = (...published: number[]) => ok(seen({ evidence: { published } }))
    const weeks = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11].map((days) => at(days, days))
    expect(changesOf([on(at(0)), on(at(1, 200)), on(...weeks), on(at(14, 20))])).toEqual(['', '', '', ''])
    const [, otherTime, again] = changesOf([on(...weeks), on(at(14, 150)), on(at(14, 150), at(15, 149))])
    expect(otherTime).toBe('publication: 09:07 UTC (09:00 to 09:11), Mon Tue Wed Thu Fri -> Mon 11:30 UTC')
    expect(again).toBe('')
    const [, otherDay] = changesOf([on(...weeks), on(at(12))])
    expect(otherDay).toContain('-> Sat 09:00 UTC')
  })

  test('changes with a limit that refuses sooner or later, not by a few requests nor where none was met', () => {
    const day = (limit?: number) => ok(seen(limit === undefined ? {} : { limit }))
    expect(changesOf([day(60), day(57), day(), day(20), day(22)])).toEqual([
      '',
      '',
      '',
      'request-limit: about 57 requests a minute -> about 20 requests a minute',
      '',
    ])
  })

  test('changes with the dialect of one kind of answer, and not with one of a kind that was never seen', () => {
    const day = (dialects: Profile['evidence']['dialects']) => ok(seen({ evidence: { dialects } }))
    expect(
      changesOf([day({ rate: 'contract' }), day({ fills: 'observed' }), day({ rate: 'observed' })]),
    ).toEqual(['', '', 'dialect: the contract’s (rate) -> the other form (rate)'])
  })
})

describe('the daemon', () => {
  test('learns from the last day of its journal, alerts with before and after, and remembers over a restart', async () => {
    const folder = mkdtempSync(join(root, 'store-'))
    const answers: Result<Profile, string>[] = [
      ok(seen({ 'fee-side': 'from the position', evidence: { rotation: { atLeast: 12, below: null } } })),
      err('the disk is gone'),
    ]
    const asked: unknown[] = []
    const notices: Notice[] = []
    const logged: string[] = []
    let ranOut = () => {}
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
            if (answer === undefined) ranOut()
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
    const learnAll = async () => {
      const review = open()
      await new Promise<void>((resolve) => (ranOut = resolve))
      review.close()
    }
    await learnAll()
    expect(conformanceFile(folder).read()?.problem).toBe('the disk is gone')
    expect(asked[0]).toEqual({ store: folder, position: 'desk-1', from: START - 86_400_000 })
    expect(logged).toEqual(['what the venue does is not known: the disk is gone'])
    expect(notices).toEqual([])
    answers.push(
      ok(seen({ 'fee-side': 'from the pool', evidence: { rotation: { atLeast: null, below: 6 } } })),
    )
    await learnAll()
    expect(notices).toEqual([
      expect.objectContaining({
        kind: 'raised',
        code: 'conformance',
        severity: 'warning',
        text: 'the venue behaves differently than before: who bears the fee: from the position before, from the pool now; rotation tolerance: at least 12 bps before, less than 6 bps now',
      }),
    ])
    const counted = await metrics.alerts.get()
    expect(counted.values.find(({ labels }) => labels.code === 'conformance')?.value).toBe(1)
  })

  test('reports that what it kept cannot be read, and learns anew', () => {
    const logged: string[] = []
    const open = (folder: string) => {
      const log = (_line: object, text: string) => void logged.push(text)
      const config = { store: { path: folder } } as unknown as LoadedConfig
      reviewConformance({
        config: () => config,
        now: () => START,
        threads: {} as never,
        log: { info: log, warn: log } as never,
        metrics: createMetrics('desk-1'),
        notify: () => undefined,
        everyMs: 1_000_000,
        firstAfterMs: 1_000_000,
      }).close()
    }
    const folder = mkdtempSync(join(root, 'damaged-'))
    open(folder)
    expect(logged).toEqual([])
    writeFileSync(join(folder, 'conformance.json'), '{"at":1,"known":{"version":7}}')
    open(folder)
    expect(logged).toEqual([expect.stringContaining('learned anew')])
  })
})
