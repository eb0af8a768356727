import type { OutgoingNotice } from '../../../../../src/daemon/guard/notices/notice.ts'

/** A notice of a guard that has fired, with what a test changes of it. */
export function outgoingNotice(change: Partial<OutgoingNotice> = {}): OutgoingNotice {
  const received = { t: Date.UTC(2026, 10, 26), text: 'the daemon is silent' }
  return {
    id: 'id-1',
    position: 'desk',
    configFile: '/etc/desk.yaml',
    kind: 'raised',
    code: 'guard-fired',
    count: 1,
    first: received,
    last: received,
    since: null,
    audience: [0],
    isEnd: false,
    only: null,
    ...change,
  }
}
