import { ok } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { type Change, changesBetween, changeText } from '../../../research/conformance/changes.ts'
import type { Profile } from '../../../research/conformance/profile.ts'
import { TITLES } from '../../../research/conformance/trait.ts'
import { raisedNotice } from '../../../daemon/notify/notice.ts'
import { capabilityText, type CapabilityView } from '../../../daemon/view/capability-view.ts'
import { readPosition } from '../position.ts'
import { timeText } from '../../../base/text/times.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { readProfile } from '../../../simulator/sandbox/venue-profile.ts'
import { NO_CHANNEL, sendNotice, sentLine } from '../../../daemon/runtime/host/notifications/send-once.ts'
import { withReader } from '../../journal/journal.ts'
import { repeatUntilSignal } from '../../repeat.ts'
import { printable } from '../../../base/printable.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { wroteOrExplained } from '../../output/write-file.ts'
import { learnVenue } from '../../../research/jobs/learn-venue.ts'

type ConformanceOptions = OutputFormat & {
  readonly config: string
  /** Output file of the profile. */
  readonly out?: string
  /** An earlier profile. */
  readonly against?: string
  /** Learns from the end of the journal only. */
  readonly last?: Ms
  readonly notify?: boolean
  readonly every?: Ms
}

/** Last message of repeated runs: each change is sent once. */
type Sent = { text: string }

/** Prints the venue's behaviour learned from the journal; exit code 1 if it differs from the previous profile. */
export async function conformance(options: ConformanceOptions): Promise<void> {
  const sent: Sent = { text: '' }
  await repeatUntilSignal(options.every, () => learnOnce(options, sent))
}

async function learnOnce(options: ConformanceOptions, before: Sent): Promise<void> {
  const { out, against, notify } = options
  if (notify === true && against === undefined)
    return fail(
      options,
      EXIT_CODE.usage,
      '--notify sends what changed: it needs --against a profile of before',
    )
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  if (notify === true && config.notify === null) return fail(options, EXIT_CODE.usage, NO_CHANNEL)
  const kept = against === undefined ? ok(null) : readProfile(against)
  if (!kept.ok) return fail(options, EXIT_CODE.usage, kept.error)
  await withReader(config.store.place, options, async (reader) => {
    const profile = learnVenue(reader, config.core.name, options.last)
    const changes = kept.value === null ? [] : changesBetween(kept.value, profile)
    if (!(await wroteOrExplained(options, out, `${JSON.stringify(profile, null, 2)}\n`))) return
    const read = await readPosition(config)
    const capabilities = 'why' in read ? [] : read.view.capabilities
    await show(profile, changes, capabilities, config, options, before)
  })
}

async function show(
  profile: Profile,
  changes: readonly Change[],
  capabilities: readonly CapabilityView[],
  config: LoadedConfig,
  options: ConformanceOptions,
  before: Sent,
): Promise<void> {
  const found = `the venue behaves differently than before: ${changes.map(changeText).join('; ')}`
  const isNews = options.notify === true && changes.length > 0 && found !== before.text
  const sent = isNews ? await sendNotice(config, raisedNotice(Date.now(), 'conformance', found)) : []
  if (sent.every(({ outcome }) => outcome === 'sent')) before.text = changes.length > 0 ? found : ''
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

/** Returns the profile as lines for a terminal: each trait, its certainty, and its evidence. */
function conformanceText(
  { position, from, to, events, traits }: Profile,
  changes: readonly Change[],
  against: string | undefined,
): string {
  const span = from === null || to === null ? 'no events' : `${timeText(from)} to ${timeText(to)}`
  const lines = [`behaviour of the venue of ${position}, from ${events} events, ${span}`]
  for (const { topic, value, sure, examples } of traits) {
    lines.push('', `${TITLES[topic]}: ${printable(value ?? 'not known')}`, `  ${sure}`)
    for (const example of examples) lines.push(`  e.g. ${printable(example)}`)
  }
  if (against === undefined) return lines.join('\n')
  lines.push('', changes.length === 0 ? `as in ${against}: nothing changed` : `unlike in ${against}:`)
  for (const change of changes) lines.push(`  ${printable(changeText(change))}`)
  return lines.join('\n')
}
