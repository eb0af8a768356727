import type { OperatorCommand } from '../model/event.ts'

/** The commands that stop something; each is executed every time it is ordered. */
export const STOP_NAMES = [
  'halt',
  'pause',
  'deactivate',
  'cancelOrders',
  'stopSigning',
  'cancelWithdrawal',
] as const
export type StopCommand = Extract<OperatorCommand, { readonly name: (typeof STOP_NAMES)[number] }>

export function isStop(command: OperatorCommand): command is StopCommand {
  return (STOP_NAMES as readonly string[]).includes(command.name)
}
