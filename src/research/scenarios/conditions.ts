import { z } from 'zod'
import { assumed, measured, plusMinus, SPELLS, upTo } from './parameter.ts'

/** Sections of the feed, of the venue's terms, of changes within a quarter, and of statements to the strategies, right or wrong. */

const halfLife = z.number().min(0.001).max(365)

/** Declares a parameter that `normal` takes from the daemon. */
function stated<Schema extends z.ZodType>(schema: Schema, unit: string, meaning: string): Schema {
  return assumed(schema, unit, meaning, 'the default of the daemon')
}

const BOARD = 'a board: readings only on working days from 05:00 to 14:00'
const ERROR = 'its true error; none = the error that the strategy states (`feedTauBps`)'
const PERSISTS = 'a quote that is off stays off for hours'

export const feedSection = z.strictObject({
  upShare: assumed(upTo(1).min(0.01), 'share of the time', 'time in which it is up', 'a scraped page fails'),
  halfLifeDays: assumed(halfLife, 'days', 'half-life of the error of the feed', PERSISTS),
  isBoard: measured(z.boolean(), 'yes or no', BOARD, 'the opening hours of a bank'),
  errorBps: assumed(upTo(1_000).nullable(), 'bps', ERROR, 'the statement is right'),
  biasBps: assumed(plusMinus(1_000), 'bps', 'constant part of its error'),
  delayHours: assumed(upTo(240), 'hours', 'age of what it shows'),
  tailWeight: assumed(upTo(0.4), "Tukey's h", 'weight of the tails of its error, whose sd stays'),
  copyShare: assumed(upTo(1), 'share', "share of the venue's own mid in what it shows"),
  stuckSpells: assumed(upTo(30), SPELLS, 'spells in which it repeats its last reading as new'),
  stuckDays: assumed(upTo(90), 'days', 'length of such a spell of the feed'),
})

const PICKS = 'within this distance of the best the router picks the provider filled least recently'

export const termsSection = z.strictObject({
  toleranceBps: assumed(z.int().min(0).max(100), 'bps', PICKS, 'the behaviour of the public rate'),
  feeBps: assumed(z.number().min(-100).max(500), 'bps', "change of today's protocol fee, which takers pay"),
  feeFromDay: assumed(z.int().min(0).max(1_000), 'day', 'when that change begins'),
  slippageBps: assumed(upTo(1_000), 'bps', 'slippage that small takers grant and the provider receives'),
  voidShare: assumed(upTo(1), 'share of our fills', 'fills reversed at the next half hour, at their price'),
  suspensions: assumed(upTo(30), SPELLS, 'spells in which the router leaves us out and no answer shows it'),
  suspensionDays: assumed(upTo(90), 'days', 'length of a suspension'),
})

const DESK = 'a desk looks weekly'

export const restockingSection = z.strictObject({
  isWeekly: assumed(z.boolean(), 'yes or no', 'whether both sides return to target on Mondays', DESK),
  belowShare: assumed(upTo(1), 'share of the target', '... if one side holds less', DESK),
  costBps: assumed(upTo(1_000), 'bps', '... and the cost of what is moved', 'a bank and a transfer'),
})

export const regimeSection = z.strictObject({
  fromDay: assumed(z.int().min(0).max(1_000), 'day', 'when the market changes for good'),
  sigmaFactor: assumed(upTo(20), 'factor', 'volatility from that day on'),
  driftBpsPerDay: assumed(plusMinus(200), 'bps a day', 'additional drift from that day on'),
  askFactor: assumed(upTo(20), 'factor', 'takers who bring dollars from that day on'),
  bidFactor: assumed(upTo(20), 'factor', 'takers who want dollars from that day on'),
  reservationFactor: assumed(upTo(20), 'factor', 'reservation spreads from that day on'),
  looksFactor: assumed(upTo(20), 'factor', 'looks of informed takers from that day on'),
})

const PARAMS = 'parameters for every strategy that has them and does not set them, such as `reservationBps`'

export const statedSection = z.strictObject({
  toleranceBps: stated(z.int().min(0).max(100).nullable(), 'bps', 'stated tolerance; none = the true one'),
  sigmaBps: stated(upTo(500).min(1), 'bps per square root of a day', 'stated volatility'),
  driftSdBpsPerDay: stated(upTo(200), 'bps a day', 'stated sd of the drift'),
  driftHalfLifeDays: stated(halfLife.min(0.25), 'days', 'stated half-life of the drift'),
  followShare: stated(upTo(1).min(0.01), 'share of the gap', 'stated kappa'),
  publicationNoiseBps: stated(upTo(200), 'bps', 'stated noise of publications'),
  weekendMovement: stated(upTo(1), 'share of a working day', 'stated movement at weekends'),
  errorHalfLifeDays: stated(halfLife, 'days', "stated half-life of the feed's error"),
  rivalsLateHours: assumed(upTo(240), 'hours', 'age of what probes show of rivals'),
  params: stated(z.record(z.string(), z.json()), 'parameters', PARAMS),
})
