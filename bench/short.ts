/**
 * The long form is for figures; the short one, `npm run bench -- --short`, is for knowing that every bench still runs
 * to its end. What it measures means nothing.
 */
export function shortOr<T>(short: T, long: T): T {
  return process.env['MIZANI_BENCH'] === 'short' ? short : long
}
