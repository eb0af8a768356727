import type { NoticeRow } from '../console/api/api-types.ts'
import { eventPlaceText, parseEventPlace } from '../console/api/event-place.ts'
import { noticeOf, UNLISTED } from '../console/notice-of.ts'
import type { Observation } from '../engine/model/observation.ts'

/** The latest notices, for those who follow along; older ones are in the store. */
export type NoticeRing = {
  readonly add: (seq: number, observations: readonly Observation[]) => void
  /** Those after the one of that id, oldest first; none where no id is given. */
  readonly since: (id: string | null) => readonly NoticeRow[]
  /** Id of the latest; null = none. */
  readonly last: () => string | null
}

const KEPT = 500

type Kept = { readonly seq: number; readonly n: number; readonly observation: Observation }

/** Keeps what was observed; sentences are made only when somebody asks. */
export function createNoticeRing(): NoticeRing {
  let kept: Kept[] = []
  return {
    add(seq, observations) {
      for (const [n, observation] of observations.entries()) {
        if (HAS_NO_SENTENCE.has(observation.type)) continue
        kept.push({ seq, n, observation })
      }
      // Cut now and then, so that adding costs nothing on the whole.
      if (kept.length > 2 * KEPT) kept = kept.slice(-KEPT)
    },
    since(id) {
      const after = id === null ? null : parseEventPlace(id)
      if (after === null) return []
      return kept
        .filter(({ seq, n }) => seq > after.seq || (seq === after.seq && n > after.n))
        .slice(-KEPT)
        .flatMap(rowOf)
    },
    last() {
      const latest = kept.at(-1)
      return latest === undefined ? null : eventPlaceText(latest)
    },
  }
}

/** Told apart by type: making sentences costs more than leaving them unmade. */
const HAS_NO_SENTENCE: ReadonlySet<Observation['type']> = new Set(UNLISTED)

function rowOf({ seq, n, observation }: Kept): readonly NoticeRow[] {
  const notice = noticeOf(observation)
  if (notice === null || !('t' in observation)) return []
  return [{ id: eventPlaceText({ seq, n }), t: observation.t, kind: observation.type, ...notice }]
}
