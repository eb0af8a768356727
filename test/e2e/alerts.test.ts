import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TEST_ACCOUNTS } from '../../src/simulator/sandbox/chain/addresses.ts'
import { rules, RULES_FILE } from '../support/grafana-uses.ts'
import { needs } from '../support/needs.ts'
import { endDaemons, runDaemon, type RunningDaemon } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'
import { OF_A_FLEET, OF_A_TREASURY, OF_HOURS, openTroubles, type Trouble } from './prometheus/faults.ts'
import { MAKER_KEY_NAME } from './prometheus/open-desk.ts'
import { runPrometheus, type FiringAlert, type RunningPrometheus } from './prometheus/run-prometheus.ts'
import { shortenRules } from './prometheus/shorten-rules.ts'

const AT_DEATH = ['MizaniDaemonDown', 'MizaniPositionSilent']

/** One desk computes too much on processors that all of them share, and a scrape has no more than a second. */
const OF_THE_MACHINE = ['MizaniDecidesSlowly', ...AT_DEATH]
const isOfTheMachine = (key: string) => OF_THE_MACHINE.some((alert) => key.startsWith(alert))

describe.skipIf(needs('prometheus') || needs('anvil'))('every alert, fired by a real fault', () => {
  // A dozen positions in one process: from the sources each of them would take a second of a processor to start.
  const stop = new AbortController()
  /** `alert position` -> the alert as it fired first. */
  const fired = new Map<string, FiringAlert>()
  const lasting: Promise<void>[] = []
  let troubles: readonly Trouble[] = []
  let daemon: RunningDaemon
  let prometheus: RunningPrometheus

  async function note(): Promise<void> {
    for (const alert of await prometheus.alerts()) {
      const { alertname = '', position = '' } = alert.labels
      const key = `${alertname} ${position}`
      if (alert.state === 'firing' && !fired.has(key)) fired.set(key, alert)
    }
  }

  beforeAll(async () => {
    troubles = await openTroubles()
    daemon = runDaemon({
      configs: troubles.map(({ desk }) => desk.config),
      env: {
        [MAKER_KEY_NAME]: TEST_ACCOUNTS.maker.key,
        MIZANI_TEST_HOOK: `${troubles[0]?.desk.venue.url}/no-such-hook`,
        MIZANI_TEST_HOOK_KEY: 'a-key-of-more-than-sixteen-letters',
      },
    })
    const url = await daemon.url()
    prometheus = await runPrometheus(url, shortenRules(readFileSync(RULES_FILE, 'utf8')))
    await until('the calm desk quotes and Prometheus has seen it for some seconds', async () => {
      const [sample] = await prometheus.query(
        'count_over_time(mizani_quote_on{position="calm",side="bid"}[1m])',
      )
      return Number(sample?.value[1] ?? 0) >= 4
    })
    for (const { begin } of troubles) lasting.push(begin(daemon, stop.signal))
    const wanted = troubles.flatMap(({ desk, fires }) => fires.map((alert) => `${alert} ${desk.name}`))
    await until(
      'all of it fires',
      async () => {
        await note()
        return wanted.every((key) => fired.has(key))
      },
      { withinMs: 75_000, otherwise: () => `missing: ${wanted.filter((key) => !fired.has(key)).join(', ')}` },
    )
  }, 150_000)

  afterAll(async () => {
    stop.abort()
    await Promise.allSettled(lasting)
    await prometheus?.close()
    await endDaemons()
    for (const { desk } of troubles) await desk.close()
  })

  test('each desk with trouble has its alerts, and none that do not belong to it', () => {
    for (const { desk, fires, mayFire } of troubles) {
      const own = [...fired.values()]
        .filter(({ labels }) => labels['position'] === desk.name)
        .map(({ labels }) => labels['alertname'] ?? '')
      expect([desk.name, own]).toEqual([desk.name, expect.arrayContaining([...fires])])
      const others = own.filter((alert) => ![...fires, ...mayFire].includes(alert) && !isOfTheMachine(alert))
      expect([desk.name, others]).toEqual([desk.name, []])
    }
  })

  test('the desk beside them without trouble has none', () => {
    const own = [...fired.keys()].filter((key) => key.endsWith(' calm') && !isOfTheMachine(key))
    expect(own).toEqual([])
  })

  test('every text is filled in, and says which position and where the runbook has it', () => {
    for (const { labels, annotations } of fired.values()) {
      const texts = Object.values(annotations).join('\n')
      expect(texts).not.toMatch(/\{\{|<no value>|error expanding/)
      expect(annotations['live']).toMatch(
        /^(the position is inactive|((bid|ask) \d+ bps )+|unknown, or no side is on|the last spread of .*)$/,
      )
      expect(annotations['summary']).toContain(labels['position'] ?? labels['instance'])
      expect(annotations['runbook_url']).toMatch(/^docs\/runbook\.md#[a-z-]+$/)
    }
    const raised = fired.get('MizaniAlertRaised failing')
    expect(raised?.annotations['runbook_url']).toBe('docs/runbook.md#quote-stuck')
  })

  test('the death of the process is notified, of the process and of each of its positions', async () => {
    await daemon.kill('SIGKILL')
    // Whatever was slow before: now everything is gone.
    for (const key of fired.keys()) if (AT_DEATH.some((alert) => key.startsWith(alert))) fired.delete(key)
    await until('the last figures are stale', async () => (await prometheus.query('up == 1')).length === 0)
    const names = troubles.map(({ desk }) => desk.name)
    const wanted = ['MizaniDaemonDown ', ...names.map((name) => `MizaniPositionSilent ${name}`)]
    await until(
      'the silence is notified',
      async () => {
        await note()
        return wanted.every((key) => fired.has(key))
      },
      { otherwise: () => [...fired.keys()] },
    )
  })

  test('not one rule is left out', () => {
    const played = new Set([
      ...troubles.flatMap(({ fires }) => fires),
      ...AT_DEATH,
      ...OF_A_FLEET,
      ...OF_A_TREASURY,
      ...OF_HOURS,
    ])
    const isDiskLeftOut = !played.has('MizaniDiskNearlyFull')
    // In CI a rule left out would hide that it never fired.
    expect(isDiskLeftOut && process.env['CI'] === 'true', 'CI has to be able to mount a tmpfs').toBe(false)
    const all = rules().map(({ alert }) => alert)
    expect(all.filter((alert) => !played.has(alert))).toEqual(isDiskLeftOut ? ['MizaniDiskNearlyFull'] : [])
  })
})
