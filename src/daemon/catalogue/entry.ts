import type { Severity } from '../../core/alerts/entry.ts'
import type { Observation } from '../../core/engine/model/observation.ts'

export type ObservationType = Observation['type']
export type ObservationOf<Type extends ObservationType> = Extract<Observation, { readonly type: Type }>

/** One thing that is counted, by the name that the metrics have for its counter. */
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

/** What a person may want to know: under which code, whether it begins or ends, and in which words where not its own. */
export type Call = {
  readonly code: string
  readonly kind: 'raised' | 'lifted'
  readonly text?: string
  /** The rule that halted. */
  readonly rule?: string
}

/**
 * What is shown of one type of observation: the log, the metrics, the console's event log and the notifications all
 * read it here, so that a fact has one severity and one sentence.
 */
export type CatalogueEntry<Type extends ObservationType> = {
  /** `debug` = a detail that only the log has. */
  readonly severity: (observation: ObservationOf<Type>) => Severity | 'debug'
  readonly sentence: (observation: ObservationOf<Type>) => string
  /** What the log line has beside the sentence. */
  readonly fields: (observation: ObservationOf<Type>) => Readonly<Record<string, unknown>>
  readonly counts?: (observation: ObservationOf<Type>) => readonly Count[]
  /** Where the store keeps it; the console's event log shows what is in `notices`. */
  readonly table: 'fills' | 'entries' | 'quarantine' | 'rates' | 'quotes' | 'samples' | 'notices'
  /** Null or none = no one is called. */
  readonly call?: (observation: ObservationOf<Type>) => Call | null
}

export type Entries<Types extends ObservationType> = { readonly [Type in Types]: CatalogueEntry<Type> }
