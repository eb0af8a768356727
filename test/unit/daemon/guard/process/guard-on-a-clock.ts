import { err, ok, type Result } from '../../../../../src/base/result.ts'
import { emptyRecord, type GuardRecord } from '../../../../../src/daemon/guard/position/record.ts'
import type { SafeWrite, WriteOutcome } from '../../../../../src/daemon/guard/position/ladder.ts'
import { createLeaseRows } from '../../../../../src/daemon/guard/position/lease-rows.ts'
import type { GuardNotice } from '../../../../../src/daemon/guard/notices/notice.ts'
import type { PositionSettings } from '../../../../../src/daemon/guard/process/settings.ts'
import type { Unread, GuardVenue, VenueTraffic } from '../../../../../src/daemon/guard/process/guard-venue.ts'
import {
  type WatchedPosition,
  watchPosition,
} from '../../../../../src/daemon/guard/process/watch-position.ts'
import type { Side } from '../../../../../src/base/money/side.ts'
import type { PositionRenewal } from '../../../../../src/daemon/guard/protocol/renewal.ts'
import { recordingReport } from '../../../../support/recording-report.ts'
import { POSITION, renewalOf } from '../guarded-position.ts'

export const HOLDER = 'a'.repeat(32)
export const DONE: WriteOutcome = { kind: 'done', words: 'confirmed' }

/**
 * A guard of one position on a virtual clock, and a venue that does what `venue` says. `open`: alerts that an earlier process of it
 * has raised, which its file keeps.
 */
export function watched(
  settings: Partial<PositionSettings> = {},
  kept: GuardRecord = emptyRecord(),
  { open = [] }: { open?: readonly GuardNotice[] } = {},
) {
  const clock = { at: 1_000_000 }
  const rows = settings.database === undefined ? null : createLeaseRows(() => clock.at)
  const done: string[] = []
  const { report, lines, told } = recordingReport(
    undefined,
    open.map((code) => `${POSITION.name} ${code}`),
  )
  const venue = {
    quote: { bid: 60, ask: 70 } as Record<Side, number | null>,
    isActive: true as boolean | null,
    /** Why the guard could read nothing and write nothing; null = it could. */
    blind: null as string | null,
    read(side: Side): Result<number, Unread> {
      const bps = venue.quote[side]
      if (venue.blind !== null) return err({ blocksWrites: true, words: venue.blind })
      return bps === null ? err({ blocksWrites: false, words: 'the venue answers 404' }) : ok(bps)
    },
    outcome: (_what: SafeWrite | 'deactivation'): WriteOutcome => DONE,
    /** The status and headers of each answer. */
    answer: { status: 200, headers: {} as Record<string, string> },
    /** A request is not answered before this. */
    until: Promise.resolve() as Promise<unknown>,
  }
  let changes = 0
  const openClient = ({ onRequest, onAnswer }: VenueTraffic): GuardVenue => {
    async function ask<Answer>(name: string, take: () => Answer): Promise<Answer> {
      done.push(name)
      onRequest()
      await venue.until
      onAnswer(venue.answer)
      return take()
    }
    return {
      write: (what) =>
        ask(what, () => {
          const outcome = venue.outcome(what)
          if (outcome.kind === 'done') venue.quote = { bid: 500, ask: 500 }
          return outcome
        }),
      deactivate: () =>
        ask('deactivate', () => {
          const outcome = venue.outcome('deactivation')
          if (outcome.kind === 'done') venue.isActive = false
          return outcome
        }),
      readSide: (side) => ask(`read ${side}`, () => venue.read(side)),
      readActive: () => ask('look', () => venue.isActive),
    }
  }
  const position: WatchedPosition = watchPosition({
    settings: { ...POSITION, ...settings },
    kept,
    openClient,
    report,
    clock: { now: () => clock.at, wall: () => 50_000_000 + clock.at },
    onChange: () => (changes += 1),
    rows,
  })
  const settle = async () => {
    for (let times = 0; times < 40; times += 1) await Promise.resolve()
  }
  return {
    position,
    venue,
    done,
    told,
    lines,
    kept,
    changes: () => changes,
    codes: () => told.map(([code]) => code),
    /** Time passes, and the guard ticks as often as it does. */
    async pass(ms: number, stepMs = 100) {
      for (const end = clock.at + ms; clock.at < end;) {
        clock.at += Math.min(stepMs, end - clock.at)
        position.tick(false)
        await settle()
      }
    },
    rows,
    now: () => clock.at,
    skip: (ms: number) => void (clock.at += ms),
    settle,
    renew(count: number, change: Partial<PositionRenewal> = {}, holder = HOLDER) {
      return position.handOver(position.renew(renewalOf(count, change), holder, 3_000))
    },
  }
}
