import type { Command } from 'commander'
import { addRfqOrderCommands } from './add-rfq-order-commands.ts'
import { addRfqOfflineCommands } from './add-rfq-offline-commands.ts'

/** The commands about signed orders, in one group. */
export function addRfqCommands(program: Command): void {
  const rfq = program
    .command('rfq')
    .description('signed orders: hash and sign one by hand, see what stands, take it back')
  addRfqOfflineCommands(rfq)
  addRfqOrderCommands(rfq)
}
