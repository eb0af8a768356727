import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import type { CalibrationChoice } from '../../../core/engine/model/config.ts'
import type { Calibration, FairValueCalibration, TakerSegment } from '../../../core/models/calibration.ts'
import { SEGMENT_KINDS } from '../../../core/models/flow/taker-segments.ts'

const estimate = z.strictObject({ value: z.number(), low: z.number(), high: z.number() })

const quotedRate = z.strictObject({ bps: z.number(), perDay: estimate })

const intensity = z.strictObject({
  a: estimate,
  k: estimate,
  fills: z.int(),
  exposureDays: z.number(),
  method: z.enum(['likelihood', 'posterior', 'default']),
  overdispersion: z.number(),
  priorOnly: z.array(z.enum(['a', 'k'])).optional(),
  quotedRate: quotedRate.optional(),
})

/** Within the configuration's bounds, so that the filter never has untested parameters. */
function measured(min: number, max: number) {
  return z.strictObject({
    value: z.number().min(min).max(max),
    low: z.number(),
    high: z.number(),
    isMeasured: z.boolean(),
  })
}

const fairValue: z.ZodType<FairValueCalibration> = z.strictObject({
  sigmaBps: measured(1, 500),
  followShare: measured(0.01, 1),
  publicationNoiseBps: measured(0, 200),
  updates: z.int(),
  feeds: z.array(
    z.strictObject({
      name: z.string(),
      readings: z.int(),
      errorBps: measured(0, 1_000),
      errorHalfLifeDays: measured(0.01, 365),
      lead: z.array(z.strictObject({ updates: z.int(), share: estimate })),
    }),
  ),
})

const segment: z.ZodType<TakerSegment> = z.strictObject({
  by: z.enum([...SEGMENT_KINDS, 'size']),
  name: z.string().nullable(),
  names: z.int(),
  fills: z.int(),
  usd: z.number(),
  rate: quotedRate.nullable(),
  k: estimate.extend({ isMeasured: z.boolean() }),
  markout: estimate.nullable(),
})

const calibration: z.ZodType<Calibration> = z.strictObject({
  version: z.literal(1),
  from: z.number(),
  to: z.number(),
  since: z.number().optional(),
  fills: z.int(),
  prints: z.int(),
  both: intensity,
  bid: intensity.nullable(),
  ask: intensity.nullable(),
  sigma: estimate.nullable(),
  edge: estimate.optional(),
  markouts: z.array(z.strictObject({ horizon: z.string(), bps: estimate, fills: z.int(), prints: z.int() })),
  sizesUsd: z.array(z.number()),
  fairValue: fairValue.optional(),
  segments: z.array(segment).optional(),
  warnings: z.array(z.string()),
})

/** Reads the output of `mizani calibrate --out`. Hashes the file's bytes. Errors are sentences. */
export function readCalibration(path: string): Result<CalibrationChoice, string> {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (thrown) {
    const { code = 'unreadable' } = thrown as NodeJS.ErrnoException
    return err(`the calibration ${path} cannot be read (${code}); write one with mizani calibrate --out`)
  }
  const sourceHash = createHash('sha256').update(bytes).digest('hex')
  let data: unknown
  try {
    data = JSON.parse(bytes.toString('utf8'))
  } catch {
    return err(`${path} is not JSON; expected a file written by mizani calibrate --out`)
  }
  const parsed = calibration.safeParse(data)
  if (parsed.success) return ok({ sourceHash, learned: parsed.data })
  const [issue] = parsed.error.issues
  const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`
  return err(`${path} is not a calibration${where}; expected a file written by mizani calibrate --out`)
}
