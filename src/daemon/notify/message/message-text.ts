import type { Ms } from '../../../base/time.ts'
import type { Message } from './message.ts'

const MOST_LINES = 40
/** Telegram accepts 4096 characters; Slack's escapes come on top. */
const MOST_TEXT = 3_500

const KINDS: Readonly<Record<Message['kind'], string>> = {
  raised: '',
  lifted: 'Over: ',
  reminder: 'Still: ',
  acknowledged: 'In hand: ',
  summary: '',
  test: '',
  held: '',
}

/** Messages that call for no action, however severe their beginning was. */
const CALM: ReadonlySet<Message['kind']> = new Set(['lifted', 'acknowledged', 'summary', 'test'])

/**
 * Returns the message as plain text that no chat interprets. An alert has four lines: what happened, what is live, what
 * mizani did, what to do. Only the first may contain outside text.
 */
export function messageText(message: Message, timezone: string): string {
  const { severity, position, mode, kind, code, title, live, did, last } = message
  const word = CALM.has(kind) ? 'info' : severity
  const dry = mode === 'dry-run' ? ' (dry-run: nothing is changed at the venue)' : ''
  const head = `${word.toUpperCase()} ${position}${dry}: ${KINDS[kind]}${title}`
  const isList = kind === 'summary' || kind === 'held'
  const what = isList ? textLines(kind, last.text).slice(0, MOST_LINES) : []
  const first = isList ? head : `${head}: ${whatHappened(message, timezone)}`
  const lines = [
    ...[`${first} (${code})`, ...what].map(withoutLinks),
    ...(live === null ? [] : [`Live: ${live}`]),
    ...(did === null ? [] : [`mizani: ${did}`]),
    ...stepsLine(message),
  ]
  const text = lines.join('\n')
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT - 1).toWellFormed()}…`
}

function whatHappened(message: Message, timezone: string): string {
  const { count, first, last, since, also, atRisk, title } = message
  const [told, before] = [last.text, first.text].map((text) => plainMessageText(text, MOST_LINE))
  const [words = ''] = title.split(':')
  const isTwice = told?.toLowerCase().startsWith(words.toLowerCase()) === true
  const [begin, end] = [when(first.t, timezone), when(last.t, timezone)]
  return [
    isTwice ? told?.slice(words.length).replace(/^\W+(halted: )?/, '') : told,
    ...(count === 1 || told === before ? [] : [`first: ${before}`]),
    ...also
      .slice(0, MOST_CONSEQUENCES)
      .map(({ text }) => `this led to: ${plainMessageText(text, MOST_ALSO)}`),
    ...(atRisk === null ? [] : [`at risk: ${atRisk}`]),
    count === 1 ? `at ${end}` : `${count} times from ${begin} to ${end}`,
    ...(since === null ? [] : [`since ${when(since, timezone)}`]),
  ]
    .filter((part) => part !== '')
    .join('; ')
}

/** Numbered, so that people can refer to a step. */
function stepsLine({ advice, runbook, console }: Message): readonly string[] {
  if (advice === null) return []
  const steps = advice.split('; ').map((step, index) => `${index + 1}. ${step}`)
  return [`Do: ${[...steps, ...[runbook, console].filter((link) => link !== null)].join(' ')}`]
}

function when(t: Ms, timezone: string): string {
  return `${messageTime(t, timezone).text} (${timezone})`
}

const MOST_LINE = 600
const MOST_ALSO = 300
const MOST_CONSEQUENCES = 3

/**
 * Returns the lines of a text, with only visible characters. Only our own summaries and lists of held messages have
 * several lines; quoted text is one line.
 */
export function textLines(kind: Message['kind'], text: string): readonly string[] {
  const lines = kind === 'summary' || kind === 'held' ? text.split('\n') : [text]
  return lines.map((line) => plainMessageText(line, MOST_LINE))
}

/** Control characters, characters that reverse or hide text, and unassigned ones. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu
/** Invisible and without width: readers see no difference, but programs detect no link. */
const JOINER = '\u2060'

/** One line of visible characters, at most `most` UTF-16 units long. */
export function plainMessageText(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .toWellFormed()
    .replaceAll(INVISIBLE, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

/** Returns text that looks the same but in which no chat detects a link, mention, command or hash tag. */
export function withoutLinks(text: string): string {
  return text
    .replaceAll(/:\/\//g, `:${JOINER}//`)
    .replaceAll(/([\p{L}\p{N}-])\.(?=\p{L}{2})/gu, `$1.${JOINER}`)
    .replaceAll(/(^|[^\p{L}\p{N}])([@#/$])(?=[\p{L}\p{N}_])/gu, `$1$2${JOINER}`)
    .replaceAll(/([\p{L}\p{N}_.+-])@(?=[\p{L}\p{N}])/gu, `$1@${JOINER}`)
}

type LocalTime = {
  /** `2026-03-02 09:15:01`, as clocks in the zone show it. */
  readonly text: string
  readonly minuteOfDay: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a time in a time zone. Throws RangeError for an unknown zone. */
export function messageTime(t: Ms, timezone: string): LocalTime {
  let format = formats.get(timezone)
  if (format === undefined) {
    // The Swedish locale writes dates with the year first.
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    formats.set(timezone, format)
  }
  const text = format.format(t)
  const [, hour = '0', minute = '0'] = / (\d\d):(\d\d)/.exec(text) ?? []
  return { text, minuteOfDay: Number(hour) * 60 + Number(minute) }
}
