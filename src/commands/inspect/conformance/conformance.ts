import { ok, type Result } from '../../../base/result.ts'
import { SEVERITY_RANK } from '../../../alerts/entry.ts'
import { POSITION_NOTICES } from '../../../alerts/position-notices.ts'
import type { LoadedConfig, LoadedNotify } from '../../../config/load/loaded-config.ts'
import { type Change, changesBetween, changeText } from '../../../conformance/changes.ts'
import type { Profile } from '../../../conformance/profile.ts'
import { TITLES } from '../../../conformance/trait.ts'
import { learnVenue } from '../../../runtime/review/learn-venue.ts'
import { capabilityText, type CapabilityView } from '../../../view/capability-view.ts'
import { readPosition } from '../position.ts'
import { openReader } from '../../../store/open-reader.ts'
import { timeText } from '../../../text/times.ts'
import { EXIT_CODE } from '../../exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { readProfile } from '../../venue-profile.ts'
import { composeMessage } from '../../../notify/message/compose-message.ts'
import { placeOf, sendOnce, sentLine, type SentOnce } from '../../operator/send-once.ts'
import { printable } from '../../../base/printable.ts'
import { fail, print, printStoreError, type OutputFormat } from '../../output/print.ts'
import { writeFileAtomically } from '../../output/write-file.ts'

type ConformanceOptions = OutputFormat & {
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
  const reader = openReader(config.store.place)
  if (!reader.ok) return fail(options, EXIT_CODE.failed, reader.error.message, { kind: reader.error.kind })
  await printStoreError(options, async () => {
    try {
      const profile = learnVenue(reader.value, config.core.name, reader.value.firstSeq())
      const changes = before.value === null ? [] : changesBetween(before.value, profile)
      const kept = out === undefined ? ok(null) : await keep(out, profile)
      if (!kept.ok) return fail(options, EXIT_CODE.failed, kept.error)
      const read = await readPosition(config)
      const capabilities = 'why' in read ? [] : read.view.capabilities
      await show(profile, changes, capabilities, config, options)
    } finally {
      reader.value.close()
    }
  })
}

async function show(
  profile: Profile,
  changes: readonly Change[],
  capabilities: readonly CapabilityView[],
  config: LoadedConfig,
  options: ConformanceOptions,
): Promise<void> {
  const sent =
    options.notify === true && config.notify !== null && changes.length > 0
      ? await notifyChanges(config, config.notify, changes)
      : []
  const isWrong = changes.length > 0 || sent.some(({ outcome }) => outcome !== 'sent')
  const exitCode = isWrong ? EXIT_CODE.failed : EXIT_CODE.ok
  const text = [
    conformanceText(profile, changes, options.against),
    ...capabilities.map((one) => printable(capabilityText(one))),
    ...sent.map(sentLine),
  ].join('\n')
  print(options, text, { ...profile, capabilities, changes, notified: sent, exitCode })
  process.exitCode = exitCode
}

async function keep(path: string, profile: Profile): Promise<Result<null, string>> {
  const text = `${JSON.stringify(profile, null, 2)}\n`
  return writeFileAtomically(path, async (append) => {
    await append(text)
    return ok(null)
  })
}

/** The profile as lines for a terminal: each thing, how sure it is, and what it rests on. */
function conformanceText(
  { position, from, to, events, traits }: Profile,
  changes: readonly Change[],
  against: string | undefined,
): string {
  const span = from === null || to === null ? 'no events' : `${timeText(from)} to ${timeText(to)}`
  const lines = [`what the venue of ${position} does, from ${events} events, ${span}`]
  for (const { topic, value, sure, examples } of traits) {
    lines.push('', `${TITLES[topic]}: ${printable(value ?? 'not known')}`, `  ${sure}`)
    for (const example of examples) lines.push(`  e.g. ${printable(example)}`)
  }
  if (against === undefined) return lines.join('\n')
  lines.push('', changes.length === 0 ? `as in ${against}: nothing changed` : `unlike in ${against}:`)
  for (const change of changes) lines.push(`  ${printable(changeText(change))}`)
  return lines.join('\n')
}

const CODE = 'conformance'

/** Sends what changed at the venue since the profile of before to the channels whose `minSeverity` lets a warning pass. */
function notifyChanges(
  config: LoadedConfig,
  notify: LoadedNotify,
  changes: readonly Change[],
): Promise<readonly SentOnce[]> {
  const { severity } = POSITION_NOTICES[CODE]
  const heard = {
    t: Date.now(),
    text: `the venue behaves differently than before: ${changes.map(changeText).join('; ')}`,
  }
  const subject = { kind: 'raised', severity, code: CODE, first: heard, last: heard, since: null } as const
  const message = composeMessage(placeOf(config, notify), { ...subject, count: changes.length })
  return sendOnce(notify, message, ({ minSeverity }) => SEVERITY_RANK[severity] >= SEVERITY_RANK[minSeverity])
}
