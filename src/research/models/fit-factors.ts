import { solveDense } from '../../core/models/policy/dense-solve.ts'
import { SIDES, type Side } from '../../base/money/side.ts'

/** Exposure and fills of one side at one spread within one hour. */
export type IntensityCell = {
  /** Hours since the epoch. */
  readonly hour: number
  readonly side: Side
  readonly bps: number
  /** Half of what the spread exceeds that of our other side; null = the other side is off. */
  readonly skewBps: number | null
  /** Days times our share of the takers. */
  readonly days: number
  readonly fills: number
}

/** The errors of one day: in its count, and what they add to k and to ln A. */
export type FactorDay = {
  readonly day: number
  count: number
  expected: number
  ofK: number
  ofLogA: number
  /** For a change of level and one of k: the error of the day, its variance, and its covariance with each parameter. */
  readonly changes: readonly { error: number; variance: number; readonly covariance: Float64Array }[]
}

/** A law with the takers' habits taken out; A is averaged over the sides, hours and weekdays on the tape. */
export type FactorFit = {
  readonly k: number
  readonly logA: number
  readonly varianceOfK: number
  readonly varianceOfLogA: number
  /** Ascending. */
  readonly days: readonly FactorDay[]
  /** The information of all parameters, by rows. */
  readonly information: Float64Array
}

/** The best A for a given k, and its log-likelihood up to a constant of the data. */
type FactorProfile = { readonly logA: number; readonly logLikelihood: number }

export type FactorModel = {
  /** Null where k is not identified. */
  readonly fit: () => FactorFit | null
  readonly profile: (k: number) => FactorProfile
}

const HOURS = 24
const WEEK = 7
/** Thursday, counted from Monday: the weekday of day 0. */
const FIRST_WEEKDAY = 3
const WORKING_DAYS = 5
/** From this many days on each weekday has a factor of its own; before that, working days and weekends. */
const DAYS_FOR_WEEKDAYS = 28
/** Keeps factors without fills finite; a factor of e^10 costs half a fill. */
const RIDGE = 0.01
const FIRST_K = 1 / 60
const STEPS = 60
const CLOSE = 1e-7

/**
 * lambda = A side hour weekday exp(-k delta): a Poisson regression whose factors take out of k what follows the hour, the weekday or
 * the side. With `followsFairValue` the skew has a coefficient of its own, so that k is learned only from the mean of both spreads:
 * a quote that follows the fair value is wide exactly where takers are many. Source: McCullagh, Nelder 1989, section 6.2.
 */
export function createFactorModel(
  cells: readonly IntensityCell[],
  { followsFairValue, fillsEndExposure }: FactorChoices,
): FactorModel {
  const design = createDesign(cells, followsFairValue, true)
  const profile = profileOf(design)
  // Where a fill ends the exposure of its hour, each hour's own rate is too high, and the mean of all more than their sum.
  const level = fillsEndExposure ? profileOf(createDesign(cells, followsFairValue, false)) : profile
  return {
    fit() {
      const theta = startOf(design)
      const information = maximise(design, theta, design.k + 1)
      const found = information === null ? null : factorFit(design, theta, information)
      return found === null || !fillsEndExposure ? found : { ...found, logA: level(found.k).logA }
    },
    profile: (k) => ({ ...profile(k), ...(fillsEndExposure ? { logA: level(k).logA } : {}) }),
  }
}

/** How a tape is read: whether the skew followed a reference, and whether exposure ended with a fill until the next probe. */
export type FactorChoices = { readonly followsFairValue: boolean; readonly fillsEndExposure: boolean }

/** Neighbouring values of k start where the last one ended. */
function profileOf(design: Design): FactorModel['profile'] {
  const theta = startOf(design)
  return (k) => {
    theta[design.k] = k
    maximise(design, theta, design.k)
    return { logA: levelOf(design, theta).logA, logLikelihood: logLikelihood(design, theta) }
  }
}

/**
 * Columns of the parameters: sides, hours, weekdays, with `followsFairValue` skew and one-sidedness, and k as the last one. Each cell
 * has `width` of them.
 */
type Design = {
  readonly cells: readonly IntensityCell[]
  readonly columns: Int32Array
  readonly values: Float64Array
  readonly width: number
  readonly k: number
  /** The weighted factors whose means belong to A: of sides, hours and weekdays. */
  readonly averaged: readonly (readonly { readonly column: number; readonly weight: number }[])[]
}

const HOUR_AT = SIDES.length
const WEEKDAY_AT = HOUR_AT + HOURS

function createDesign(all: readonly IntensityCell[], followsFairValue: boolean, hasHabits: boolean): Design {
  const cells = all.filter(({ days }) => days > 0)
  const isLong = new Set(cells.map(dayOf)).size >= DAYS_FOR_WEEKDAYS
  const skewAt = WEEKDAY_AT + (isLong ? WEEK : 2)
  const k = skewAt + (followsFairValue ? 2 : 0)
  // A side without fills has no factor: its maximum is at minus infinity.
  const areBothTaken = SIDES.every((side) => cells.some((cell) => cell.side === side && cell.fills > 0))
  const rows = cells.map((cell): readonly (readonly [column: number, value: number])[] => {
    const { side, hour, bps, skewBps } = cell
    const weekday = (dayOf(cell) + FIRST_WEEKDAY) % WEEK
    const factors = [
      [areBothTaken ? SIDES.indexOf(side) : 0, 1],
      [HOUR_AT + (hasHabits ? hour % HOURS : 0), 1],
      [WEEKDAY_AT + (!hasHabits ? 0 : isLong ? weekday : Number(weekday >= WORKING_DAYS)), 1],
    ] as const
    if (!followsFairValue) return [...factors, [k, -bps]]
    const skew = skewBps ?? 0
    return [...factors, [skewAt, -skew], [skewAt + 1, Number(skewBps === null)], [k, skew - bps]]
  })
  const columns = Int32Array.from(rows.flatMap((row) => row.map(([column]) => column)))
  const seen = new Set(columns)
  const weightOf = (column: number) =>
    isLong || column < WEEKDAY_AT ? 1 : column === WEEKDAY_AT ? WORKING_DAYS : WEEK - WORKING_DAYS
  const factorsIn = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({ column: from + i, weight: weightOf(from + i) })).filter(
      ({ column }) => seen.has(column),
    )
  return {
    cells,
    columns,
    values: Float64Array.from(rows.flatMap((row) => row.map(([, value]) => value))),
    width: followsFairValue ? 6 : 4,
    k,
    averaged: [factorsIn(0, HOUR_AT), factorsIn(HOUR_AT, WEEKDAY_AT), factorsIn(WEEKDAY_AT, skewAt)],
  }
}

function dayOf({ hour }: IntensityCell): number {
  return Math.floor(hour / HOURS)
}

function startOf({ cells, k }: Design): Float64Array {
  const theta = new Float64Array(k + 1)
  const fills = cells.reduce((sum, cell) => sum + cell.fills, 0)
  const exposure = cells.reduce((sum, { days, bps }) => sum + days * Math.exp(-FIRST_K * bps), 0)
  theta.fill(Math.log(fills / exposure), 0, HOUR_AT)
  theta[k] = FIRST_K
  return theta
}

/**
 * Maximises over the first `free` parameters by Newton steps, in place. Returns their information, or null without a maximum. Source:
 * the log-likelihood is concave.
 */
function maximise(design: Design, theta: Float64Array, free: number): Float64Array | null {
  let reached = logLikelihood(design, theta)
  for (let step = 0; step < STEPS; step++) {
    const { gradient, information } = derivatives(design, theta, free)
    const change = solveDense(information.slice(), gradient)
    if (!change.every(Number.isFinite)) return null
    const before = theta.slice()
    let share = 1
    for (; share > CLOSE; share /= 2) {
      for (let i = 0; i < free; i++) theta[i] = before[i]! + share * change[i]!
      const now = logLikelihood(design, theta)
      if (!(now >= reached - CLOSE)) continue
      reached = now
      break
    }
    if (change.every((each, i) => Math.abs(each) <= CLOSE * (1 + Math.abs(theta[i]!)))) return information
  }
  return null
}

function logRate({ columns, values, width }: Design, theta: Float64Array, cell: number): number {
  let sum = 0
  for (let at = cell * width; at < (cell + 1) * width; at++) sum += values[at]! * theta[columns[at]!]!
  return sum
}

const isPenalised = ({ k }: Design, column: number) => column >= HOUR_AT && column < k

function logLikelihood(design: Design, theta: Float64Array): number {
  let sum = 0
  for (let i = 0; i < design.cells.length; i++) {
    const { fills, days } = design.cells[i]!
    const log = logRate(design, theta, i)
    sum += fills * log - days * Math.exp(log)
  }
  for (let column = HOUR_AT; column < design.k; column++) sum -= (RIDGE / 2) * theta[column]! ** 2
  return sum
}

function derivatives(design: Design, theta: Float64Array, free: number) {
  const { cells, columns, values, width } = design
  const gradient = new Float64Array(free)
  const information = new Float64Array(free * free)
  for (let i = 0; i < cells.length; i++) {
    const mean = cells[i]!.days * Math.exp(logRate(design, theta, i))
    const missed = cells[i]!.fills - mean
    for (let a = i * width; a < (i + 1) * width; a++) {
      const [row, value] = [columns[a]!, values[a]!]
      if (row >= free) break
      gradient[row] = gradient[row]! + value * missed
      for (let b = i * width; b < (i + 1) * width; b++) {
        if (columns[b]! >= free) break
        const at = row * free + columns[b]!
        information[at] = information[at]! + mean * value * values[b]!
      }
    }
  }
  for (let column = 0; column < free; column++) {
    const diagonal = column * (free + 1)
    // A side that is missing, or a skew that never moved.
    if (information[diagonal] === 0) information[diagonal] = 1
    if (!isPenalised(design, column)) continue
    information[diagonal] = information[diagonal]! + RIDGE
    gradient[column] = gradient[column]! - RIDGE * theta[column]!
  }
  return { gradient, information }
}

/** Returns ln A and how it changes with each parameter. */
function levelOf({ averaged, k }: Design, theta: Float64Array) {
  const gradient = new Float64Array(k + 1)
  let logA = 0
  for (const factors of averaged) {
    const total = factors.reduce((sum, { column, weight }) => sum + weight * Math.exp(theta[column]!), 0)
    logA += Math.log(total / factors.reduce((sum, { weight }) => sum + weight, 0))
    for (const { column, weight } of factors) gradient[column] = (weight * Math.exp(theta[column]!)) / total
  }
  return { logA, gradient }
}

function factorFit(design: Design, theta: Float64Array, information: Float64Array): FactorFit | null {
  const { k } = design
  const { logA, gradient } = levelOf(design, theta)
  const unit = Float64Array.from(theta, (_, column) => Number(column === k))
  const ofK = solveDense(information.slice(), unit)
  const ofLogA = solveDense(information.slice(), gradient.slice())
  const varianceOfK = ofK[k]!
  const varianceOfLogA = ofLogA.reduce((sum, each, i) => sum + each * gradient[i]!, 0)
  if (!(varianceOfK > 0 && varianceOfLogA > 0)) return null
  const days = errorsByDay(design, theta, { ofK, ofLogA })
  return { k: theta[k]!, logA, varianceOfK, varianceOfLogA, days, information }
}

function errorsByDay(
  design: Design,
  theta: Float64Array,
  inverse: { readonly ofK: Float64Array; readonly ofLogA: Float64Array },
): readonly FactorDay[] {
  const { cells, columns, values, width } = design
  const byDay = new Map<number, FactorDay>()
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!
    const mean = cell.days * Math.exp(logRate(design, theta, i))
    const missed = cell.fills - mean
    const day = byDay.get(dayOf(cell)) ?? emptyDay(dayOf(cell), theta.length)
    byDay.set(day.day, day)
    day.count += cell.fills
    day.expected += mean
    for (const [j, value] of [1, cell.bps].entries()) {
      const change = day.changes[j]!
      change.error += value * missed
      change.variance += value * value * mean
      for (let at = i * width; at < (i + 1) * width; at++)
        change.covariance[columns[at]!] = change.covariance[columns[at]!]! + value * mean * values[at]!
    }
    for (let at = i * width; at < (i + 1) * width; at++) {
      day.ofK += inverse.ofK[columns[at]!]! * values[at]! * missed
      day.ofLogA += inverse.ofLogA[columns[at]!]! * values[at]! * missed
    }
  }
  return [...byDay.values()].sort((a, b) => a.day - b.day)
}

function emptyDay(day: number, parameters: number): FactorDay {
  const changes = [0, 0].map(() => ({ error: 0, variance: 0, covariance: new Float64Array(parameters) }))
  return { day, count: 0, expected: 0, ofK: 0, ofLogA: 0, changes }
}
