import type { Message } from '../../../../src/daemon/notify/message/message.ts'
import type { Notice } from '../../../../src/daemon/notify/notice.ts'

export const NOON = Date.UTC(2026, 2, 2, 12)

/** A message; a test changes what it is about. */
export function exampleMessage(changes: Partial<Message> = {}): Message {
  const received = { t: NOON, text: 'trading is halted: the loss is over risk.maxLossTzs' }
  return {
    id: 'c0ffee',
    position: 'desk-1',
    mode: 'live',
    kind: 'raised',
    severity: 'critical',
    code: 'halted',
    count: 1,
    first: received,
    last: received,
    since: null,
    title: 'Trading is halted',
    also: [],
    atRisk: null,
    live: '67/53 bps is still live',
    did: 'trading is halted, NOT confirmed at the venue',
    advice: 'see why: `mizani status --config live.yaml`; then `mizani resume --config live.yaml`',
    runbook: 'https://wiki.example/runbook.md#halted',
    console: null,
    ...changes,
  }
}

export function exampleNotice(changes: Partial<Notice> = {}): Notice {
  return {
    t: NOON,
    kind: 'raised',
    severity: 'warning',
    code: 'mid-age',
    text: 'the mid is old',
    since: null,
    ...changes,
  }
}
