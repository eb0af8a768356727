import { Logger } from 'graphile-worker'

/** graphile-worker tells of every job on the console; what matters of it is said by the sweep itself. */
export const quietLogger = new Logger(() => () => undefined)
