import { randomUUID } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import type { Entry } from '../../../core/alerts/entry.ts'
import {
  alertEntry,
  isPositionNotice,
  LIVE_BY_GUARD,
  type PositionNotice,
} from '../../../core/alerts/position-notices.ts'
import { TREASURY_ALERTS } from '../../../core/alerts/treasury-alerts.ts'
import type { PositionView } from '../../view/position-view.ts'
import { plainFigure } from '../figure-text.ts'
import type { Consequence, Notice } from '../notice.ts'
import type { Message } from './message.ts'

/** The origin and the links of a position's messages. */
export type MessagePlace = {
  readonly position: string
  readonly mode: Message['mode']
  /** The file of the position, for the commands of the steps. */
  readonly configFile: string
  /** The runbook's URL without an anchor; null = at the console, or the command that prints an entry. */
  readonly runbookUrl: string | null
  /** The console's URL; null = unknown. */
  readonly consoleUrl: string | null
  /** Whether critical alerts link to the page of the position, where they are acknowledged. */
  readonly linksAlerts?: boolean
}

type MessageSubject = Pick<Message, 'kind' | 'severity' | 'code' | 'count' | 'first' | 'last' | 'since'> & {
  readonly id?: string
  readonly also?: Message['also']
  /** For a halt: the rule that halted. */
  readonly rule?: string
}

/** `now`: the position when the message is made; null = it does not answer, and `before` is what it showed last. */
export type SeenPosition = { readonly now: PositionView | null; readonly before: PositionView | null }

/** Returns a message with its parts in words: what is live, what mizani did, and what to do. */
export function composeMessage(
  place: MessagePlace,
  { rule, also = [], id = randomUUID(), ...subject }: MessageSubject,
  seen: SeenPosition | null = null,
): Message {
  const { position, mode, consoleUrl } = place
  const { kind, code, severity } = subject
  const isOpen = kind === 'raised' || kind === 'reminder'
  const entry = alertEntry(rule ?? code) ?? alertEntry(code)
  const steps = isOpen ? (entry?.advice ?? null) : null
  const isRepeated = severity === 'critical' && (place.linksAlerts === true || kind === 'reminder')
  const advice = isRepeated && steps !== null ? `${steps}; \`mizani ack ${code}\` ends the reminders` : steps
  const hasState = isOpen || kind === 'lifted'
  return {
    ...subject,
    id,
    position,
    mode,
    title: titleOf(code, rule),
    also,
    atRisk: isOpen && severity === 'critical' ? holdings(seen?.now ?? seen?.before ?? null) : null,
    live: hasState ? liveLine(code, place, seen) : null,
    did: hasState ? didLine(isOpen ? entry : null, code, seen) : null,
    advice: advice === null ? null : completed(advice, place, subject.last.text, seen?.now ?? null),
    runbook: advice === null ? null : runbookOf(place, rule ?? code),
    console: isOpen && consoleUrl !== null ? pageOf(place, consoleUrl, code, severity) : null,
  }
}

function titleOf(code: string, rule: string | undefined): string {
  const title = alertEntry(code)?.title ?? code
  const cause = rule === undefined ? null : alertEntry(rule)
  return cause === null ? title : `${title}: ${lowerFirst(cause.title)}`
}

/** Returns a notice as a consequence in the message about its cause. */
export function asConsequence({ code, rule, text }: Pick<Notice, 'code' | 'rule' | 'text'>): Consequence {
  return { code, text: `${titleOf(code, rule)}: ${text} (${code})` }
}

function holdings(view: PositionView | null): string | null {
  const held = Object.entries(view?.balances ?? {}).filter(([, amount]) => Number(amount) !== 0)
  return held.length === 0
    ? null
    : held.map(([asset, amount]) => `${plainFigure(amount)} ${asset}`).join(', ')
}

/** After these the position does not run; their first line shows the last answer of the venue. */
const ENDED: ReadonlySet<string> = new Set<PositionNotice>(['store', 'daemon-gone'])

function liveLine(code: string, place: MessagePlace, seen: SeenPosition | null): string {
  if (place.mode === 'dry-run') return 'a dry run changes nothing at the venue'
  if (seen === null) {
    const known = isPositionNotice(code) ? LIVE_BY_GUARD[code] : undefined
    const reader = code.startsWith('fleet-') ? '`mizani status --fleet FOLDER`' : '`mizani quote`'
    return known ?? completed(`not read for this message; ${reader} reads it`, place, '', null)
  }
  const { now, before } = seen
  if (now !== null) return now.live.text
  const last = before === null ? '' : `; when it answered last: ${before.live.text}`
  const known = ENDED.has(code) ? 'as the first line shows, otherwise unknown' : 'unknown'
  return `${known}: the position does not answer${last}`
}

/** Returns the entry's text, and the trading state with the venue's confirmation of it. */
function didLine(entry: Entry | null, code: string, seen: SeenPosition | null): string {
  const isOwnPart = Object.hasOwn(TREASURY_ALERTS, code) || code.startsWith('guard-') || ENDED.has(code)
  const state = seen === null || isOwnPart ? undefined : stateText(seen.now)
  const parts = [entry?.did, state]
  return parts.filter((part) => part !== undefined).join('; ') || 'as the first line shows'
}

function stateText(view: PositionView | null): string {
  if (view === null) return 'the state of the position is unknown'
  const { tradingState, reasons, live, paused, quote, bounds } = view
  const isOut = live.isActive === false && live.openOrders === null
  if (tradingState === 'ACTIVE')
    return isOut ? 'nothing trades: it is out of the market' : 'trading continues'
  const rule = /^(?!halted: )([a-z-]+): /.exec(reasons[0] ?? '')?.[1]
  const by = rule === undefined ? '' : ` (${rule})`
  const { bidBps = null, askBps = null } = quote.target ?? {}
  const isSafe = Math.min(bidBps ?? 0, askBps ?? 0) >= bounds.safeBps
  const isHalted = tradingState === 'HALTED'
  if (!isHalted && !paused && !isSafe) return `trading is reduced${by}`
  const state = isHalted
    ? 'trading is halted'
    : paused
      ? 'trading is paused'
      : `the safe quote is asked for${by}`
  const status = live.refusal === null ? '' : ` (${live.refusal.status ?? 'no answer'})`
  return `${state}, ${live.stopped === true ? 'confirmed at the venue' : `NOT confirmed at the venue${status}`}`
}

/** Returns the advice with the position's file in each command, and KEY, VALUE and FOLDER replaced where known. */
function completed(
  advice: string,
  { configFile }: MessagePlace,
  text: string,
  view: PositionView | null,
): string {
  const file = resolve(configFile)
  const key = /\bkey ([\w.:-]{1,100})/.exec(text)?.[1]
  const mid = view?.pendingMid
  return advice.replaceAll(/`mizani ([^`]+)`/g, (_all, call: string) => {
    const known = call
      .replace('FOLDER', quoted(dirname(file)))
      .replace('KEY', key ?? 'KEY')
      .replace('VALUE', mid ?? 'VALUE')
    const isWhole = /--fleet|^fleet /.test(call)
    return `\`mizani ${known}${isWhole ? '' : ` --config ${quoted(file)}`}\``
  })
}

/** Quotes a word for the shell. */
function quoted(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function runbookOf({ runbookUrl, consoleUrl }: MessagePlace, code: string): string {
  if (runbookUrl !== null) return `${runbookUrl}#${code}`
  return consoleUrl === null ? `\`mizani runbook ${code}\`` : `${trimmed(consoleUrl)}/runbook#${code}`
}

/** Returns the console page: it asks for a token and shows the alert; opening it changes nothing. */
function pageOf(
  { position, linksAlerts = false }: MessagePlace,
  consoleUrl: string,
  code: string,
  severity: Message['severity'],
): string | null {
  const page = `${trimmed(consoleUrl)}/#/${encodeURIComponent(position)}`
  if (Object.hasOwn(TREASURY_ALERTS, code)) return `${page}/treasury`
  return linksAlerts && severity === 'critical' ? page : null
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
