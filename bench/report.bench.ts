import { renderReport } from '../src/research/report/render-report.ts'
import { sampleReport } from '../test/support/sample-report.ts'
import { shortOr } from './harness/short.ts'

const FILLS = shortOr(10_000, 1_000_000)
const POINTS = shortOr(3_000, 300_000)
const RUNS = shortOr(1, 3)
const TARGET_SECONDS = 3
const TARGET_MEGABYTES = 3

/** A year of made-up data with a million fills into one HTML file: the slowest run of some, and the file's size. */
export default function reportBench(): Promise<Record<string, unknown>> {
  const data = sampleReport({ days: 365, points: POINTS, fills: FILLS })
  const seconds: number[] = []
  let bytes = 0
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now()
    const html = renderReport(data)
    seconds.push((performance.now() - began) / 1_000)
    bytes = Buffer.byteLength(html)
  }
  return Promise.resolve({
    fills: FILLS,
    points: POINTS,
    seconds: Math.max(...seconds),
    megabytes: bytes / 1e6,
    targets: { seconds: TARGET_SECONDS, megabytes: TARGET_MEGABYTES },
    runs: seconds,
  })
}
