import { z } from 'zod'
import { LONGEST_FIELD, MOST_FIELDS } from './answer-evidence.ts'
import { MOST_PUBLICATIONS } from './publication-evidence.ts'
import { TOPICS, type Trait } from './trait.ts'

/** More than one journal has: profiles of 0.2.0 accumulated several days. */
const MOST_KEPT_FIELDS = 5 * MOST_FIELDS

const learned = z.strictObject({
  bidFormula: z.enum(['divide', 'multiply']).nullable(),
  protocolFeeBps: z.int().min(0).max(1_000).nullable(),
  feeFrom: z.enum(['position', 'pool']).nullable(),
  toleranceBps: z.int().min(0).max(1_000).nullable(),
  /** The simulated venue's dialect in most kinds of answers. */
  venue: z.enum(['contract', 'measured']).nullable().default(null),
  /** Only in profiles of 0.2.0 and earlier. */
  dialect: z.enum(['contract', 'observed']).nullish(),
  requestsPerMinute: z.int().min(1).nullable(),
  publicRequestsPerMinute: z.int().min(1).nullable(),
})

/** Comparable values from which changes are detected; the traits are for display. */
const evidence = z.strictObject({
  /** The dialect of each kind of answer. */
  dialects: z.record(z.string().max(100), z.enum(['contract', 'observed'])),
  /** Fields that are not in the contract, such as `fills.maker`. */
  fields: z.array(z.string().max(LONGEST_FIELD)).max(MOST_KEPT_FIELDS),
  /** The observed kinds of answers: in an unobserved kind, a field is not known to be absent. */
  kinds: z.array(z.string().max(100)).max(100),
  rotation: z.strictObject({ atLeast: z.int().min(0).nullable(), below: z.int().min(0).nullable() }),
  /** The latest times at which the venue published a mid. */
  published: z.array(z.number()).max(MOST_PUBLICATIONS),
})
/** Evidence of a profile by an older version: unknown, so nothing counts as changed. */
const NO_EVIDENCE = {
  dialects: {},
  fields: [],
  kinds: [],
  rotation: { atLeast: null, below: null },
  published: [],
}

/** Profile of a venue, written by `mizani conformance --out` and read by `mizani sandbox --like`. */
export const profileSchema = z.strictObject({
  version: z.literal(1),
  position: z.string().max(100),
  /** Time of the first and last event behind it; null = no events. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  events: z.int().min(0),
  traits: z
    .array(
      z.strictObject({
        topic: z.enum(TOPICS),
        value: z.string().max(20_000).nullable(),
        observed: z.int().min(0),
        exceptions: z.int().min(0),
        sure: z.string().max(1_000),
        examples: z.array(z.string().max(1_000)).max(10),
      }),
    )
    .max(TOPICS.length),
  /** The learned options of the simulated venue; null = not learned. */
  sandbox: learned,
  evidence: evidence.default(NO_EVIDENCE),
})
export type Profile = Omit<z.output<typeof profileSchema>, 'traits'> & { readonly traits: readonly Trait[] }

type Learned = Omit<Profile['sandbox'], 'dialect'>

/** Returns the known options of the simulated venue. */
export function sandboxOf({ sandbox }: Profile): Partial<{
  [name in keyof Learned]: NonNullable<Learned[name]>
}> {
  const known = Object.entries(sandbox).filter(([name, value]) => name !== 'dialect' && value !== null)
  return Object.fromEntries(known)
}
