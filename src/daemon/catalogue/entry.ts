import type { Severity } from '../../core/alerts/entry.ts'
import type { Observation } from '../../core/engine/model/observation.ts'

export type ObservationType = Observation['type']
export type ObservationOf<Type extends ObservationType> = Extract<Observation, { readonly type: Type }>

/** One count, under the name of its counter in the metrics. */
export type Count = {
  readonly counter:
    | 'fills'
    | 'fillVolumeUsd'
    | 'quarantinedRows'
    | 'requotes'
    | 'strategyFallbacks'
    | 'riskRefusals'
    | 'alerts'
    | 'rfqSigned'
    | 'rfqFills'
    | 'rfqRejected'
  readonly labels: Readonly<Record<string, string>>
  readonly by?: number
}

/** A notification: its code, whether the condition begins or ends, and a text if it differs from the sentence. */
export type Call = {
  readonly code: string
  readonly kind: 'raised' | 'lifted'
  readonly text?: string
  /** The rule that halted. */
  readonly rule?: string
}

/**
 * How one type of observation is shown. The log, the metrics, the console's event log and the notifications all use this
 * entry, so each fact has one severity and one sentence.
 */
export type CatalogueEntry<Type extends ObservationType> = {
  /** `debug` = logged only. */
  readonly severity: (observation: ObservationOf<Type>) => Severity | 'debug'
  readonly sentence: (observation: ObservationOf<Type>) => string
  /** Fields of the log line in addition to the sentence. */
  readonly fields: (observation: ObservationOf<Type>) => Readonly<Record<string, unknown>>
  readonly counts?: (observation: ObservationOf<Type>) => readonly Count[]
  /** The table that stores it; the console's event log shows `notices`. */
  readonly table: 'fills' | 'entries' | 'quarantine' | 'rates' | 'quotes' | 'samples' | 'notices'
  /** Null or absent = no notification. */
  readonly call?: (observation: ObservationOf<Type>) => Call | null
}

export type Entries<Types extends ObservationType> = { readonly [Type in Types]: CatalogueEntry<Type> }
