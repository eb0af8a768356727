/**
 * The long form is for figures; the short one, `npm run bench -- --short`, is for knowing that every bench still runs
 * to its end and that no ratio to the plain loop has fallen. Its figures mean nothing beyond that.
 */
export function shortOr<T>(short: T, long: T): T {
  return isShort() ? short : long
}

export function isShort(): boolean {
  return process.env['MIZANI_BENCH'] === 'short'
}
