import { dialectsText, fieldsText } from './answer-evidence.ts'
import type { Profile } from './profile.ts'
import { weekClockText, timesText, unusual } from './publication-evidence.ts'
import { limitText } from './request-limit.ts'
import { boundsText, type RotationBounds } from './rotation-evidence.ts'
import { TITLES, type Topic } from './trait.ts'

/** One change in the venue's behaviour. */
export type Change = {
  readonly topic: Topic
  readonly before: string
  readonly after: string
}

/** Topics with a single value that stays equal while the venue's behaviour does. */
const BY_VALUE = ['bid-formula', 'ask-formula', 'protocol-fee', 'rounding', 'fee-side'] as const
/** A limit is measured to within some requests: a smaller relative change is ignored. */
const LIMIT_SHARE = 0.25
const LIMIT_FIELDS = {
  'request-limit': 'requestsPerMinute',
  'public-request-limit': 'publicRequestsPerMinute',
} as const

/**
 * Returns the changes of a venue between two profiles, for traits that both know. Counts grow and bounds narrow with
 * every request, so only a contradiction is a change.
 */
export function changesBetween(before: Profile, after: Profile): readonly Change[] {
  return [
    ...BY_VALUE.flatMap((topic) => changeOf(topic, valueOf(before, topic), valueOf(after, topic))),
    ...rotationChange(before.evidence.rotation, after.evidence.rotation),
    ...publicationChange(before, after),
    ...dialectChange(before, after),
    ...fieldChange(before, after),
    ...limitChange('request-limit', before, after),
    ...limitChange('public-request-limit', before, after),
  ]
}

/** Returns `protocol fee: 10 bps before, 25 bps now`; may contain venue text. */
export function changeText({ topic, before, after }: Change): string {
  return `${TITLES[topic]}: ${before} before, ${after} now`
}

function changeOf(topic: Topic, before: string | null, after: string | null): readonly Change[] {
  return before === null || after === null || before === after ? [] : [{ topic, before, after }]
}

/** Returns a change if no tolerance satisfies both bounds. */
function rotationChange(before: RotationBounds, after: RotationBounds): readonly Change[] {
  return contradict(before, after)
    ? changeOf('rotation-tolerance', boundsText(before), boundsText(after))
    : []
}

function contradict(one: RotationBounds, other: RotationBounds): boolean {
  const isOutside = (low: number | null, high: number | null) => low !== null && high !== null && low >= high
  return isOutside(one.atLeast, other.below) || isOutside(other.atLeast, one.below)
}

function publicationChange({ evidence: known }: Profile, { evidence: seen }: Profile): readonly Change[] {
  const strange = unusual(known.published, seen.published)
  if (strange.length === 0) return []
  return changeOf('publication', timesText(known.published), strange.map(weekClockText).join(', '))
}

function dialectChange({ evidence: known }: Profile, { evidence: seen }: Profile): readonly Change[] {
  const changed = Object.keys(seen.dialects).filter(
    (kind) => known.dialects[kind] !== undefined && known.dialects[kind] !== seen.dialects[kind],
  )
  const of = (dialects: Profile['evidence']['dialects']) =>
    dialectsText(
      Object.fromEntries(
        changed.flatMap((kind) => (dialects[kind] === undefined ? [] : [[kind, dialects[kind]]])),
      ),
    )
  return changeOf('dialect', of(known.dialects), of(seen.dialects))
}

/**
 * Returns new fields in kinds of answers that were known without them. A missing field may return, so its absence is
 * not a change.
 */
function fieldChange({ evidence: known }: Profile, { evidence: seen }: Profile): readonly Change[] {
  const isKnownKind = (field: string) => known.kinds.some((kind) => field.startsWith(`${kind}.`))
  const added = seen.fields.filter((field) => !known.fields.includes(field) && isKnownKind(field))
  if (added.length === 0) return []
  const all = [...known.fields, ...added].toSorted()
  return changeOf('undocumented-fields', fieldsText(known.fields) ?? 'none', fieldsText(all))
}

function limitChange(
  topic: keyof typeof LIMIT_FIELDS,
  { sandbox: known }: Profile,
  { sandbox: seen }: Profile,
): readonly Change[] {
  const [before, after] = [known[LIMIT_FIELDS[topic]], seen[LIMIT_FIELDS[topic]]]
  if (before === null || after === null || Math.abs(after - before) <= before * LIMIT_SHARE) return []
  return changeOf(topic, limitText(before), limitText(after))
}

function valueOf({ traits }: Pick<Profile, 'traits'>, topic: Topic): string | null {
  return traits.find((one) => one.topic === topic)?.value ?? null
}
