import { printableJson } from '../../../base/printable.ts'

const NEW_WEBHOOK = 'make a new incoming webhook and set webhookUrl'
const REPORT = 'report it as a fault of mizani; other messages are still sent'
const ADDRESS = 'the receiver has no such address: correct url'
const ACCESS =
  'the receiver refuses the signature or the sender: compare hmacKey and the access rules of the receiver'

/** The meaning of an answer and the remedy: by channel and Slack's error code, or by channel and status. */
const REFUSALS: Readonly<Record<string, string>> = {
  'slack invalid_payload': `Slack cannot read this message: ${REPORT}`,
  'slack too_many_attachments': `the message has too many attachments: ${REPORT}`,
  'slack no_text': `the message has no text: ${REPORT}`,
  'slack user_not_found': `the addressee of the webhook does not exist: ${NEW_WEBHOOK}`,
  'slack channel_not_found': `the channel of the webhook does not exist: ${NEW_WEBHOOK}`,
  'slack channel_is_archived': `the channel is archived: restore it in Slack, or ${NEW_WEBHOOK}`,
  'slack action_prohibited': 'the workspace forbids the webhook: ask its administrator to allow it',
  'slack posting_to_general_channel_denied': `only some members may post to #general: ${NEW_WEBHOOK} for another channel`,
  'slack no_service': `the webhook was removed or disabled: ${NEW_WEBHOOK}`,
  'slack 403': `Slack forbids it: ask the administrator of the workspace, or ${NEW_WEBHOOK}`,
  'slack 404': `the webhook does not exist: ${NEW_WEBHOOK}`,
  'slack 410': `the webhook has ended: ${NEW_WEBHOOK}`,
  'slack 429': 'Slack limits the rate: lower maxPerHour',
  'slack 5xx': 'Slack has a fault: see its status page',
  'webhook 401': ACCESS,
  'webhook 403': ACCESS,
  'webhook 404': ADDRESS,
  'webhook 410': ADDRESS,
  'webhook 413': 'the receiver refuses messages of this size: raise its limit',
  'webhook 415': 'the receiver refuses application/json: make it accept JSON',
  'webhook 429': 'the receiver limits the rate: lower maxPerHour',
  'webhook 5xx': 'the receiver has a fault: read its log',
}
const OF_CONTENT = new Set(['invalid_payload', 'too_many_attachments', 'no_text'])
const MOST_QUOTED = 80

/** A failed answer in words, and whether only this message is affected; null = the status decides. */
export type ChannelRefusal = { readonly words: string; readonly isContent: boolean | null }

/** Returns the meaning of an answer in words; an unknown answer is quoted, escaped and truncated. `body` contains no secret. */
export function refusalOf(channel: 'slack' | 'webhook', status: number, body: string): ChannelRefusal {
  const word = body.trim()
  const byWord = /^[a-z_]{1,40}$/.test(word) ? REFUSALS[`${channel} ${word}`] : undefined
  const meaning = byWord ?? REFUSALS[`${channel} ${status >= 500 ? '5xx' : status}`]
  const quoted = byWord === undefined ? printableJson(JSON.stringify(word.slice(0, MOST_QUOTED))) : word
  return {
    words: `${word === '' ? '' : ` (${quoted})`}${meaning === undefined ? '' : `: ${meaning}`}`,
    isContent: byWord === undefined ? null : OF_CONTENT.has(word),
  }
}
