import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { err, ok, type Result } from '../../base/result.ts'
import type { CalibrationChoice } from '../../engine/model/config.ts'
import type { Calibration } from '../../models/calibration.ts'

const estimate = z.strictObject({ value: z.number(), low: z.number(), high: z.number() })

const intensity = z.strictObject({
  a: estimate,
  k: estimate,
  fills: z.int(),
  exposureDays: z.number(),
  method: z.enum(['likelihood', 'posterior', 'default']),
  overdispersion: z.number(),
})

const calibration: z.ZodType<Calibration> = z.strictObject({
  version: z.literal(1),
  from: z.number(),
  to: z.number(),
  fills: z.int(),
  prints: z.int(),
  both: intensity,
  bid: intensity.nullable(),
  ask: intensity.nullable(),
  sigma: estimate.nullable(),
  markouts: z.array(z.strictObject({ horizon: z.string(), bps: estimate, fills: z.int(), prints: z.int() })),
  sizesUsd: z.array(z.number()),
  warnings: z.array(z.string()),
})

/** Reads what `mizani calibrate --out` wrote. The hash is of the file's bytes. Errors are sentences. */
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
    return err(`${path} is not JSON; a file written by mizani calibrate --out would be right`)
  }
  const parsed = calibration.safeParse(data)
  if (parsed.success) return ok({ sourceHash, learned: parsed.data })
  const [issue] = parsed.error.issues
  const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`
  return err(`${path} is no calibration${where}; a file written by mizani calibrate --out would be right`)
}
