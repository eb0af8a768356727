import { readFileSync } from 'node:fs'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import { createLearner } from '../../../conformance/learn.ts'
import { changesBetween, profileSchema, type Change, type Profile } from '../../../conformance/profile.ts'
import { readState } from '../../../engine/upcast/written.ts'
import type { FeeModel } from '../../../ledger/fills/fees.ts'
import { openReader, type StoreReader } from '../../../store/open-reader.ts'
import { EXIT_CODE } from '../../exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { sentLine } from '../../operator/send-once.ts'
import { fail, print, printStoreError, type OutputFormat } from '../../output/print.ts'
import { writeFileAtomically } from '../../output/write-file.ts'
import { conformanceText } from './conformance-text.ts'
import { notifyChanges } from './notify-changes.ts'

export type ConformanceOptions = OutputFormat & {
  readonly config: string
  /** Where the profile is written. */
  readonly out?: string
  /** A profile of before. */
  readonly against?: string
  readonly notify?: boolean
}

/** Prints what the venue does as the journal shows it; exit code 1 where it differs from the profile of before. */
export async function conformance(options: ConformanceOptions): Promise<void> {
  const { out, against, notify } = options
  if (notify === true && against === undefined)
    return fail(
      options,
      EXIT_CODE.usage,
      '--notify sends what changed: it needs --against a profile of before',
    )
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  if (notify === true && config.notify === null)
    return fail(
      options,
      EXIT_CODE.usage,
      'notify names no channel; telegram, slack or webhook would be right',
    )
  const before = against === undefined ? ok(null) : readProfile(against)
  if (!before.ok) return fail(options, EXIT_CODE.usage, before.error)
  const reader = openReader(config.store.path)
  if (!reader.ok) return fail(options, EXIT_CODE.failed, reader.error.message, { kind: reader.error.kind })
  await printStoreError(options, async () => {
    try {
      const profile = learn(reader.value, config.core.name)
      const changes = before.value === null ? [] : changesBetween(before.value, profile)
      const kept = out === undefined ? ok(null) : await keep(out, profile)
      if (!kept.ok) return fail(options, EXIT_CODE.failed, kept.error)
      await show(profile, changes, config, options)
    } finally {
      reader.value.close()
    }
  })
}

function learn(reader: StoreReader, position: string): Profile {
  const learner = createLearner()
  for (const { event } of reader.journal(reader.firstSeq())) learner.add(event)
  return learner.profile(position, feeModelOf(reader))
}

/** What the balances have shown by the latest snapshot; null before there is one. */
function feeModelOf(reader: StoreReader): FeeModel | null {
  const snapshot = reader.latestSnapshot()
  return snapshot === null ? null : readState(snapshot.state).reconciliation.fees.model
}

async function show(
  profile: Profile,
  changes: readonly Change[],
  config: LoadedConfig,
  options: ConformanceOptions,
): Promise<void> {
  const sent =
    options.notify === true && config.notify !== null && changes.length > 0
      ? await notifyChanges(config, config.notify, changes)
      : []
  const isWrong = changes.length > 0 || sent.some(({ outcome }) => outcome !== 'sent')
  const exitCode = isWrong ? EXIT_CODE.failed : EXIT_CODE.ok
  const text = [conformanceText(profile, changes, options.against), ...sent.map(sentLine)].join('\n')
  print(options, text, { ...profile, changes, notified: sent, exitCode })
  process.exitCode = exitCode
}

/** A profile that `mizani conformance --out` wrote; the error says what is wrong with the file. */
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
    `${path}: ${where}${issue?.message ?? 'not a profile'}; a file that \`mizani conformance --out\` wrote would be right`,
  )
}

async function keep(path: string, profile: Profile): Promise<Result<null, string>> {
  const text = `${JSON.stringify(profile, null, 2)}\n`
  return writeFileAtomically(path, async (append) => {
    await append(text)
    return ok(null)
  })
}
