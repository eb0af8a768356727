import { logGamma } from './log-gamma.ts'

const MAX_TERMS = 100_000
const PRECISION = 1e-15
const TINY = 1e-300

/** P(X <= x) for X ~ Gamma(shape, rate 1), shape > 0: the regularised lower incomplete gamma function. */
export function gammaCdf(shape: number, x: number): number {
  if (x <= 0) return 0
  return x < shape + 1 ? series(shape, x) : 1 - continuedFraction(shape, x)
}

/** P(X > x): keeps its digits where `1 - gammaCdf` would lose them. */
export function gammaTail(shape: number, x: number): number {
  if (x <= 0) return 1
  return x < shape + 1 ? 1 - series(shape, x) : continuedFraction(shape, x)
}

/** Abramowitz and Stegun 6.5.29. */
function series(shape: number, x: number): number {
  let term = 1 / shape
  let sum = term
  for (let n = 1; n < MAX_TERMS && term > sum * PRECISION; n++) {
    term *= x / (shape + n)
    sum += term
  }
  return sum * Math.exp(shape * Math.log(x) - x - logGamma(shape))
}

/** Abramowitz and Stegun 6.5.31, evaluated by Lentz's method. */
function continuedFraction(shape: number, x: number): number {
  if (x === Infinity) return 0
  let b = x + 1 - shape
  let c = 1 / TINY
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < MAX_TERMS; n++) {
    const a = n * (shape - n)
    b += 2
    d = 1 / awayFromZero(a * d + b)
    c = awayFromZero(b + a / c)
    fraction *= c * d
    if (Math.abs(c * d - 1) < PRECISION) break
  }
  return fraction * Math.exp(shape * Math.log(x) - x - logGamma(shape))
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}
