import { z } from 'zod'
import { TOPICS, type Trait } from './trait.ts'

const learned = z.strictObject({
  bidFormula: z.enum(['divide', 'multiply']).nullable(),
  protocolFeeBps: z.int().min(0).max(1_000).nullable(),
  feeFrom: z.enum(['position', 'pool']).nullable(),
  toleranceBps: z.int().min(0).max(1_000).nullable(),
  dialect: z.enum(['contract', 'observed']).nullable(),
  requestsPerMinute: z.int().min(1).nullable(),
  publicRequestsPerMinute: z.int().min(1).nullable(),
})

/** What a venue does, as `mizani conformance --out` writes it and `mizani sandbox --like` reads it. */
export const profileSchema = z.strictObject({
  version: z.literal(1),
  position: z.string().max(100),
  /** The first and the last event that it was learned from; null = there was none. */
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
  /** The same as options of the simulated venue; null = not learned. */
  sandbox: learned,
})
export type Profile = Omit<z.output<typeof profileSchema>, 'traits'> & { readonly traits: readonly Trait[] }

/** One thing that the venue does otherwise than before. */
export type Change = {
  readonly topic: Trait['topic']
  readonly before: string
  readonly after: string
}

/** Counts grow with every request: only what the venue does is compared. */
const COMPARED = new Set<Trait['topic']>([
  'bid-formula',
  'protocol-fee',
  'rounding',
  'fee-side',
  'dialect',
  'undocumented-fields',
])

/** What differs between two profiles, where both know it. */
export function changesBetween(before: Profile, after: Profile): readonly Change[] {
  return after.traits.flatMap(({ topic, value }): Change[] => {
    const known = before.traits.find((one) => one.topic === topic)?.value ?? null
    if (!COMPARED.has(topic) || known === null || value === null || known === value) return []
    return [{ topic, before: known, after: value }]
  })
}

/** The learned options of the simulated venue, without what is not known. */
export function sandboxOf({ sandbox }: Profile): Partial<{
  [name in keyof Profile['sandbox']]: NonNullable<Profile['sandbox'][name]>
}> {
  return Object.fromEntries(Object.entries(sandbox).filter(([, value]) => value !== null))
}
