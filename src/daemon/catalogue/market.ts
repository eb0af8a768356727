import { RISK_RULES } from '../../core/alerts/risk-rules.ts'
import type { Spread } from '../../core/engine/model/effect.ts'
import { formatRate } from '../../base/money/rate.ts'
import type { Entries } from './entry.ts'

/** The mid and the quote. */
export const MARKET_ENTRIES: Entries<
  'midChanged' | 'midRefused' | 'quoteConfirmed' | 'quoteStatusChanged' | 'requote' | 'clamped' | 'sample'
> = {
  midChanged: {
    severity: () => 'info',
    sentence: ({ mid }) => `mid ${formatRate(mid)}`,
    fields: ({ mid, rateUpdatedAt, source }) => ({ mid: formatRate(mid), rateUpdatedAt, source }),
    table: 'rates',
  },
  midRefused: {
    severity: () => 'warning',
    sentence: ({ reason }) => `the mid is rejected: ${reason}`,
    fields: ({ reason }) => ({ reason }),
    table: 'notices',
  },
  quoteConfirmed: {
    severity: () => 'info',
    sentence: ({ spread, by }) =>
      `${by === 'dry-run' ? 'dry run, not sent:' : 'the venue quotes'} ${spreadText(spread)}`,
    fields: ({ spread, by }) => ({ by, ...spread }),
    table: 'quotes',
  },
  quoteStatusChanged: {
    severity: ({ status }) => (status === 'confirmed' ? 'info' : 'warning'),
    sentence: ({ status, why }) =>
      status === 'confirmed' ? 'the quote is confirmed' : `${QUOTE_STATUS[status]}: ${why}`,
    fields: ({ status, why }) => ({ status, why }),
    table: 'notices',
  },
  requote: {
    severity: () => 'info',
    sentence: ({ reason, spread, because }) =>
      `requote (${reason}) to ${spreadText(spread)}: ${because.join('; ') || 'no reason given'}`,
    fields: ({ reason, spread, because }) => ({ reason, ...spread, because }),
    counts: ({ reason }) => [{ counter: 'requotes', labels: { reason } }],
    table: 'notices',
  },
  clamped: {
    severity: () => 'warning',
    sentence: ({ side, wanted, sent }) => `${side} of ${Number(wanted.toFixed(2))} bps clamped to ${sent}`,
    fields: ({ side, wanted, sent }) => ({ side, wanted, sent }),
    counts: () => [
      { counter: 'riskRefusals', labels: { rule: 'out-of-range' satisfies keyof typeof RISK_RULES } },
    ],
    table: 'notices',
  },
  sample: {
    severity: () => 'debug',
    sentence: () => 'a sample for the charts',
    fields: ({ mid, bidBps, askBps }) => ({ mid: mid === null ? null : formatRate(mid), bidBps, askBps }),
    table: 'samples',
  },
}

const QUOTE_STATUS = {
  unknown: 'the quote at the venue is unknown',
  mismatch: 'the venue shows a different quote from the one sent',
} as const

function spreadText({ bidBps, askBps, quoteBid, quoteAsk }: Spread): string {
  return `bid ${quoteBid ? `${bidBps} bps` : 'off'}, ask ${quoteAsk ? `${askBps} bps` : 'off'}`
}
