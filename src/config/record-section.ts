import { z } from 'zod'
import { field } from './field.ts'

export const recordSection = z.strictObject({
  path: field.text
    .nullable()
    .default(null)
    .describe('A folder for the tape, relative to the working directory; null = nothing is recorded.'),
  rotateMs: field.intervalMs
    .default(6 * 3_600_000)
    .describe('How long one Parquet file is written to before the next one.'),
})
