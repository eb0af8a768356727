/** Hit ratio of a client tier at a half-spread of delta bps: it deals on 1 / (1 + exp(alpha + beta delta)) of its requests. */
export type HitCurve = {
  readonly alpha: number
  /** Per bps, > 0. */
  readonly beta: number
}

/** The best answer to one request. */
type BestQuote = {
  /** Half-spread, bps. */
  readonly deltaBps: number
  /** Lambert's W, from which the other fields follow. */
  readonly w: number
  /** The share of requests that deal. */
  readonly hit: number
  /** Expected gain of a request, bps of its size, over the reservation price. */
  readonly gainBps: number
}

/**
 * The half-spread that maximises hit(delta) (delta - p), where p bps is what dealing costs the dealer's inventory:
 * W = W(exp(-1 - alpha - beta p)), delta = p + (1 + W)/beta, hit = W/(1 + W), gain = W/beta. p = 0 is the myopic dealer.
 * Source: Barzykin, Bergault, Gueant 2023 for the problem; the closed form in quant.md section 1.4, golden in 2.3.
 */
export function bestQuote({ alpha, beta }: HitCurve, costBps: number): BestQuote {
  const w = lambertWOfExp(-1 - alpha - beta * costBps)
  return { deltaBps: costBps + (1 + w) / beta, w, hit: w / (1 + w), gainBps: w / beta }
}

const NEWTON_STEPS = 40

/**
 * W(exp(y)), the w > 0 with w + ln w = y, for any y: 0 if exp(y) underflows a float64. Newton's steps from below, which
 * rise to the solution because the left side is concave.
 */
export function lambertWOfExp(y: number): number {
  const x = Math.exp(y)
  if (x < 1e-16) return x
  let w = y > 1 ? y - Math.log(y) : x / (1 + x)
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const next = (w / (1 + w)) * (1 + y - Math.log(w))
    if (Math.abs(next - w) <= 1e-16 * next) return next
    w = next
  }
  return w
}

/** Requests of one size from one tier. */
export type RequestFlow = {
  readonly curve: HitCurve
  readonly size: number
  /** On each side. */
  readonly perDay: number
}

/**
 * The slope a of the quadratic closure theta = -a q^2 / 2, bps per unit of inventory: a = sqrt(gamma sigma^2 / (2 sum of
 * size H''(0))), H''(0) = perDay beta W / (1 + W)^3. A request of size z then costs a (z/2 +- q).
 * Source: Bergault, Evangelista, Gueant, Vieira 2021; golden in quant.md section 2.3.
 */
export function quadraticClosure(
  flows: readonly RequestFlow[],
  riskAversion: number,
  sigmaBps: number,
): number {
  const curvature = flows.reduce((sum, { curve, size, perDay }) => {
    const { w } = bestQuote(curve, 0)
    return sum + (size * perDay * curve.beta * w) / (1 + w) ** 3
  }, 0)
  return sigmaBps * Math.sqrt(riskAversion / (2 * curvature))
}
