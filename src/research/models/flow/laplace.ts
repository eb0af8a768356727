/** A complex number. */
export type Complex = { readonly re: number; readonly im: number }

export function plus(x: Complex, y: Complex): Complex {
  return { re: x.re + y.re, im: x.im + y.im }
}

export function times(x: Complex, y: Complex): Complex {
  return { re: x.re * y.re - x.im * y.im, im: x.re * y.im + x.im * y.re }
}

export function scaled(x: Complex, factor: number): Complex {
  return { re: x.re * factor, im: x.im * factor }
}

export function over(x: Complex, y: Complex): Complex {
  const square = y.re * y.re + y.im * y.im
  return { re: (x.re * y.re + x.im * y.im) / square, im: (x.im * y.re - x.re * y.im) / square }
}

/** Returns the root with a real part >= 0. */
export function root(x: Complex): Complex {
  const length = Math.hypot(x.re, x.im)
  const im = Math.sqrt(Math.max(0, (length - x.re) / 2))
  return { re: Math.sqrt(Math.max(0, (length + x.re) / 2)), im: x.im < 0 ? -im : im }
}

export function exponential(x: Complex): Complex {
  const length = Math.exp(x.re)
  return { re: length * Math.cos(x.im), im: length * Math.sin(x.im) }
}

/** Nodes on the contour: ten digits for functions with singularities on the negative axis. */
const NODES = 18

/**
 * Returns f(t), t > 0, from its Laplace transform, whose singularities are real and <= 0. Source: Talbot 1979 with the
 * fixed contour of Abate, Valko 2004.
 */
export function invertLaplace(transform: (q: Complex) => Complex, t: number): number {
  const reach = (2 * NODES) / 5
  const along = (q: Complex, slope: Complex) =>
    times(exponential(q), times(transform(scaled(q, 1 / t)), slope)).re
  let sum = 0.5 * along({ re: reach, im: 0 }, { re: 1, im: 0 })
  for (let node = 1; node < NODES; node++) {
    const angle = (node * Math.PI) / NODES
    const cotangent = 1 / Math.tan(angle)
    const slope = { re: 1, im: angle + (angle * cotangent - 1) * cotangent }
    sum += along({ re: reach * angle * cotangent, im: reach * angle }, slope)
  }
  return (reach / (NODES * t)) * sum
}
