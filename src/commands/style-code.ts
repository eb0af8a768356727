/** The character that begins a terminal's codes. */
export const ESCAPE = '\u001B'

/** A style: colour, weight, or back to plain. */
export const STYLE_CODE = String.raw`${ESCAPE}\[[\d;]*m`
