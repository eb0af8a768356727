import { userInfo } from 'node:os'

/** Who commands, for the journal: the user of this machine, where it has a name. */
export function operatorName(): string {
  try {
    return `${userInfo().username} (command line)`
  } catch {
    // A container may run as a number that no table names.
    return 'command line'
  }
}
