import { expect, test } from 'vitest'
import {
  createStandbyMetrics,
  standbyMetricsSource,
} from '../../../../../src/daemon/telemetry/metrics/standby-metrics.ts'

test('each position that several daemons may hold shows whether it waits here, and one that left shows nothing', async () => {
  let positions = [
    { name: 'a', standsBy: true },
    { name: 'b', standsBy: false },
  ]
  const source = standbyMetricsSource(createStandbyMetrics(), () => positions)
  const series = async () => (await source.read(100))?.map((family) => family.series).join('')
  expect(await series()).toBe('mizani_standby{position="a"} 1\nmizani_standby{position="b"} 0\n')
  positions = [{ name: 'b', standsBy: true }]
  expect(await series()).toBe('mizani_standby{position="b"} 1\n')
})
