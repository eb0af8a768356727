import type { Door } from './door.ts'
import { avellanedaStoikovDoor } from './doors/avellaneda-stoikov.ts'
import { dealerDoor } from './doors/dealer.ts'
import { glftDoor, glftSizeDoor, posteriorSpreadDoor } from './doors/glft.ts'
import { leakDoor, oneSideDoor, pickoffDoor, takeAllDoor } from './doors/informed.ts'
import { policyDoor } from './doors/policy.ts'
import { fairValueDoor, publishedRateDoor } from './doors/rates.ts'
import { priceWarDoor, replyDoor } from './doors/rivals.ts'
import { compareDoor, deflatedSharpeDoor } from './doors/statistics.ts'

/** Every model of `mizani model`, in list order, one line per model. */
export const DOORS: readonly Door[] = [
  avellanedaStoikovDoor,
  glftDoor,
  glftSizeDoor,
  dealerDoor,
  posteriorSpreadDoor,
  compareDoor,
  policyDoor,
  pickoffDoor,
  leakDoor,
  takeAllDoor,
  oneSideDoor,
  replyDoor,
  priceWarDoor,
  fairValueDoor,
  publishedRateDoor,
  deflatedSharpeDoor,
]
