import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changedYaml, frontPage } from '../../../../../src/research/report/pages/front-page.ts'
import type { Front, FrontPoint } from '../../../../../src/research/sweep/search/front.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-front-'))
const config = join(folder, 'live.yaml')
const TEXT = `# ours
venue: { apiKey: !env MIZANI_API_KEY }
strategy: { use: inventory-skew, params: { halfSpreadBps: 60 } } # since May
`
writeFileSync(config, TEXT)

function pointOf(variant: number, earned: number | null, label = `v${variant}`): FrontPoint {
  const changes: FrontPoint['changes'] =
    variant === 0 ? {} : { 'strategy.params.halfSpreadBps': 40 + variant }
  const metrics = { earned, risk: 10 + variant }
  return {
    variant,
    label,
    changes,
    generation: 1,
    metrics,
    byGround: { tape: metrics },
    keepsConstraints: true,
  }
}

function frontWith(front: readonly FrontPoint[]): Front {
  return {
    version: 1,
    objectives: [
      { metric: 'earned', goal: 'max' },
      { metric: 'risk', goal: 'min' },
    ],
    constraints: [],
    combination: 'mean',
    grounds: ['tape'],
    seed: 1,
    population: 4,
    generations: 2,
    tried: 9,
    invalid: 0,
    unchanged: pointOf(0, 5),
    front,
  }
}

describe('the page of a front', () => {
  it('leads from every point to its variant, and to the file with its values', () => {
    const page = frontPage(frontWith([pointOf(3, 9), pointOf(4, 7)]), config)
    for (const variant of [3, 4]) {
      expect(page).toContain(`<a href="#variant-${variant}"><circle`)
      expect(page).toContain(`<section class="detail" id="variant-${variant}"`)
      expect(page).toContain(`download="live-variant-${variant}.yaml"`)
    }
    expect(page).not.toContain('<script')
    expect(page).not.toMatch(/https?:\/\//)
  })

  it('escapes every text that comes from outside', () => {
    const page = frontPage(frontWith([pointOf(3, 9, '<script>alert(1)</script>')]), config)
    expect(page).not.toContain('<script>')
    expect(page).toContain('&lt;script&gt;')
  })

  it('renders without a variant that meets the constraints, with a single point, and with a missing figure', () => {
    expect(frontPage(frontWith([]), config)).toContain('No variant meets')
    expect(frontPage(frontWith([pointOf(0, 5)]), config)).not.toContain('NaN')
    expect(frontPage({ ...frontWith([pointOf(3, 9)]), unchanged: pointOf(0, null) }, config)).not.toContain(
      'NaN',
    )
  })
})

describe('the file of a variant', () => {
  it('is the configuration with its comments and its secrets as names, and other values', () => {
    const changed = changedYaml(TEXT, { 'strategy.params.halfSpreadBps': 47, 'quote.requoteThresholdBps': 4 })
    expect(changed).toBe(`# ours
venue: { apiKey: !env MIZANI_API_KEY }
strategy: { use: inventory-skew, params: { halfSpreadBps: 47 } } # since May
quote:
  requoteThresholdBps: 4
`)
  })

  it('begins with the defaults of a strategy that the variant names', () => {
    expect(changedYaml(TEXT, { 'strategy.use': 'glft', 'strategy.params.riskAversion': 0.1 })).toContain(
      'strategy: { use: glft, params: { riskAversion: 0.1 } }',
    )
  })
})
