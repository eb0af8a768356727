import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import type { CompetitorParams, Scenario, ScenarioName } from './scenario.ts'

/** A walk with this sd a day prints means whose returns have a sd of 17.4 bps (see `true-rate.ts`). */
const NORMAL_SD_BPS = 17.4 / Math.sqrt(2 / 3)
const CALM_SD_BPS = 6.6 / Math.sqrt(2 / 3)
const WILD_SD_BPS = 29 / Math.sqrt(2 / 3)

const rufiji: CompetitorParams = {
  name: 'rufiji',
  baseBps: 66,
  minBps: 55,
  maxBps: 90,
  requotesPerDay: 96,
  oneSidedShare: 0.03,
  ntzs: 260_000_000,
  usdc: 80_000,
  usdt: 20_000,
}
const pangani: CompetitorParams = { ...rufiji, name: 'pangani', baseBps: 74, requotesPerDay: 48 }
const ruvuma: CompetitorParams = {
  ...rufiji,
  name: 'ruvuma',
  baseBps: 84,
  requotesPerDay: 24,
  oneSidedShare: 0.1,
}

/**
 * The market that the demonstration shows: busy enough that minutes of it are worth watching, with the
 * central bank's figures of quant.md section 6.
 */
const normal: Scenario = {
  trueRate: { sdPerDayBps: NORMAL_SD_BPS, driftPerDayBps: 0, movesOnWeekends: false, jump: null },
  publication: { heldBackForMs: 0, mistyped: null },
  takers: {
    perDayPerSide: 1_200,
    askShare: 0.52,
    reservationBps: 60,
    medianUsd: 250,
    capUsd: 5_000,
    rush: null,
    usdt: { broughtShare: 0.2, wantedShare: 0.2, discountBps: 0 },
  },
  informed: { perDay: 10, marginBps: 5, medianUsd: 1_000, capUsd: 5_000 },
  competitors: [rufiji, pangani, ruvuma],
  outages: { perDay: 0, meanMs: 0 },
  notQuotableOnSundays: false,
  opensOnTheCalendar: false,
}

/** Every story by its name: `normal`, and what is different. */
export const SCENARIO_PARAMS: Readonly<Record<ScenarioName, Scenario>> = {
  normal,
  /** Half the takers, hardly any news. */
  calm: {
    ...normal,
    trueRate: { ...normal.trueRate, sdPerDayBps: CALM_SD_BPS },
    takers: { ...normal.takers, perDayPerSide: 600, askShare: 0.5 },
    informed: { ...normal.informed, perDay: 2 },
  },
  /** The shilling weakens 30 bps a day, and people want dollars. */
  devaluation: {
    ...normal,
    trueRate: { ...normal.trueRate, driftPerDayBps: 30 },
    takers: { ...normal.takers, askShare: 0.42 },
    informed: { ...normal.informed, perDay: 30 },
  },
  /** The shilling strengthens 30 bps a day, and people bring dollars. */
  appreciation: {
    ...normal,
    trueRate: { ...normal.trueRate, driftPerDayBps: -30 },
    takers: { ...normal.takers, askShare: 0.58 },
    informed: { ...normal.informed, perDay: 30 },
  },
  /** No print for three days, the worst move on record in between, and one print that catches up. */
  'stale-jump': {
    ...normal,
    trueRate: { ...normal.trueRate, jump: { afterMs: 6 * HOUR_MS, bps: 133 } },
    publication: { ...normal.publication, heldBackForMs: 3 * DAY_MS },
    informed: { ...normal.informed, perDay: 30 },
  },
  /** Wild market, and somebody in it who knows better, often and large. */
  'toxic-taker': {
    ...normal,
    trueRate: { ...normal.trueRate, sdPerDayBps: WILD_SD_BPS },
    informed: { perDay: 150, marginBps: 2, medianUsd: 2_000, capUsd: 10_000 },
  },
  /** A competitor that lives on 15 to 40 bps and requotes all the time. */
  undercut: {
    ...normal,
    competitors: [
      rufiji,
      pangani,
      {
        ...rufiji,
        name: 'mara',
        baseBps: 26,
        minBps: 15,
        maxBps: 40,
        requotesPerDay: 288,
        oneSidedShare: 0.2,
      },
    ],
  },
  /** A month's end that does not end: every morning dollars are brought to pay wages. */
  payroll: {
    ...normal,
    takers: { ...normal.takers, rush: { side: 'ask', fromHour: 6, toHour: 11, factor: 4 } },
  },
  /** The market moves while nobody prints, and on Sunday evening the venue stops trusting its own mid. */
  weekend: {
    ...normal,
    trueRate: { ...normal.trueRate, movesOnWeekends: true },
    informed: { ...normal.informed, perDay: 25 },
    notQuotableOnSundays: true,
    opensOnTheCalendar: true,
  },
  /** USDT is 45 bps cheaper elsewhere: it comes in, and nobody wants it back. */
  'stablecoin-basis': {
    ...normal,
    takers: { ...normal.takers, usdt: { broughtShare: 0.75, wantedShare: 0.1, discountBps: 45 } },
  },
  /** The first print has two digits swapped; it is corrected 45 minutes later. */
  'fat-finger-mid': {
    ...normal,
    publication: {
      ...normal.publication,
      mistyped: { print: 1, bps: 350, correctedAfterMs: 45 * MINUTE_MS },
    },
    informed: { ...normal.informed, perDay: 60 },
  },
  /** The API is away eight times a day for five minutes on the average. */
  'api-outage': { ...normal, outages: { perDay: 8, meanMs: 5 * MINUTE_MS } },
}
