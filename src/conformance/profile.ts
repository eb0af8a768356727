import { z } from 'zod'
import { TITLES, TOPICS, type Trait } from './trait.ts'

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

/** What differs between two profiles, where both know it. A field that nobody knew is known not to have been there. */
export function changesBetween(before: Profile, after: Profile): readonly Change[] {
  return after.traits.flatMap(({ topic, value }): Change[] => {
    const none = topic === 'undocumented-fields' && before.events > 0 ? 'none' : null
    const known = valueOf(before, topic) ?? none
    if (!COMPARED.has(topic) || known === null || value === null || known === value) return []
    return [{ topic, before: known, after: value }]
  })
}

/** `protocol fee: 10 bps before, 25 bps now`; may hold what came from the venue. */
export function changeText({ topic, before, after }: Change): string {
  return `${TITLES[topic]}: ${before} before, ${after} now`
}

/** What was known with what was learned later in its place; what was not seen again stays, and fields add up. */
export function withLearned(known: Profile, learned: Profile): Profile {
  const traits = learned.traits.map((trait) => {
    const before = known.traits.find(({ topic }) => topic === trait.topic)
    if (before === undefined || before.value === null) return trait
    if (trait.value === null) return before
    if (trait.topic !== 'undocumented-fields') return trait
    const fields = new Set([...before.value.split(', '), ...trait.value.split(', ')])
    return { ...trait, value: [...fields].toSorted().join(', ') }
  })
  const sandbox = Object.fromEntries(
    Object.entries(known.sandbox).map(([name, value]) => [
      name,
      learned.sandbox[name as keyof Profile['sandbox']] ?? value,
    ]),
  ) as Profile['sandbox']
  return { ...learned, from: known.from ?? learned.from, to: learned.to ?? known.to, traits, sandbox }
}

function valueOf({ traits }: Profile, topic: Trait['topic']): string | null {
  return traits.find((one) => one.topic === topic)?.value ?? null
}

/** What a daemon keeps beside its journal: all that it knows of its venue. */
export const keptProfileSchema = z.strictObject({
  at: z.number(),
  /** Null = nothing was learned yet. */
  known: profileSchema.nullable(),
  /** Why the last day could not be read. */
  problem: z.string().nullable(),
})
export type KeptProfile = Omit<z.output<typeof keptProfileSchema>, 'known'> & {
  readonly known: Profile | null
}

/** The learned options of the simulated venue, without what is not known. */
export function sandboxOf({ sandbox }: Profile): Partial<{
  [name in keyof Profile['sandbox']]: NonNullable<Profile['sandbox'][name]>
}> {
  return Object.fromEntries(Object.entries(sandbox).filter(([, value]) => value !== null))
}
