import { expect, test } from 'vitest'
import { loadFleet } from '../../../src/daemon/config/fleet/load-fleet.ts'
import { folderWith, STRATEGIES } from '../../unit/daemon/config/config-fixture.ts'

test('a strategy that hangs is the problem of its own file, and the others are tried', async () => {
  const folder = folderWith({
    'defaults.yaml': `fleet: {}
venue: { baseUrl: "https://venue.example" }
strategy: { use: plain }
risk: { priceCorridor: { min: '2300', max: '2900' } }
`,
    'a.yaml':
      'name: one\nvenue: { apiKey: !env KEY_1 }\nstrategy: { use: misbehaving, params: { how: loops } }\n',
    'b.yaml': 'name: two\nvenue: { apiKey: !env KEY_2 }\n',
  })
  const env = { KEY_1: 'mm_test_1', KEY_2: 'mm_test_2' }
  const fleet = await loadFleet(folder, env, { strategiesFolder: STRATEGIES, probeLimitMs: 10_000 })
  if (!fleet.ok) throw new Error(JSON.stringify(fleet.error))
  const [a, b] = fleet.value.files.map(({ loaded }) => loaded)
  expect(a).toMatchObject({
    ok: false,
    error: [{ line: 3, path: 'strategy.use', message: expect.stringContaining('10000 ms') }],
  })
  expect(b).toMatchObject({ ok: true, value: { core: { name: 'two' } } })
})
