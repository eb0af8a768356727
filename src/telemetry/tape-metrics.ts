import { Counter, type Gauge, type Registry } from 'prom-client'
import { absentGauge } from './absent-gauge.ts'

export type TapeMetrics = {
  readonly tapeRows: Counter
  readonly tapeRecording: Gauge
}

/** Whether a tape is written, and how fast. */
export function tapeMetrics(registry: Registry): TapeMetrics {
  return {
    tapeRows: new Counter({
      name: 'mizani_tape_rows_total',
      help: 'Rows written to the tape. Stays at zero where nothing is recorded.',
      registers: [registry],
    }),
    tapeRecording: absentGauge(
      registry,
      'mizani_tape_recording',
      '1 = a tape is written, 0 = it failed and nothing is recorded any more. Absent where record.path is not set.',
    ),
  }
}
