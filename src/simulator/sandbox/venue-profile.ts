import { readFileSync } from 'node:fs'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Changes } from '../../daemon/config/load/changes.ts'
import { type Profile, profileSchema, sandboxOf } from '../../research/conformance/profile.ts'
import { OBSERVED_IS_GONE } from './observed-is-gone.ts'
import type { SandboxOptionsInput } from './options.ts'

/** Reads the profile in a file written by `mizani conformance --out`. Errors are sentences with the file's name. */
export function readProfile(path: string): Result<Profile, string> {
  let data: unknown
  try {
    data = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return err(`${path}: no profile can be read: ${errorText(error)}`)
  }
  const parsed = profileSchema.safeParse(data)
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return err(
    `${path}: ${where}${issue?.message ?? 'not a profile'}; expected a file that \`mizani conformance --out\` wrote`,
  )
}

/** Returns the options of a profile's simulated venue; without a profile, the caller's options. */
export function venueLike(path: string | undefined): Result<SandboxOptionsInput, string> {
  if (path === undefined) return ok({})
  const profile = readProfile(path)
  if (!profile.ok) return profile
  const { dialect, venue } = profile.value.sandbox
  if (dialect === 'observed' && venue === null)
    return err(`${path}: sandbox.dialect: ${OBSERVED_IS_GONE}; write "venue": "measured" in its place`)
  return ok(sandboxOf(profile.value))
}

type ConfigLike = {
  /** Changes to the configuration. */
  readonly changes: Changes
  /** Learned facts that need a real venue and cannot be simulated; one sentence. */
  readonly left: string | null
}

/** Returns the profile's prices and routing as configuration changes for a backtest. */
export function configLike(path: string | undefined): Result<ConfigLike, string> {
  const venue = venueLike(path)
  if (!venue.ok) return venue
  const { bidFormula, protocolFeeBps, toleranceBps, feeFrom } = venue.value
  const known = { bidFormula, protocolFeeBps, toleranceBps }
  const changes = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[`venue.${name}`, value] as const],
  )
  const left =
    feeFrom === 'pool'
      ? 'the protocol fee comes from the pool at this venue, and a backtest takes it from the position: it shows less than the venue pays'
      : null
  return ok({ changes: Object.fromEntries(changes), left })
}
