import { loadVariant } from '/work/team/wt/strategies/src/commands/research/tournament/participants.ts'
import { drawWorld, prepareScenario } from '/work/team/wt/strategies/src/scenarios/draw/world.ts'
import { playWorld } from '/work/team/wt/strategies/src/scenarios/play/play-world.ts'
import { CoreParticipant } from '/work/team/wt/strategies/src/tournament/core/core-participant.ts'
import { createCalendar } from '/work/team/wt/strategies/src/runtime/position/calendar.ts'
import { shippedScenario } from '/work/team/wt/strategies/test/support/shipped-scenario.ts'
const skew = { use: 'inventory-skew', params: { halfSpreadBps: 45, maxSkewBps: 80, offBeyond: 1 } }
const W = (p: any) => ({ use: 'weekend', params: { strategy: skew, ...p } })
const D = (p: any) => ({ use: 'dealer', params: p })
const A = (p: any) => ({ use: 'avellaneda-stoikov', params: p })
const guard = { use: 'toxicity-guard', params: { strategy: skew } }
const V: Record<string, any> = {
  skew,
  'w 5/5': W({ weekendBps: 5, publicationBps: 5, holidayBps: 5 }),
  'w 10/10': W({ weekendBps: 10, publicationBps: 10, holidayBps: 10 }),
  'w 5/0': W({ weekendBps: 5, publicationBps: 0, holidayBps: 5 }),
  'w 0/10': W({ weekendBps: 0, publicationBps: 10, holidayBps: 0 }),
  'comp(guard)': { use: 'competitive', params: { strategy: guard, exploreShare: 0 } },
  'comp(guard) e': { use: 'competitive', params: { strategy: guard } },
  'guard .5': { use: 'toxicity-guard', params: { strategy: skew, errorWeight: 0.5 } },
  'guard 0': { use: 'toxicity-guard', params: { strategy: skew, errorWeight: 0 } },
  'guard 1 m15': { use: 'toxicity-guard', params: { strategy: skew, marginBps: 15 } },
  'd 40': D({ alpha: -2, beta: 0.045 }),
  'd 30': D({ alpha: -1.5, beta: 0.045 }),
  'd 30g': D({ alpha: -1.5, beta: 0.045, riskAversion: 0.0005 }),
  'as 40': A({ decayBps: 40 }),
  'as 40 T2': A({ decayBps: 40, horizonDays: 2 }),
  'as 40 g': A({ decayBps: 40, riskAversion: 0.001 }),
}
const loaded: Record<string, any> = {}
for (const [n, v] of Object.entries(V)) {
  const l = await loadVariant(v, 'config/tournament.yaml')
  if (!l.ok) throw new Error(n + l.error)
  loaded[n] = l.value
}
for (const sc of (process.argv[2] ?? 'normal,weekend,devaluation,undercut').split(',')) {
  const p = prepareScenario(shippedScenario(sc), 60)
  const seeds = [1, 2, 3, 4, 5, 6]
  const worlds = seeds.map((s) => drawWorld(p, s))
  const base: number[] = []
  for (const n of Object.keys(V)) {
    const t0 = process.cpuUsage()
    const r = worlds.map((w) =>
      playWorld(w, new CoreParticipant(loaded[n], 25, createCalendar()).decide, { tauBps: 25 } as any),
    )
    const t = process.cpuUsage(t0)
    const pn = r.map((x) => x.pnlUsd)
    if (n === 'skew') base.push(...pn)
    const d = pn.map((x, i) => x - base[i]!)
    const m = (a: number[]) => a.reduce((s, x) => s + x, 0) / a.length
    const sd = Math.sqrt((m(d.map((x) => (x - m(d)) ** 2)) * 6) / 5 / 6)
    console.log(
      sc.padEnd(12),
      n.padEnd(14),
      'pnl',
      m(pn).toFixed(0).padStart(6),
      'diff',
      m(d).toFixed(0).padStart(6),
      '+-',
      sd.toFixed(0).padStart(4),
      'retail',
      m(r.map((x) => x.retailUsd ?? (x as any).retailEdgeUsd ?? NaN)).toFixed(0),
      'inf',
      m(r.map((x) => (x as any).informedUsd ?? NaN)).toFixed(0),
      'fills',
      m(r.map((x) => x.fills.retail)).toFixed(0),
      m(r.map((x) => x.fills.informed)).toFixed(1),
      'ms',
      ((t.user + t.system) / 6000).toFixed(0),
    )
  }
}
