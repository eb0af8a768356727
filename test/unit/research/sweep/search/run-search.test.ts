import { describe, expect, it } from 'vitest'
import { err, ok } from '../../../../../src/base/result.ts'
import { type Axis, parseSpace } from '../../../../../src/research/sweep/grid.ts'
import { frontOf } from '../../../../../src/research/sweep/search/front.ts'
import type { Objective, VariantMetrics } from '../../../../../src/research/sweep/search/objectives.ts'
import {
  type Ground,
  runSearch,
  type SearchResult,
  type SearchOrder,
} from '../../../../../src/research/sweep/search/run-search.ts'
import { genomeOf } from '../../../../../src/research/sweep/search/space.ts'
import type { VariantChanges } from '../../../../../src/research/sweep/variant.ts'

const SPACE = '{"width":[10,100],"skew":[0.5,2.5],"kind":["a","b","c"]}'
const OBJECTIVES: readonly Objective[] = [
  { metric: 'earned', goal: 'max' },
  { metric: 'risk', goal: 'min' },
]

function axesOf(space: string): readonly Axis[] {
  const axes = parseSpace(space)
  if (!axes.ok) throw new Error(axes.error)
  return axes.value
}

/** Wide earns more and risks more; kind b earns nothing; the best skew is 1.5. */
function measured(changes: VariantChanges): VariantMetrics {
  const width = Number(changes['strategy.params.width'] ?? 50)
  const skew = Number(changes['strategy.params.skew'] ?? 1)
  const isWorst = changes['strategy.params.kind'] === 'b'
  return {
    earned: isWorst ? 0 : width - 10 * (skew - 1.5) ** 2,
    risk: width * (isWorst ? 2 : 1),
    edge: width > 90 ? null : width,
  }
}

function groundOf(name: string, log: VariantChanges[] = [], leaveAfter = Infinity): Ground {
  return {
    name,
    measure(variants, observe) {
      if (log.length >= leaveAfter) return Promise.resolve(ok(null))
      log.push(...variants)
      observe(variants.length)
      return Promise.resolve(ok(variants.map(measured)))
    },
  }
}

function orderOf(parts: Partial<SearchOrder> = {}): SearchOrder {
  const axes = parts.axes ?? axesOf(SPACE)
  return {
    axes,
    present: genomeOf(axes, (path) => ({ width: 50, skew: 1, kind: 'a' })[path.split('.')[2] ?? '']),
    population: 20,
    generations: 12,
    seed: 1,
    objectives: OBJECTIVES,
    constraints: [],
    combination: 'mean',
    grounds: [groundOf('tape')],
    validate: (variants) => Promise.resolve(ok(variants.map(() => ok(null)))),
    observe: () => undefined,
    ...parts,
  }
}

async function searched(parts: Partial<SearchOrder> = {}): Promise<SearchResult> {
  const ended = await runSearch(orderOf(parts))
  if (!ended.ok || ended.value.kind === 'left') throw new Error(JSON.stringify(ended))
  return ended.value
}

describe('a search', () => {
  it('finds the front: the best skew at every width, and no variant of the kind that earns nothing', async () => {
    const { points, front } = await searched({ generations: 30 })
    const skews = front.map((place) => Number(points[place]!.changes['strategy.params.skew'] ?? 1))
    const near = skews.filter((skew) => Math.abs(skew - 1.5) < 0.1)
    expect(near.length).toBeGreaterThan(0.8 * skews.length)
    expect(front.some((place) => points[place]!.changes['strategy.params.kind'] === 'b')).toBe(false)
    expect(front.length).toBeGreaterThan(15)
  })

  it('tries the configuration as it is first, and no combination twice', async () => {
    const log: VariantChanges[] = []
    const { points } = await searched({ grounds: [groundOf('tape', log)] })
    expect(log[0]).toEqual({})
    expect(new Set(log.map((one) => JSON.stringify(one))).size).toBe(log.length)
    expect(log).not.toContainEqual({
      'strategy.params.width': 50,
      'strategy.params.skew': 1,
      'strategy.params.kind': 'a',
    })
    expect(points.map(({ changes }) => changes)).toEqual(log)
  })

  it('is the same for the same seed, also where it was left in the middle, and another one for another seed', async () => {
    const whole = await searched()
    const left = await runSearch(orderOf({ grounds: [groundOf('tape', [], 70)] }))
    expect(left).toMatchObject({ ok: true, value: { kind: 'left' } })
    expect(await searched()).toEqual(whole)
    expect((await searched({ seed: 2 })).points).not.toEqual(whole.points)
  })

  it('leaves out what is no valid configuration, and counts it', async () => {
    const { points, invalid } = await searched({
      validate: (variants) =>
        Promise.resolve(
          ok(variants.map((one) => (Number(one['strategy.params.width']) >= 30 ? ok(null) : err('narrow')))),
        ),
    })
    expect(invalid).toBeGreaterThan(0)
    for (const { changes } of points.slice(1))
      expect(Number(changes['strategy.params.width'])).toBeGreaterThanOrEqual(30)
    const none = await runSearch(
      orderOf({ validate: (all) => Promise.resolve(ok(all.map(() => err('width: too small')))) }),
    )
    expect(none).toMatchObject({
      ok: false,
      error: expect.stringMatching(/--space: .*width: too small/) as string,
    })
  })

  it.each([1, 2, 3])('ends where the configuration has changed by generation %i', async (last) => {
    let calls = 0
    const validate: SearchOrder['validate'] = (variants) =>
      Promise.resolve(calls++ < last ? ok(variants.map(() => ok(null))) : err('changed'))
    expect(await runSearch(orderOf({ generations: 3, validate }))).toEqual(err('changed'))
  })

  it('keeps to its constraints, and its front is empty where nothing does', async () => {
    const constraint = { metric: 'risk', relation: '<=', bound: 40 } as const
    const { points, front } = await searched({ constraints: [constraint] })
    for (const place of front) expect(points[place]!.metrics.risk).toBeLessThanOrEqual(40)
    const impossible = { metric: 'earned', relation: '>=', bound: 1_000 } as const
    expect((await searched({ constraints: [impossible] })).front).toEqual([])
  })

  it('puts no variant on the front that has no figure for an objective', async () => {
    const { points, front } = await searched({ objectives: [{ metric: 'edge', goal: 'max' }] })
    expect(front.map((place) => points[place]!.metrics.edge)).toEqual(front.map(() => 90))
  })

  it('names what can be measured where an objective is no metric', async () => {
    const ended = await runSearch(orderOf({ objectives: [{ metric: 'earnt', goal: 'max' }] }))
    expect(ended).toEqual({
      ok: false,
      error: 'nothing measures earnt; expected one of earned, edge, risk',
    })
  })

  it('judges several tapes by their mean, the worst of each metric, or one of them', async () => {
    const shifted: Ground = {
      name: 'june',
      measure: (variants) =>
        Promise.resolve(
          ok(variants.map((one) => ({ ...measured(one), earned: -1, risk: 3 * measured(one).risk! }))),
        ),
    }
    const grounds = [groundOf('may'), shifted]
    const first = async (combination: SearchOrder['combination']) =>
      (await searched({ grounds, combination })).points[0]!
    expect((await first('mean')).metrics).toMatchObject({ earned: 23.25, risk: 100 })
    expect((await first('worst')).metrics).toMatchObject({ earned: -1, risk: 150 })
    expect((await first({ of: 'may' })).metrics).toMatchObject({ earned: 47.5, risk: 50 })
    expect((await first('mean')).byGround.june).toMatchObject({ earned: -1, risk: 150 })
  })

  it('ends where the space has no combination that was not tried', async () => {
    const { points } = await searched({ axes: axesOf('{"kind":["a","b","c"]}'), present: null })
    expect(points).toHaveLength(4)
  })

  it('shows as many done as it has measured, of all that it may try', async () => {
    const seen: number[] = []
    let total = 0
    await searched({
      grounds: [groundOf('may'), groundOf('june')],
      observe: (progress) => {
        seen.push(progress.done)
        total = progress.total
      },
    })
    expect(total).toBe((20 * 12 + 1) * 2)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })
})

describe('the front of a search', () => {
  it('begins with the best of the first objective, and has of the metrics those that were asked for', async () => {
    const ended = await searched()
    const settings = {
      objectives: OBJECTIVES,
      constraints: [],
      combination: 'mean',
      grounds: ['tape'],
    } as const
    const front = frontOf(ended, { ...settings, seed: 1, population: 20, generations: 12 })
    const earned = front.front.map(({ metrics }) => metrics.earned!)
    expect(earned).toEqual(earned.toSorted((a, b) => b - a))
    expect(front.unchanged).toMatchObject({
      variant: 0,
      label: 'unchanged',
      metrics: { earned: 47.5, risk: 50 },
    })
    expect(Object.keys(front.unchanged.metrics)).toEqual(['earned', 'risk'])
    expect(front.tried).toBe(ended.points.length)
  })
})
