/** The density of a standard normal law at z. */
export function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
}

/** P(Z <= z) for a standard normal Z, both tails to full relative precision: erf(x) is the cdf of Gamma(1/2) at x^2. */
export function normalCdf(z: number): number {
  const tail = 0.5 * gammaTail(0.5, 0.5 * z * z)
  if (z <= 0) return tail
  return z < 1 ? 0.5 + 0.5 * gammaCdf(0.5, 0.5 * z * z) : 1 - tail
}

const CENTRE_NUMERATOR = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
  2.506628277459239,
]
const CENTRE_DENOMINATOR = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1,
]
const TAIL_NUMERATOR = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
]
const TAIL_DENOMINATOR = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1]
const TAIL_BELOW = 0.02425

/**
 * The z with P(Z <= z) = probability, 0 < probability < 1; -Infinity and Infinity at the ends.
 * Source: Acklam's rational approximation (relative error 1.15e-9), then one step of Halley's method.
 */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return -Infinity
  if (probability >= 1) return Infinity
  if (probability > 0.5) return -normalQuantile(1 - probability)
  const z = approximateQuantile(probability)
  const error = (normalCdf(z) - probability) * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2)
  return z - error / (1 + (z * error) / 2)
}

function approximateQuantile(probability: number): number {
  if (probability < TAIL_BELOW) {
    const q = Math.sqrt(-2 * Math.log(probability))
    return polynomial(TAIL_NUMERATOR, q) / polynomial(TAIL_DENOMINATOR, q)
  }
  const q = probability - 0.5
  return (polynomial(CENTRE_NUMERATOR, q * q) * q) / polynomial(CENTRE_DENOMINATOR, q * q)
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0)
}

const AS_GOOD_AS_NORMAL = 10_000
const HALVINGS = 80

/**
 * The t with P(T <= t) = probability for Student's T with a whole number of degrees of freedom >= 1,
 * 0 < probability < 1. Source: Abramowitz and Stegun 26.7.3 and 26.7.4, solved by bisection.
 */
export function studentQuantile(probability: number, degrees: number): number {
  if (probability < 0.5) return -studentQuantile(1 - probability, degrees)
  if (degrees > AS_GOOD_AS_NORMAL) return normalQuantile(probability)
  // theta = atan(t / sqrt(degrees)) has a finite range, unlike t.
  let low = 0
  let high = Math.PI / 2
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (studentCentralProbability(middle, degrees) < 2 * probability - 1) low = middle
    else high = middle
  }
  return Math.sqrt(degrees) * Math.tan((low + high) / 2)
}

/** P(|T| <= t) where theta = atan(t / sqrt(degrees)). */
function studentCentralProbability(theta: number, degrees: number): number {
  const square = Math.cos(theta) ** 2
  const odd = degrees % 2 === 1
  let term = odd ? Math.cos(theta) : 1
  let sum = degrees === 1 ? 0 : term
  for (let n = odd ? 3 : 2; n < degrees; n += 2) {
    term *= (square * (n - 1)) / n
    sum += term
  }
  return odd ? (2 / Math.PI) * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum
}

/**
 * Returns the exact interval for the mean of a Poisson variable observed as `count`: it covers the true mean with probability
 * at least `level`. Source: Garwood 1936, by the gamma quantile.
 */
export function poissonInterval(count: number, level = 0.9): { readonly low: number; readonly high: number } {
  const tail = (1 - level) / 2
  return {
    low: count === 0 ? 0 : gammaQuantile(tail, count),
    high: gammaQuantile(1 - tail, count + 1),
  }
}

const MAX_TERMS = 100_000
const PRECISION = 1e-15
const TINY = 1e-300

/** P(X <= x) for X ~ Gamma(shape, rate 1), shape > 0: the regularised lower incomplete gamma function. */
export function gammaCdf(shape: number, x: number): number {
  if (x <= 0) return 0
  return x < shape + 1 ? incompleteGammaSeries(shape, x) : 1 - incompleteGammaFraction(shape, x)
}

/** P(X > x), without the loss of precision of `1 - gammaCdf`. */
export function gammaTail(shape: number, x: number): number {
  if (x <= 0) return 1
  return x < shape + 1 ? 1 - incompleteGammaSeries(shape, x) : incompleteGammaFraction(shape, x)
}

/** Abramowitz and Stegun 6.5.29. */
function incompleteGammaSeries(shape: number, x: number): number {
  let term = 1 / shape
  let sum = term
  for (let n = 1; n < MAX_TERMS && term > sum * PRECISION; n++) {
    term *= x / (shape + n)
    sum += term
  }
  return sum * gammaKernel(shape, x)
}

/** The last shape and its ln Gamma: a normal law asks for one shape only. */
let lastShape = { shape: NaN, logGamma: NaN }

/** x^shape exp(-x) / Gamma(shape). */
function gammaKernel(shape: number, x: number): number {
  if (shape !== lastShape.shape) lastShape = { shape, logGamma: logGamma(shape) }
  return Math.exp(shape * Math.log(x) - x - lastShape.logGamma)
}

/** Abramowitz and Stegun 6.5.31, evaluated by Lentz's method. */
function incompleteGammaFraction(shape: number, x: number): number {
  const kernel = x === Infinity ? 0 : gammaKernel(shape, x)
  if (kernel === 0) return 0
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
  return fraction * kernel
}

/** Prevents a zero divisor in a continued fraction. */
export function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}

const NEWTON_STEPS = 200

/**
 * The x with P(X <= x) = probability for X ~ Gamma(shape, rate 1), shape > 0, 0 <= probability < 1.
 * Starts from Wilson and Hilferty 1931 and refines by Newton's steps kept inside a bracket.
 */
export function gammaQuantile(probability: number, shape: number): number {
  if (probability <= 0) return 0
  let low = 0
  let high = Infinity
  let x = firstGammaGuess(probability, shape)
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const error = gammaError(probability, shape, x)
    if (error === 0) return x
    if (error > 0) high = x
    else low = x
    const density = Math.exp((shape - 1) * Math.log(x) - x - logGamma(shape))
    const newton = x - error / density
    const next = newton > low && newton < high ? newton : high === Infinity ? 2 * x : (low + high) / 2
    if (Math.abs(next - x) <= 1e-15 * x) return next
    x = next
  }
  return x
}

function firstGammaGuess(probability: number, shape: number): number {
  const spread = 1 / (9 * shape)
  const guess = shape * (1 - spread + normalQuantile(probability) * Math.sqrt(spread)) ** 3
  // In the lower tail the distribution is just x^shape / Gamma(shape + 1).
  return guess > 0.1 * shape ? guess : Math.exp((Math.log(probability) + logGamma(shape + 1)) / shape)
}

/** The cdf at x less the wanted probability, computed from the more precise tail. */
function gammaError(probability: number, shape: number, x: number): number {
  return probability < 0.5 ? gammaCdf(shape, x) - probability : 1 - probability - gammaTail(shape, x)
}

const LANCZOS_G = 7
const LANCZOS_COEFFICIENTS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const
const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)

/**
 * ln Gamma(x) for x > 0, to about 14 digits.
 * Source: Lanczos 1964, the g = 7, n = 9 coefficients of Godfrey.
 */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  let series: number = LANCZOS_COEFFICIENTS[0]
  for (let i = 1; i < LANCZOS_COEFFICIENTS.length; i++) series += (LANCZOS_COEFFICIENTS[i] ?? 0) / (x - 1 + i)
  const t = x + LANCZOS_G - 0.5
  return HALF_LOG_TWO_PI + (x - 0.5) * Math.log(t) - t + Math.log(series)
}
