import type { Ms } from '../base/time.ts'
import { localTime } from './local-time.ts'
import type { Message } from './message.ts'
import { withoutLinks } from './plain-text.ts'
import { textLines } from './text-lines.ts'

const MOST_LINES = 40
/** Telegram takes 4096; escapes of Slack come on top. */
const MOST_TEXT = 3_500

const TITLES: Readonly<Record<Message['kind'], string>> = {
  raised: '',
  lifted: 'lifted: ',
  reminder: 'still: ',
  summary: '',
  test: '',
  held: '',
}

/** The message as lines of plain text that no chat reads as anything else; the first line is its title. */
export function messageText(message: Message, timezone: string): string {
  const { severity, position, mode, kind, code, advice, runbook } = message
  const word = kind === 'lifted' || kind === 'summary' || kind === 'test' ? 'info' : severity
  const dry = mode === 'dry-run' ? ' (dry-run: nothing is changed at the venue)' : ''
  const title = `${word.toUpperCase()} ${position}${dry}: ${TITLES[kind]}${code}`
  const lines = [withoutLinks(title), ...whatHappened(message, timezone)]
  if (message.since !== null) lines.push(`since ${when(message.since, timezone)}`)
  if (advice !== null) lines.push(`Do: ${advice}`)
  if (runbook !== null) lines.push(runbook)
  const text = lines.join('\n')
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT - 1).toWellFormed()}…`
}

function whatHappened({ count, kind, first, last }: Message, timezone: string): readonly string[] {
  const linesOf = ({ text }: Message['last']) => textLines(kind, text).slice(0, MOST_LINES).map(withoutLinks)
  if (kind === 'summary' || kind === 'held') return linesOf(last)
  if (count === 1) return [...linesOf(last), `at ${when(last.t, timezone)}`]
  const said = first.text === last.text ? linesOf(last) : []
  const both =
    first.text === last.text ? [] : [`first: ${linesOf(first)[0] ?? ''}`, `last: ${linesOf(last)[0] ?? ''}`]
  return [...said, `${count} times from ${when(first.t, timezone)} to ${when(last.t, timezone)}`, ...both]
}

function when(t: Ms, timezone: string): string {
  return `${localTime(t, timezone).text} (${timezone})`
}
