import type { Answer } from '../../api/request.ts'
import { count } from '../../state.ts'
import type { KeptOutcome, Partner } from '../model/partner.ts'
import { type PartnerRequest, type PartnerRoute, refuse } from './request.ts'

const LONGEST_KEY = 255

/**
 * Executes a request once per key: a replay with the same body returns the original outcome, another body is
 * refused. A refusal is kept only where money may be in flight (502): any other moved nothing, and the
 * corrected request may use the same key.
 */
export function onceAKey(
  partner: Partner,
  route: PartnerRoute,
  request: PartnerRequest,
  execute: () => Answer,
): Answer {
  const key = request.idempotencyKey
  const { settings, venue } = partner.world
  const { keysIgnored, marksReplays } = settings
  // The measured venue reads keys of the ramp only.
  const isRead = venue.options.venue === 'contract' || route.path.startsWith('/ramp/')
  if (key === null || !route.isIdempotent || !isRead || keysIgnored.includes(route.path)) return execute()
  if (key === '' || key.length > LONGEST_KEY)
    refuse('invalid_idempotency_key', `Idempotency-Key must have 1 to ${LONGEST_KEY} characters`)
  const text = `${route.method} ${route.path} ${canonicalText({ ...request.params, body: request.body })}`
  const kept = keptOutcome(partner, key)
  if (kept !== null) {
    if (kept.request !== text)
      refuse('idempotency_key_used', 'this Idempotency-Key was used for another request')
    return marksReplays
      ? { ...kept.answer, headers: { ...kept.answer.headers, 'idempotent-replayed': 'true' } }
      : kept.answer
  }
  const answer = execute()
  if (answer.status < 400 || answer.status === 502)
    partner.keptOutcomes.set(key, { at: request.now, request: text, answer })
  return answer
}

function keptOutcome(partner: Partner, key: string): KeptOutcome | null {
  const kept = partner.keptOutcomes.get(key)
  if (kept === undefined) return null
  const { keyLifeMs } = partner.world.settings
  if (keyLifeMs === null || partner.world.venue.now - kept.at < keyLifeMs) return kept
  partner.keptOutcomes.delete(key)
  count(partner.world.venue, 'fault key forgotten')
  return null
}

/** Returns JSON with sorted field names, so that equal requests have equal texts. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
