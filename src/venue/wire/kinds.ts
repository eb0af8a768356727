import type { GuardDialect } from './guard.ts'
import { LP_DIALECT } from './lp-dialect.ts'

/** The guard's dialect of each kind of venue, by its name in `venue.kind`; `VENUES` in `venues.ts` has the clients. */
export const GUARD_DIALECTS = { lp: LP_DIALECT } satisfies Readonly<Record<string, GuardDialect>>

export type VenueKind = keyof typeof GUARD_DIALECTS
