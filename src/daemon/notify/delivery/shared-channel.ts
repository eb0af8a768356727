import { SEVERITY_RANK } from '../../../core/alerts/entry.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import { attemptSend } from './channel-queue.ts'
import type { Channel, Delivery, Message } from '../message/message.ts'
import { runAfter } from '../../../base/threads/timing.ts'

/** Channels shared by several positions, keyed by destination. */
export type SharedChannels = {
  /** Returns a handle to the channel of that key, which the first user opens and the last one closes. */
  readonly share: (key: string, open: () => Channel) => Channel
}

type SharingSettings = {
  /** How long messages are collected before they are sent. */
  readonly collectMs: Ms
  /** During a storm, one message per this interval. */
  readonly stormMs: Ms
}

const SETTINGS: SharingSettings = { collectMs: SECOND_MS / 4, stormMs: MINUTE_MS }
/** More simultaneous messages than this are a storm. */
const MOST_SINGLE = 5
const NAMES_SHOWN = 8
const LINES_SHOWN = 15

type Waiting = { readonly message: Message; readonly settle: (delivery: Delivery) => void }

/**
 * Shares channels among the positions of a process. A few messages are sent individually; when many positions report at once, for example
 * because their venue is lost, people get one message that names the most severe, and one per minute while that lasts.
 */
export function createSharedChannels(settings: SharingSettings = SETTINGS): SharedChannels {
  const lines = new Map<string, Line>()
  return {
    share(key, open) {
      const line = lines.get(key) ?? openLine(open(), settings)
      lines.set(key, line)
      line.users += 1
      return {
        send: (message) => offer(line, message),
        async close() {
          line.users -= 1
          flush(line)
          if (line.users > 0) return
          lines.delete(key)
          await line.channel.close()
        },
      }
    },
  }
}

type Line = {
  readonly channel: Channel
  readonly settings: SharingSettings
  users: number
  waiting: Waiting[]
  /** Until then a storm counts as reported; on the monotonic clock. */
  quietUntil: Ms
  timer: NodeJS.Timeout | undefined
  /** When the timer ends, on the same clock. */
  dueAt: Ms
}

function openLine(channel: Channel, settings: SharingSettings): Line {
  return { channel, settings, users: 0, waiting: [], quietUntil: 0, timer: undefined, dueAt: 0 }
}

function offer(line: Line, message: Message): Promise<Delivery> {
  // A single position has no one to share with, and a test answers the person who requested it.
  if (line.users === 1 || message.kind === 'test') return line.channel.send(message)
  const { promise, resolve } = Promise.withResolvers<Delivery>()
  line.waiting.push({ message, settle: resolve })
  const now = performance.now()
  // A process that shuts down does not wait for the end of the minute.
  const until = message.code === 'daemon-stop' ? 0 : line.quietUntil
  const dueAt = Math.max(now + line.settings.collectMs, until)
  if (line.timer !== undefined && line.dueAt <= dueAt) return promise
  clearTimeout(line.timer)
  line.dueAt = dueAt
  line.timer = runAfter(() => flush(line), dueAt - now)
  return promise
}

/** Sends the waiting messages individually, or as one message during a storm. */
function flush(line: Line): void {
  clearTimeout(line.timer)
  line.timer = undefined
  const { waiting } = line
  line.waiting = []
  if (waiting.length > MOST_SINGLE) {
    line.quietUntil = performance.now() + line.settings.stormMs
    void sendTogether(line.channel, waiting)
  } else void sendEach(line.channel, waiting)
}

async function sendEach(channel: Channel, waiting: readonly Waiting[]): Promise<void> {
  for (const { message, settle } of waiting) settle(await attemptSend(channel, message))
}

async function sendTogether(channel: Channel, waiting: readonly Waiting[]): Promise<void> {
  const delivery = await attemptSend(channel, joinMessages(waiting.map(({ message }) => message)))
  for (const { settle } of waiting) settle(delivery)
}

/** Merges messages into one with the severity and advice of the most severe, and a line for each code. */
export function joinMessages(messages: readonly Message[]): Message {
  const ordered = messages.toSorted(
    (a, b) => SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity] || a.first.t - b.first.t,
  )
  const [worst] = ordered
  if (worst === undefined) throw new Error('one message at least is joined')
  const names = new Set(messages.map(({ position }) => position))
  const byCode = Map.groupBy(ordered, ({ kind, code }) => `${kind} ${code}`)
  const lines = [...byCode.values()].flatMap(linesOf)
  const more = lines.length - LINES_SHOWN
  const text = [...lines.slice(0, LINES_SHOWN), ...(more > 0 ? [`and ${more} other lines`] : [])].join('\n')
  const times = messages.flatMap(({ first, last }) => [first.t, last.t])
  const [begin, end] = [Math.min(...times), Math.max(...times)]
  return {
    ...worst,
    position: names.size === 1 ? worst.position : `${names.size} positions`,
    kind: 'held',
    // A link can lead to only one position.
    console: names.size === 1 ? worst.console : null,
    count: messages.reduce((sum, { count }) => sum + count, 0),
    first: { t: begin, text },
    last: { t: end, text },
    since: begin,
  }
}

/** `critical: halted at desk-1, desk-2 and 498 more positions: trading is halted`; one line per summary. */
function linesOf(messages: readonly Message[]): readonly string[] {
  const [first] = messages
  if (first === undefined) return []
  if (first.kind === 'summary') return messages.map((message) => `${message.position}: ${firstLine(message)}`)
  const names = [...new Set(messages.map(({ position }) => position))]
  const more = names.length - NAMES_SHOWN
  const shown = names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more positions` : '')
  const what = first.kind === 'lifted' ? `${first.code} lifted` : first.code
  return [`${first.severity}: ${what} at ${shown}: ${firstLine(first)}`]
}

function firstLine({ last }: Message): string {
  return last.text.split('\n')[0] ?? ''
}
