import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { renderMetrics } from '../../../src/daemon/telemetry/metrics/exposition.ts'
import { createMetrics } from '../../../src/daemon/telemetry/metrics/metrics.ts'
import { createScrape } from '../../../src/daemon/telemetry/metrics/scrape.ts'
import { createTreasuryMetrics } from '../../../src/daemon/telemetry/metrics/treasury-metrics.ts'
import { asked, dashboardUses, RULES_FILE } from '../../support/grafana-uses.ts'
import { needs } from '../../support/needs.ts'
import { exampleTreasury } from '../../unit/daemon/telemetry/example-treasury.ts'
import { exampleView } from '../../unit/daemon/telemetry/example-view.ts'

describe('promtool', () => {
  test.skipIf(needs('promtool'))('accepts the alert rules', () => {
    expect(execFileSync('promtool', ['check', 'rules', RULES_FILE], { encoding: 'utf8' })).toContain(
      'SUCCESS',
    )
  })

  test.skipIf(needs('promtool'))("parses every panel's and every annotation's expression", () => {
    const folder = mkdtempSync(join(tmpdir(), 'panels-'))
    const file = join(folder, 'panels.rules.yaml')
    const asRules = dashboardUses().map(({ expr }, index) => ({
      record: `panel:number_${index}`,
      expr: asked(expr),
    }))
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: asRules }] }))
    try {
      expect(execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toContain(
        `SUCCESS: ${asRules.length} rules`,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test.skipIf(needs('promtool'))('finds nothing to blame in what GET /metrics answers', async () => {
    const metrics = createMetrics('desk-1')
    metrics.showView(exampleView())
    const treasury = { ...createTreasuryMetrics(), position: 'desk-1' }
    treasury.show(exampleTreasury())
    const source = { positions: 1, read: () => renderMetrics([metrics, treasury]) }
    const { text } = await createScrape(() => [source])()
    const run = () => execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    expect(run()).toBe('')
  })
})
