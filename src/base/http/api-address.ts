import { z } from 'zod'

/** What every client of a URL reads it with: a port above 65535 or a broken host throws there. */
export const isUrl = (text: string) => URL.canParse(text)

/** The base URL of an API. */
export const apiUrl = z
  .string()
  .regex(
    /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/,
    'not a base URL; expected http(s)://host[:port], without a user, a query or a fragment',
  )
  .refine(isUrl, 'not a URL: its host or port cannot be read; expected http(s)://host[:port]')

/** A path of an API. */
export const apiPath = z
  .string()
  .regex(
    /^\/(?:(?![?#])[!-~])*$/,
    'not a path; expected an ASCII path that begins with / and has no spaces, ? or #',
  )

export function withoutEndSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
